//! The fingerprint of a game's rules, and the values that the rules decide.

use crate::registry::{Position, Successor};
use everyply_core::exhaustive::Code;
use everyply_core::game::{Key, Outcome, Unsuited};

/// Returns the value of a position from its result, or else the values of its children by the rules
/// or by `below`; `None` if a child has no value.
pub(super) fn follows(
    result: Option<Outcome>,
    moves: &[Successor],
    below: &dyn Fn(Key) -> Option<Code>,
) -> Option<Code> {
    if let Some(result) = result {
        return Some(Code::new(result, 0));
    }
    let value = |m: &Successor| {
        let child = m.result.map(|result| Code::new(result, 0)).or_else(|| below(m.canonical?));
        Some(child?.one_ply_earlier(m.keeps_turn))
    };
    let values: Option<Vec<Code>> = moves.iter().map(value).collect();
    values?.into_iter().max_by_key(|code| code.preference())
}

/// Returns the value of a position that the rules decide: the game is over, or every move ends it.
pub(super) fn decided(result: Option<Outcome>, moves: &[Successor]) -> Option<Code> {
    follows(result, moves, &|_| None)
}

/// Returns the canonical image of a position, where the walk of its [`fingerprint`] begins, and its
/// key.
pub(super) fn canonical(root: &dyn Position) -> Result<(Key, Box<dyn Position>), Unsuited> {
    let (key, _) = root.canonical().ok_or(Unsuited::Keys)?;
    Ok((key, root.of_key(key).ok_or(Unsuited::Keys)?))
}

/// Returns the fingerprint of a game, whichever of its positions is solved: a work folder serves
/// all.
pub(super) fn fingerprint_of_game(root: &dyn Position) -> Result<u64, Unsuited> {
    Ok(fingerprint(canonical(&*root.start())?.1.as_ref()))
}

const STEPS: u32 = 1000;

const LONGEST: u32 = 100;

/// Returns a hash of the rules on a walk of games from a root: the keys and ranks of positions, the
/// number of their moves, the results of moves, and where moves lead. Two sets of rules with one
/// fingerprint agree on a thousand positions.
///
/// The hash so far chooses each move, so that the walk and the hash are the same in every run.
pub(super) fn fingerprint(root: &dyn Position) -> u64 {
    let mut hash = 0;
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        hash
    };
    let (mut at, mut plies) = (root.boxed(), 0);
    for _ in 0..STEPS {
        mix(at.canonical().map_or(0, |(key, _)| key.0));
        if let Some((tier, rank)) = at.rank() {
            mix(u64::from(tier.0));
            mix(rank);
        }
        let moves = at.successors();
        let mut chosen = mix(moves.len() as u64);
        for m in &moves {
            let result = m.result.map_or(3, |outcome: Outcome| (outcome.sign() + 1) as u64);
            mix(result << 1 | u64::from(m.keeps_turn));
            chosen = mix(m.canonical.map_or(0, |key| key.0));
        }
        let chosen = (chosen >> 32) % moves.len().max(1) as u64;
        let next = moves.get(chosen as usize).and_then(|m| at.of_key(m.canonical?));
        plies = if plies < LONGEST && next.is_some() { plies + 1 } else { 0 };
        at = next.filter(|_| plies > 0).unwrap_or_else(|| root.boxed());
    }
    hash
}

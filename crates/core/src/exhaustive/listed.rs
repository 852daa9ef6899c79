//! The positions that a root leads to, found tier by tier and numbered by hash sets of their keys.
//!
//! The number of a position is its slot in the hash set of visited positions, so that no other
//! index is needed: eight bytes a key and four slots for three keys, against eight bytes and 2.4
//! bits with a minimal perfect hash, which has to be built from the keys first.
//!
//! Values are found from the last tier on: [forwards](super::backwards::forwards) if all moves lead to later
//! tiers, otherwise [backwards](super::backwards).
//!
//! Only [`KeyedRules`] are compiled for each game: one indirect call a position, none a move.

use rayon::slice::ParallelSliceMut;

use super::backwards::{self, Child, PositionMoves, backwards, forwards};
use super::code::Code;
use super::error::SolveError;
use super::histories::{Histories, PlyHistories};
use super::layer::{Layer, PathCounts, ROOT};
use super::rooted::{KeyedRules, Rooted, decided};
use super::solved::ValuedKey;
use crate::control::{Control, Stopped};
use crate::game::{Game, Key, PartialValue, Symmetric, branches, check_moves};
use crate::parallel;
use crate::random::Random;

/// The most positions that lead to each other: their slots have numbers.
const MOST: u64 = backwards::MOST / 4 * 3 - 4;

/// Positions expanded before the sets are checked for growth.
const ROUND: usize = 1 << 16;

/// Elements that one thread works on at a time.
const PART: usize = 1024;

/// The place of a listed position: its tier, and its number there.
pub(super) type Place = (usize, usize);

/// The meaning of the codes of positions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    Values,
    /// Final points, if both sides play for them.
    Points,
}

/// The positions that a root leads to, up to symmetries, each with a number in its tier.
pub(super) struct Listed {
    /// True if positions that the rules [decide](KeyedRules::decided) are left out.
    leaves_out: bool,
    pub tiers: Vec<Layer>,
}

impl std::fmt::Debug for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} positions", self.len())
    }
}

/// Bytes of a position while the positions are listed: a table that grows has twice the slots of the
/// table it replaces, and up to three slots a key.
const LISTING: u64 = 40;

/// Bytes of a position while values are found, beside its moves: a key, a value, a counter and the place
/// of its list of moves, for four slots of three.
const SLOT: u64 = 20;

/// Bytes of a move that random play meets. A move takes six and a half before the moves are sorted,
/// and up to eight and a half with lists that grow; and positions have up to three tenths more
/// moves than random play meets (Neutreeko 13.5, not 10.5).
const MOVE: f64 = 10.0;

/// Positions whose moves are counted for the expected memory.
const SAMPLE: u32 = 512;

/// Estimates the bytes of memory that a position takes in an endless [`Solution`](super::Solution),
/// or in [`solve_listed`], which leaves positions out, from the number of moves in random play from
/// a root.
pub fn listed_bytes<G: Game>(game: &G, root: G::Position, leaves_out: bool) -> u64 {
    let (mut random, mut position, mut moves) = (Random::new(1), root, 0);
    for _ in 0..SAMPLE {
        let mut children = match game.result(position) {
            Some(_) => Vec::new(),
            None => branches(game, position).map(|(.., child)| child).collect(),
        };
        children.retain(|child| !leaves_out || decided(game, *child).is_none());
        moves += children.len() as u64;
        position = match children.len() as u64 {
            0 => root,
            n => children[random.below(n) as usize],
        };
    }
    LISTING.max(SLOT + (MOVE * moves as f64 / f64::from(SAMPLE)) as u64)
}

impl Listed {
    /// Creates lists of no positions.
    pub fn new(tiers: Vec<Layer>) -> Self {
        Self { leaves_out: false, tiers }
    }

    pub fn len(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.keys.len() as u64).sum()
    }

    /// Finds every position, at most `most` of them, up to the symmetries that leave the root
    /// unchanged.
    pub fn find(
        rules: &dyn KeyedRules,
        leaves_out: bool,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        let mut listed = Self { leaves_out, tiers: vec![Layer::with_room_for(0, false)] };
        control.start(0);
        let root = rules.root();
        if !leaves_out || rules.decided(root).is_none() {
            listed.tiers[0].add(root, ROOT);
        }
        listed.expand(rules, 0, most.min(MOST), control)?;
        listed.tiers[0].close();
        Ok(listed)
    }

    /// Finds every position of a game that ends within `left` plies, like [`find`](Self::find); and the
    /// histories of each ply, if every move leaves one ply less.
    pub fn find_ending(
        rules: &dyn KeyedRules,
        left: u32,
        most: u64,
        control: &Control,
    ) -> Result<(Self, Option<Histories>), SolveError> {
        let mut listed = Self::new((0..=left).map(|_| Layer::with_room_for(0, true)).collect());
        let mut histories = Some(Histories::default());
        control.start(0);
        listed.tiers[0].add(rules.root(), ROOT);
        for tier in 0..listed.tiers.len() {
            let positions = listed.tiers[tier].keys.len();
            if positions == 0 {
                continue;
            }
            if let Some(Histories { plies }) = &mut histories {
                plies.push(PlyHistories::of(rules, &listed.tiers[tier]));
            }
            // Neighbouring tiers have similar sizes, so room for as many positions is a good start.
            if let Some(next) = listed.tiers.get_mut(tier + 1).filter(|next| next.keys.len() == 0) {
                *next = Layer::with_room_for(positions, true);
            }
            listed.expand(rules, tier, most, control)?;
            listed.tiers[tier].close();
            if listed.tiers.iter().skip(tier + 2).any(|later| later.keys.len() > 0) {
                histories = None;
            }
        }
        while listed.tiers.last().is_some_and(|tier| tier.keys.len() == 0) {
            listed.tiers.pop();
        }
        Ok((listed, histories))
    }

    /// Adds the children of a tier's positions, and the positions of the tier that these lead to;
    /// at most `most` positions in all tiers.
    pub fn expand(
        &mut self,
        rules: &dyn KeyedRules,
        tier: usize,
        most: u64,
        control: &Control,
    ) -> Result<(), SolveError> {
        if !rules.loops() {
            return self.expand_forwards(rules, tier, most, control);
        }
        let mut newest = self.tiers[tier].keys();
        while !newest.is_empty() {
            let mut next = Vec::new();
            for round in newest.chunks(ROUND) {
                let work = |keys: &[Key]| {
                    self.new_children(rules, tier, keys.iter().map(|&key| (key, [0, 0])), control)
                };
                next.extend(parts(round, work)?);
                next.extend(self.tiers[tier].grow());
                self.check_number(most)?;
            }
            newest = next;
        }
        Ok(())
    }

    /// Expands a tier whose children are all in later tiers, so that it does not change itself.
    fn expand_forwards(
        &mut self,
        rules: &dyn KeyedRules,
        tier: usize,
        most: u64,
        control: &Control,
    ) -> Result<(), SolveError> {
        let slots = self.tiers[tier].keys.slots();
        for start in (0..slots).step_by(ROUND) {
            let layer = &self.tiers[tier];
            let added = parallel::map_parts(start..slots.min(start + ROUND), PART, &|slots| {
                let keys =
                    layer.keys.iter_in(slots).map(|(slot, key)| (key, layer.histories(slot)));
                self.new_children(rules, tier, keys, control).map(drop)
            });
            added.into_iter().collect::<Result<(), _>>()?;
            self.tiers[tier + 1..].iter_mut().for_each(|later| _ = later.grow());
            self.check_number(most)?;
        }
        Ok(())
    }

    fn check_number(&self, most: u64) -> Result<(), SolveError> {
        if self.len() > most { Err(SolveError::Positions(most)) } else { Ok(()) }
    }

    /// Adds the children of some positions of a tier, which come with their histories; returns the
    /// children that are new in the tier itself.
    #[inline(always)]
    fn new_children(
        &self,
        rules: &dyn KeyedRules,
        tier: usize,
        keys: impl Iterator<Item = (Key, PathCounts)>,
        control: &Control,
    ) -> Result<Vec<Key>, Stopped> {
        control.check()?;
        let (mut next, mut children, mut expanded) = (Vec::new(), Vec::new(), 0);
        for (key, [same, other]) in keys {
            expanded += 1;
            rules.children(tier, key, &self.tiers, &mut children);
            for &Child { tier: to, key, keeps_turn, .. } in &children {
                let to = to as usize;
                let is_known = self.leaves_out && self.tiers[to].keys.slot(key).is_some();
                if is_known || self.leaves_out && rules.decided(key).is_some() {
                    continue;
                }
                let histories = if keeps_turn { [same, other] } else { [other, same] };
                if self.tiers[to].add(key, histories) && to == tier {
                    next.push(key);
                }
            }
        }
        control.advance(expanded);
        Ok(next)
    }

    /// Solves all positions; returns their codes by tier and number, all of them
    /// [near](Code::check_near). As progress, this is a part of a whole with `more` units.
    pub fn solve(
        &self,
        rules: &dyn KeyedRules,
        kind: CodeKind,
        more: u64,
        control: &Control,
    ) -> Result<Vec<Vec<Code>>, SolveError> {
        control.start(self.tiers.iter().map(|tier| tier.keys.slots() as u64).sum::<u64>() + more);
        let mut codes = vec![Vec::new(); self.tiers.len()];
        for (tier, layer) in self.tiers.iter().enumerate().rev() {
            let moves_of = |n: usize, moves: &mut PositionMoves| {
                self.moves_of(rules, kind, (tier, n), &codes, moves);
            };
            codes[tier] = match rules.loops() {
                true => backwards(layer.keys.slots(), &moves_of, None, control)?,
                false => forwards(layer.keys.slots(), &moves_of, control)?,
            };
            Code::check_near(codes[tier].iter())?;
        }
        Ok(codes)
    }

    /// Lists the moves of a position, with the values of later tiers.
    #[inline(always)]
    fn moves_of(
        &self,
        rules: &dyn KeyedRules,
        kind: CodeKind,
        (tier, number): Place,
        codes: &[Vec<Code>],
        moves: &mut PositionMoves,
    ) {
        let Some(key) = self.tiers[tier].keys.key(number) else { return moves.hole() };
        let mut children = std::mem::take(&mut moves.children);
        if let Some(result) = rules.children(tier, key, &self.tiers, &mut children) {
            match kind {
                CodeKind::Values => moves.over(result),
                CodeKind::Points => moves.scores(rules.points(key)),
            }
        }
        for &Child { tier: to, key, keeps_turn, .. } in &children {
            let to = to as usize;
            match self.tiers[to].keys.slot(key) {
                Some(number) if to == tier => moves.to(number as u32, keeps_turn),
                Some(number) if kind == CodeKind::Points => {
                    let points = codes[to][number].points();
                    moves.scores(if keeps_turn { points } else { -points });
                }
                Some(number) => moves.known(codes[to][number], keeps_turn),
                None => {
                    let value = rules.decided(key).expect("no other position is left out");
                    moves.known(value, keeps_turn);
                }
            }
        }
        moves.children = children;
    }

    /// Returns the number of the position of a key in a tier; `None` if the root does not lead to it.
    #[inline]
    pub fn place(&self, (tier, key): (usize, Key)) -> Option<Place> {
        Some((tier, self.tiers.get(tier)?.keys.slot(key)?))
    }
}

/// Solves all positions that a root leads to, up to symmetry, at most `most` of them, and calls
/// `see` with their values by ascending key, in parts; `see` counts them as progress. Leaves out
/// positions that the rules decide: the game is over, or every move ends it. Returns the value of
/// the root.
pub fn solve_listed<G: Symmetric<Key = Key>>(
    game: G,
    root: G::Position,
    most: u64,
    control: &Control,
    see: &mut dyn FnMut(&[ValuedKey]),
) -> Result<PartialValue, SolveError> {
    check_moves(&game)?;
    solve(&Rooted::up_to_symmetry(game, root), most, control, see)
}

fn solve(
    rules: &dyn KeyedRules,
    most: u64,
    control: &Control,
    see: &mut dyn FnMut(&[ValuedKey]),
) -> Result<PartialValue, SolveError> {
    /// Positions in a part.
    const PART_LEN: usize = 1 << 16;
    let listed = Listed::find(rules, true, most, control)?;
    // The positions are counted once more as progress when `see` takes their values.
    let codes = listed.solve(rules, CodeKind::Values, listed.len(), control)?;
    let value_of = |code: Code| code.value().expect("every number is of a position");
    let mut keys = listed.tiers[0].keys();
    keys.par_sort_unstable();
    for part in keys.chunks(PART_LEN) {
        let slot = |key| listed.tiers[0].keys.slot(key).expect("the key is from the set");
        let values: Vec<_> = part.iter().map(|&key| (key, value_of(codes[0][slot(key)]))).collect();
        see(&values);
    }
    let solved = listed.place((0, rules.root())).map(|(tier, number)| codes[tier][number]);
    let value = solved.or_else(|| rules.decided(rules.root()));
    Ok(value_of(value.expect("the root is listed, or decided")))
}

/// Calls `work` on the parts of a list; returns the results, concatenated in order.
pub(super) fn parts<T: Sync, U: Copy + Send>(
    list: &[T],
    work: impl Fn(&[T]) -> Result<Vec<U>, Stopped> + Sync,
) -> Result<Vec<U>, Stopped> {
    let part = |i: usize| work(&list[i * PART..list.len().min((i + 1) * PART)]);
    let parts = parallel::map(list.len().div_ceil(PART), &part);
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

//! The laws every game obeys, as tests over random play: for the games of this crate and for
//! yours.
//!
//! ```
//! # use everyply_core as everyply;
//! use everyply::game::laws;
//! use everyply::games::Nim;
//! let nim = Nim::new(&[3, 5, 7], false).unwrap();
//! laws::game(&nim);
//! laws::symmetric(&nim);
//! laws::tiered(&nim);
//! ```
//!
//! Each function checks the laws of one trait and panics at the first broken one, with a message
//! that has the position as a picture and as `Debug` text. Play is random with a fixed seed: the
//! positions are the same every time.

use super::{
    Continuations, Evaluate, Game, Keyed, MoveSet, Notation, Outcome, Perft, Ranked, Symmetric,
    Symmetry, TierId, Tiered, Urgent, branches,
};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Random games played for a check.
const GAMES: u32 = 60;

/// Plies after which a random game is abandoned.
const PLIES: u32 = 200;

/// A position as messages about broken laws show it.
struct At<'a, G: Game>(&'a G, G::Position);

impl<G: Notation> std::fmt::Display for At<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({:?})", self.0.picture(self.1), self.1)
    }
}

/// Plays random games and calls `see` with every position.
pub fn random_positions<G: Game>(game: &G, games: u32, mut see: impl FnMut(G::Position)) {
    let mut random = Random::new(1);
    for _ in 0..games {
        let mut position = game.initial();
        see(position);
        for _ in 0..PLIES {
            if game.result(position).is_some() {
                break;
            }
            let moves: Vec<G::Move> = game.moves(position).into_iter().collect();
            assert!(!moves.is_empty(), "a position without a result has a move: {position:?}");
            position = game.play(position, moves[random.below(moves.len() as u32) as usize]);
            see(position);
        }
    }
}

/// Checks the laws of [`Game`].
pub fn game<G: Notation>(game: &G) {
    plies_between(game);
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        if game.result(p).is_some() {
            return;
        }
        let moves: Vec<G::Move> = game.moves(p).into_iter().collect();
        assert!(moves.is_sorted_by(|a, b| a < b), "moves are ascending: {moves:?} of {at}");
        let (most, len) = (game.most_moves(), moves.len());
        assert!(len <= most as usize, "at most most_moves() moves: {len} of {at}");
        let mut by_bit = [None; MoveSet::ROOM as usize];
        let children: Vec<_> = branches(game, p).collect();
        for &(bit, m, keeps_turn, next) in &children {
            assert_eq!(
                (next, keeps_turn),
                (game.play(p, m), game.keeps_turn(p, m)),
                "a step is a move and whether it keeps the turn: {m:?} of {at}"
            );
            if most <= MoveSet::ROOM {
                assert!(bit < MoveSet::ROOM, "bits of moves are below 128: {m:?} of {at}");
                let other = by_bit[bit as usize].replace(m);
                assert_eq!(other, None, "no two moves have one bit: {m:?} of {at}");
            }
            for &(_, other, keeps, there) in &children {
                assert!(
                    there != next || keeps == keeps_turn,
                    "who moves next follows from the position: {m:?} and {other:?} of {at}"
                );
            }
        }
        if most <= MoveSet::ROOM {
            for (bit, m) in (0..).zip(by_bit) {
                assert_eq!(game.move_of_bit(p, bit), m, "the move of bit {bit} in {at}");
            }
        }
    });
}

/// Checks that [`Game::plies_between`] is a lower bound on the plies played between two positions.
fn plies_between<G: Notation>(game: &G) {
    let mut played: Vec<G::Position> = Vec::new();
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        if p == game.initial() {
            played.clear();
        }
        played.push(p);
        for (plies, before) in (0u32..).zip(played.iter().rev()) {
            let least = game.plies_between(*before, p);
            assert!(
                least.is_some_and(|least| least <= plies),
                "plies_between is at most {plies}, not {least:?}: {} to {at}",
                At(game, *before)
            );
        }
    });
}

/// Checks the laws of [`Keyed`].
pub fn keyed<G: Keyed + Notation>(game: &G) {
    let mut seen: HashMap<G::Key, G::Position> = HashMap::new();
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        let key = game.key(p);
        assert_eq!(game.position_of(key), Some(p), "a key leads back to its position: {at}");
        let other = *seen.entry(key).or_insert(p);
        assert!(other == p, "equal keys mean equal positions: {} and {at}", At(game, other));
    });
}

/// Checks the laws of [`Symmetric`], and of [`Keyed`] with them.
pub fn symmetric<G: Symmetric + Notation>(game: &G) {
    keyed(game);
    let mut seen = 0;
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        seen += 1;
        let key = game.key(p);
        assert_eq!(
            game.image_key(p, Symmetry::IDENTITY),
            key,
            "the identity changes nothing: {at}"
        );
        let canonical = game.canonical(p).0;
        let images: Vec<G::Key> =
            (0..game.symmetries()).map(|s| game.image_key(p, Symmetry(s))).collect();
        for (s, &there) in images.iter().enumerate() {
            let symmetry = Symmetry(s as u8);
            let image = game.position_of(there).expect("an image is a position");
            assert_eq!(
                game.canonical(image).0,
                canonical,
                "images share their canonical key: {at}"
            );
            assert_eq!(game.result(image), game.result(p), "images have one result: {at}");
            let back = (0..game.symmetries()).any(|s| game.image_key(image, Symmetry(s)) == key);
            assert!(back, "every symmetry has an inverse: {symmetry:?} of {at}");
            if game.result(p).is_some() {
                continue;
            }
            let mut moves: Vec<G::Move> =
                game.moves(p).into_iter().map(|m| game.image_move(m, symmetry)).collect();
            moves.sort_unstable();
            let theirs: Vec<G::Move> = game.moves(image).into_iter().collect();
            assert_eq!(moves, theirs, "images of moves are the moves of the image: {at}");
            for (_, m, keeps_turn, next) in branches(game, p) {
                let (there, keeps) = game.step(image, game.image_move(m, symmetry));
                assert_eq!(
                    game.key(there),
                    game.image_key(next, symmetry),
                    "a move's image leads to the image of its result: {m:?} of {at}"
                );
                assert_eq!(keeps, keeps_turn, "images keep the turn alike: {m:?} of {at}");
            }
            // One symmetry for each position, because a check takes the cube of the number of moves.
            if game.most_moves() <= MoveSet::ROOM && seen % images.len() == s {
                sets_of_moves(game, p, symmetry);
                for (bit, m, ..) in branches(game, p) {
                    let image_move = game.image_move(m, symmetry);
                    let there = branches(game, image).find(|(_, m, ..)| *m == image_move);
                    let (there, ..) = there.expect("images of moves are the moves of the image");
                    assert_eq!(
                        game.image_label(p, (bit, m), symmetry),
                        game.image_label(image, (there, image_move), Symmetry::IDENTITY),
                        "a move and its image have one label: {m:?} of {at}"
                    );
                }
            }
        }
    });
}

/// Checks that `image_moves` maps a set of moves one by one, and that `moves_of_image` inverts it.
fn sets_of_moves<G: Symmetric + Notation>(game: &G, p: G::Position, symmetry: Symmetry) {
    let at = At(game, p);
    let all = MoveSet(branches(game, p).fold(0, |set, (bit, ..)| set | 1 << bit));
    let images = game.image_moves(p, all, symmetry);
    assert_eq!(images.len(), all.len(), "images of moves are moves: {at}");
    let together = branches(game, p).fold(0, |set, (bit, ..)| {
        let one = game.image_moves(p, MoveSet(1 << bit), symmetry);
        assert!(one.len() == 1 && set & one.0 == 0, "moves have images apart: {at}");
        set | one.0
    });
    assert_eq!(together, images.0, "the image of a set is that of its moves: {at}");
    for part in [u128::MAX / 3, u128::MAX / 5, u128::MAX / 0x101] {
        let part = MoveSet(all.0 & part);
        let image = game.image_moves(p, part, symmetry);
        let back = game.moves_of_image(p, image, symmetry);
        assert_eq!(back, part, "what image_moves does is undone: {symmetry:?} of {at}");
    }
}

/// Checks the laws of [`Tiered`].
pub fn tiered<G: Tiered + Notation>(game: &G) {
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        if let Some(result) = game.result(p) {
            let points = game.points(p).map(|points| i64::from(points.signum()));
            assert_eq!(points.is_some(), G::COUNTS_POINTS, "{at} is over");
            let sign = points.is_none_or(|sign| Outcome::from_sign(sign) == Some(result));
            assert!(sign, "more points win: {result:?} of {at}");
            return;
        }
        let left = game.plies_left(p);
        for m in game.moves(p) {
            let after = game.plies_left(game.play(p, m));
            assert!(after < left, "a move lowers plies_left: {m:?} of {at}, {left} to {after}");
            if game.last_move_wins() {
                assert!(!game.keeps_turn(p, m), "sides alternate: {m:?} of {at}");
                let result = game.result(game.play(p, m));
                assert_ne!(result, Some(Outcome::Win), "no move loses the game: {m:?} of {at}");
            }
        }
    });
}

/// Checks the laws of [`Ranked`]: on every rank of small tiers, on a sample of the ranks of larger
/// ones, and in random play.
///
/// Returns the number of positions of each small tier by name: all images of the positions of its
/// ranks. A test of the game compares it with a count of its own, to find positions without a rank.
pub fn ranked<G: Ranked + Symmetric + Notation>(game: &G) -> BTreeMap<String, u64> {
    /// The most ranks of a tier that are checked.
    const RANKS: u64 = 3_000;
    let tiers = game.tiers();
    let names: HashSet<&str> = tiers.iter().map(|tier| tier.name.as_str()).collect();
    assert_eq!(names.len(), tiers.len(), "tiers have names of their own");
    let mut counts = BTreeMap::new();
    for (id, tier) in (0..).map(TierId).zip(&tiers) {
        assert!(tier.leads_to.iter().all(|to| *to < id), "tiers come in order: {tier:?}");
        let step = tier.ranks.div_ceil(RANKS).max(1);
        let (mut seen, mut positions) = (HashSet::new(), 0);
        let mut into = BTreeMap::<u64, BTreeSet<(u64, bool)>>::new();
        for rank in (0..tier.ranks).step_by(step as usize) {
            let Some(p) = game.unrank(id, rank) else { continue };
            let at = At(game, p);
            assert_eq!(game.rank(p), Some((id, rank)), "a rank leads back to itself: {at}");
            assert!(seen.insert(game.canonical(p).0), "images share a rank: {at}");
            positions += super::images(game, p).len() as u64;
            if game.result(p).is_some() {
                continue;
            }
            let mut moves = 0;
            for (_, _, keeps_turn, next) in branches(game, p) {
                let (to, below) = game.rank(next).expect("a move leads to a rank");
                let is_there = if to == id { tier.loops } else { tier.leads_to.contains(&to) };
                assert!(is_there, "moves lead where the tier says: {at} to {}", At(game, next));
                moves += 1;
                if to == id {
                    into.entry(below).or_default().insert((rank, keeps_turn));
                }
            }
            assert!(moves > 0, "a position without a result has a move: {at}");
        }
        if step == 1 {
            counts.insert(tier.name.clone(), positions);
            for rank in 0..tier.ranks {
                let Some(p) = game.unrank(id, rank) else { continue };
                let at = At(game, p);
                let mut before = BTreeSet::new();
                let mut see = |p, keeps_turn| {
                    let (from, rank) = game.rank(p).expect("a predecessor has a rank");
                    assert_eq!(from, id, "predecessors are of the same tier: {at}");
                    before.insert((rank, keeps_turn));
                };
                if game.predecessors(p, &mut see) {
                    let known = into.remove(&rank).unwrap_or_default();
                    assert_eq!(before, known, "predecessors invert the moves: {at}");
                }
            }
        }
    }
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        let (tier, rank) = game.rank(p).expect("play reaches positions with a rank");
        let other = game.unrank(tier, rank).expect("it is no hole");
        assert!(!game.is_exchanged(other), "a rank stands for a position: {}", At(game, other));
        let exchanged = game.exchanged(other);
        if let Some(exchanged) = exchanged {
            assert_eq!(game.rank(exchanged), Some((tier, rank)), "an exchange keeps the rank");
            assert!(game.is_exchanged(exchanged), "an exchange is one: {}", At(game, exchanged));
        }
        if game.lead(p).is_some() {
            let left = |p| {
                game.result(p)?;
                Some(game.points(p)? - game.lead(p)?)
            };
            assert_eq!(left(other), left(p), "positions of a rank have the same points left: {at}");
        } else {
            let like = if game.is_exchanged(p) { exchanged.expect("the exchange") } else { other };
            assert_eq!(game.canonical(like).0, game.canonical(p).0, "images share a rank: {at}");
            assert_eq!(
                game.result(other),
                game.result(p),
                "positions of a rank are worth the same"
            );
        }
        for symmetry in (0..game.symmetries()).map(Symmetry) {
            let image = game.position_of(game.image_key(p, symmetry)).expect("a position");
            assert_eq!(game.rank(image), Some((tier, rank)), "images share a rank: {at}");
        }
    });
    counts
}

/// Checks the laws of [`Perft`].
pub fn perft<G: Perft + Notation>(game: &G) {
    let played = |p: G::Position| {
        let at = At(game, p);
        let mut counted = Continuations::default();
        let mut quiet = Vec::new();
        for (_, m, keeps_turn, next) in branches(game, p) {
            assert!(!keeps_turn, "sides alternate: {m:?} of {at}");
            counted.nodes += 1;
            match game.result(next) {
                Some(Outcome::Loss) => counted.wins += 1,
                Some(Outcome::Draw) => counted.draws += 1,
                Some(Outcome::Win) => panic!("no move loses the game: {m:?} of {at}"),
                None => quiet.push((m, next)),
            }
        }
        (counted, quiet)
    };
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        if game.result(p).is_some() {
            return;
        }
        let shared = game.shared(p);
        let (first, quiet) = played(p);
        assert_eq!(game.continuations(p, shared), first, "continuations of {at}");
        let moves: Vec<G::Move> = game.quiet_moves(p, shared).into_iter().collect();
        assert!(
            moves.iter().eq(quiet.iter().map(|(m, _)| m)),
            "moves of {at} that do not end the game"
        );
        let mut second = Continuations::default();
        for (m, next) in quiet {
            let (below, shared) = (game.shared_below(p), game.shared(next));
            let counted = game.continuations(next, below);
            assert_eq!(counted, game.continuations(next, shared), "what {m:?} of {at} shares");
            second += played(next).0;
        }
        assert_eq!(game.two_plies(p, shared), [first, second], "two plies below {at}");
    });
}

/// Checks the laws of [`Evaluate`].
pub fn evaluate<G: Evaluate + Notation>(game: &G) {
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        if game.result(p).is_none() {
            let points = game.evaluate(p);
            assert!(points.abs() <= 100_000, "at most 100,000 points: {points} for {at}");
        }
    });
}

/// Checks [`Evaluate::urgent`] and [`Evaluate::possible`].
pub fn urgent<G: Evaluate + Tiered + Notation>(game: &G) {
    let wins_at_once = |p| {
        branches(game, p).any(|(.., keeps_turn, next)| {
            game.result(next) == Some(if keeps_turn { Outcome::Win } else { Outcome::Loss })
        })
    };
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        let [worst, best] = game.possible(p);
        if let Some(result) = game.result(p) {
            assert!((worst..=best).contains(&result), "{result} is possible: {at}");
            return;
        }
        let urgent = game.urgent(p);
        let left = match urgent {
            Urgent::Unknown => return,
            Urgent::Win => return assert!(wins_at_once(p), "a move wins at once: {at}"),
            Urgent::Loss => MoveSet::EMPTY,
            Urgent::Only(moves) => moves,
        };
        assert!(!wins_at_once(p), "no move wins at once: {at}");
        let mut is_any_left = false;
        for (bit, m, keeps_turn, next) in branches(game, p) {
            is_any_left |= left.has(bit);
            assert!(!keeps_turn, "sides alternate: {m:?} of {at}");
            match game.result(next) {
                Some(result) => {
                    let is_full = game.plies_left(next) == 0 && result == Outcome::Draw;
                    assert!(is_full, "only draws end it, where no plies are left: {m:?} of {at}");
                }
                None => {
                    let is_lost = wins_at_once(next);
                    assert!(left.has(bit) || is_lost, "{m:?} does not lose at once: {at}");
                }
            }
        }
        assert_eq!(is_any_left, urgent != Urgent::Loss, "moves are left: {at}");
    });
}

/// Checks the laws of [`Notation`].
pub fn notation<G: Notation + Keyed>(game: &G) {
    let first = game.to_move(game.initial());
    assert!(first.is_none_or(|side| side == 'X'), "X moves first: {first:?}");
    assert!(game.parameters().iter().all(|&n| n > 0), "parameters are 1 to 255");
    random_positions(game, GAMES, |p| {
        let at = At(game, p);
        let picture = game.picture(p);
        assert!(!picture.is_empty() && !picture.contains('\n'), "a picture is one line: {picture}");
        let read = game.of_picture(&picture);
        assert!(read.is_none_or(|read| read == p), "a picture is read as it is written: {picture}");
        if game.result(p).is_some() {
            return;
        }
        if let Some(side) = game.to_move(p) {
            for m in game.moves(p) {
                let stays = game.to_move(game.play(p, m)) == Some(side);
                assert_eq!(stays, game.keeps_turn(p, m), "who is to move after a move of {at}");
            }
        }
        let mut texts = HashSet::new();
        for m in game.moves(p) {
            let text = game.write_move(m);
            let plain = !text.is_empty() && !text.contains([',', ' ', '\n']);
            assert!(plain, "a move is one word: '{text}' of {at}");
            assert!(texts.insert(text), "moves have texts of their own: {at}");
        }
        // The first ply suffices to check that written moves can be read.
        if game.key(p) == game.key(game.initial()) {
            for m in game.moves(p) {
                let read = super::parse_moves(game, p, &game.write_move(m));
                assert_eq!(read, Ok(game.play(p, m)), "what is written can be read");
            }
        }
    });
}

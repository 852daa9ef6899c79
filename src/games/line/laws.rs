//! The laws every game obeys, as tests over random games.

use super::notation::{parse_moves, parse_picture, picture, some_moves_to, write_moves};
use super::{IllegalMove, LineGame, Stones, Word};
use crate::game::{Continuations, Key, Move, MoveSet, Outcome, Symmetry};

/// A small generator with a fixed seed: the tests see the same positions every time.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// Plays random games and hands every position on the way to `see`.
pub fn random_positions<W: Word, G: LineGame<W>>(
    game: G,
    games: u32,
    mut see: impl FnMut(Stones<W>),
) {
    let mut random = Random::new(1);
    for _ in 0..games {
        let mut position = game.initial();
        see(position);
        while game.result(position).is_none() {
            let moves: Vec<_> = game.moves(position).into_iter().collect();
            position = game.play(position, moves[random.below(moves.len() as u32) as usize]);
            see(position);
        }
    }
}

/// Checks every law on random positions.
pub fn check<W: Word, G: LineGame<W>>(game: G) {
    let mut seen = 0u32;
    random_positions(game, 60, |p| {
        seen += 1;
        moves_follow_the_rules(game, p);
        continuations_are_what_play_leads_to(game, p);
        keys_are_injective_names(game, p);
        symmetries_keep_the_rules(game, p);
        notation_leads_back(game, p);
    });
    assert!(seen > 60);
    assert_eq!(game.position_of(Key(!W::ZERO)), None);
}

/// Checks that two forms of one board are the same game, be they in different words.
pub fn check_same<V: Word, W: Word, A: LineGame<V>, B: LineGame<W>>(a: A, b: B) {
    let same = |cells: V| W::narrow(cells.to_u128());
    let positions = |p: Stones<V>| Stones { own: same(p.own), other: same(p.other) };
    random_positions(a, 200, |p| {
        let q = positions(p);
        assert_eq!(a.moves(p), b.moves(q));
        assert_eq!(a.winning_moves(p), b.winning_moves(q));
        assert_eq!(a.result(p), b.result(q));
        assert_eq!(a.last_moves(p), b.last_moves(q));
        let (key, symmetry) = a.canonical(p);
        assert_eq!((Key(same(key.0)), symmetry), b.canonical(q));
        assert_eq!(picture(&a, p), picture(&b, q));
        if a.result(p).is_none() {
            let completing = a.completing_cells(p.own);
            assert_eq!(same(completing), b.completing_cells(q.own));
            assert_eq!(a.two_plies(p, completing), b.two_plies(q, same(completing)));
            for m in a.moves(p) {
                assert_eq!(positions(a.play(p, m)), b.play(q, m));
            }
        }
    });
    assert_eq!(a.centre_first(), b.centre_first());
    assert_eq!(a.symmetries(), b.symmetries());
}

fn moves_follow_the_rules<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    assert_eq!(game.moves(p).is_empty(), game.plies_left(p) == 0);
    assert!(game.moves(p).into_iter().is_sorted_by(|a, b| a < b));
    let over = game.result(p).is_some();
    let mut winning = MoveSet::EMPTY;
    for m in game.moves(p) {
        let next = game.play(p, m);
        assert_eq!(next.ply().0, p.ply().0 + 1);
        assert_eq!(next.own, p.other);
        assert!(game.last_moves(next).contains(m));
        assert_eq!(game.take_back(next, m), p);
        assert_eq!(next.other & p.own, p.own);
        assert_eq!(game.try_play(p, m).ok(), (!over).then_some(next));
        if game.result(next) == Some(Outcome::Loss) {
            winning = winning.with(m);
        }
    }
    if !over {
        assert_eq!(game.winning_moves(p), winning);
    }
    illegal_moves_are_refused(&game, p);
    let mut order = game.centre_first().to_vec();
    order.sort();
    assert!(game.moves(p).into_iter().all(|m| order.contains(&m)));
    order.dedup();
    assert_eq!(order.len(), game.centre_first().len());
}

/// Whatever move is tried, its result is that of a move of the position or an error that says why.
fn illegal_moves_are_refused<W: Word, G: LineGame<W>>(game: &G, p: Stones<W>) {
    let most = game.centre_first().len() as u32;
    for tried in (0..=u8::MAX).map(Move) {
        match game.try_play(p, tried) {
            Ok(next) => assert_eq!(game.take_back(next, tried), p),
            Err(IllegalMove::NotOnBoard { tried: named, .. }) => {
                assert!(named == tried && tried.number() > most);
            }
            Err(IllegalMove::AlreadyOver { tried: named, winner }) => {
                assert!(named == tried && game.result(p).is_some());
                let (first, second) = p.by_player();
                let lines = [first, second].map(|stones| game.lines().is_complete(stones));
                assert_eq!([Some('X'), Some('O')].map(|side| side == winner), lines);
            }
            Err(IllegalMove::NotPlayable { tried: named, .. }) => {
                assert!(named == tried && game.result(p).is_none());
                assert!(tried.number() <= most && !game.moves(p).contains(tried));
            }
        }
    }
}

fn continuations_are_what_play_leads_to<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    if game.result(p).is_some() {
        return;
    }
    let mut plies = [Continuations::default(); 2];
    let mut see = |ply: usize, outcome: Option<Outcome>| {
        plies[ply].nodes += 1;
        plies[ply].wins += u64::from(outcome == Some(Outcome::Loss));
        plies[ply].draws += u64::from(outcome == Some(Outcome::Draw));
    };
    for m in game.moves(p) {
        let child = game.play(p, m);
        see(0, game.result(child));
        if game.result(child).is_none() {
            for n in game.moves(child) {
                see(1, game.result(game.play(child, n)));
            }
        }
    }
    assert_eq!(game.two_plies(p, game.completing_cells(p.own)), plies);
    assert_eq!(game.continuations(p, game.completing_cells(p.own)), plies[0]);
}

fn keys_are_injective_names<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    let key = game.key(p);
    assert_eq!(game.position_of(key), Some(p));
    assert!(game.key_bits() == W::BITS || key.0 >> game.key_bits() == W::ZERO);
    assert_eq!(game.image_key(p, Symmetry::IDENTITY), key);
}

fn symmetries_keep_the_rules<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    let canonical = game.canonical(p).0;
    assert_eq!(game.image_key(p, game.canonical(p).1), canonical);
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let image = game.position_of(game.image_key(p, symmetry)).unwrap();
        assert_eq!(game.canonical(image).0, canonical);
        assert_eq!(game.result(image), game.result(p));
        assert_eq!(game.image_key(image, game.inverse(symmetry)), game.key(p));
        assert_eq!(game.moves(image), game.image_moves(p, game.moves(p), symmetry));
        for m in game.moves(p) {
            let there = game.image_move(m, symmetry);
            assert_eq!(game.image_move(there, game.inverse(symmetry)), m);
            let next = game.play(p, m);
            assert_eq!(game.key(game.play(image, there)), game.image_key(next, symmetry));
        }
    }
}

fn notation_leads_back<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    assert_eq!(parse_picture(&game, &picture(&game, p)), Ok(p));
    let moves = some_moves_to(&game, p).unwrap();
    assert_eq!(parse_moves(&game, &write_moves(&game, &moves)), Ok(p));
}

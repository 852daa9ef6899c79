//! The laws of games of stones and lines, as tests over random games: those of the contract, and
//! their own.

use super::notation::{parse_moves, parse_picture, picture, some_moves_to, write_moves};
use super::{LineGame, Stones, Word};
use crate::game::laws::{self, random_positions};
use crate::game::{Key, Move, MoveSet, Notation, Outcome, Symmetry};

pub fn check<W: Word, G: LineGame<W> + Notation>(game: G) {
    laws::game(&game);
    laws::symmetric(&game);
    laws::tiered(&game);
    laws::evaluate(&game);
    laws::perft(&game);
    random_positions(&game, 60, |p| {
        moves_follow_the_rules(game, p);
        let bits = game.key_bits();
        assert!(bits == W::BITS || game.key(p).0 >> bits == W::ZERO);
        inverses_undo_symmetries(game, p);
        notation_leads_back(game, p);
    });
    assert_eq!(game.position_of(Key(!W::ZERO)), None);
}

/// Checks that two forms of one board are the same game, be they in different words.
pub fn check_same<V: Word, W: Word, A: LineGame<V> + Notation, B: LineGame<W>>(a: A, b: B) {
    let same = |cells: V| W::narrow(cells.to_u128());
    let positions = |p: Stones<V>| Stones { own: same(p.own), other: same(p.other) };
    random_positions(&a, 200, |p| {
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
        if game.result(next) == Some(Outcome::Loss) {
            winning = winning.with(m);
        }
    }
    if !over {
        assert_eq!(game.winning_moves(p), winning);
    }
    for tried in (0..=u8::MAX).map(Move) {
        let is_legal = !over && game.moves(p).into_iter().any(|m| m == tried);
        assert_eq!(game.try_play(p, tried).ok(), is_legal.then(|| game.play(p, tried)));
    }
    let mut order = game.centre_first().to_vec();
    order.sort();
    assert!(game.moves(p).into_iter().all(|m| order.contains(&m)));
    order.dedup();
    assert_eq!(order.len(), game.centre_first().len());
}

fn inverses_undo_symmetries<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let image = game.position_of(game.image_key(p, symmetry)).unwrap();
        assert_eq!(game.image_key(image, game.inverse(symmetry)), game.key(p));
        assert_eq!(game.moves(image), game.image_moves(p, game.moves(p), symmetry));
        for m in game.moves(p) {
            let there = game.image_move(m, symmetry);
            assert_eq!(game.image_move(there, game.inverse(symmetry)), m);
        }
    }
}

fn notation_leads_back<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    let moves = some_moves_to(&game, p).unwrap();
    assert_eq!(parse_picture(&game, &picture(&game, p)), Ok((p, moves.clone())));
    assert_eq!(parse_moves(&game, &write_moves(&game, &moves)), Ok(p));
}

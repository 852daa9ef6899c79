//! Tests of games and engines together: the laws over every game, values against programs that share
//! nothing with this crate, and engines against each other.

mod brute_force;
mod engines;
mod laws;
pub mod lines;
mod stack;
mod values;

use crate::control::Control;
use crate::exhaustive::{Solution, SolvedTiers};
use crate::game::{
    Chosen, Game, GameKey, Key, Outcome, Ranked, Registered, Shown, Symmetric, Tiered, Unreadable,
    laws as game_laws,
};

/// Chooses a game by a size, numbers and rules, as `4x3 line=3 misere`.
fn choose<R: Registered>(words: &str) -> Result<R::Game, Unreadable> {
    let mut chosen = Chosen::default();
    for word in words.split_whitespace() {
        if let Some((name, number)) = word.split_once('=') {
            chosen.numbers.push((name.to_owned(), number.parse().unwrap()));
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            let (width, height) = word.split_once('x').unwrap();
            chosen.size = Some((width.parse().unwrap(), height.parse().unwrap()));
        } else {
            chosen.rules.push(word.to_owned());
        }
    }
    R::choose(&chosen)
}

fn chosen<R: Registered>(words: &str) -> R::Game {
    choose::<R>(words).unwrap_or_else(|error| panic!("{words}: {error}"))
}

/// Checks the laws of any game.
fn every_law<G: Shown>(game: &G) {
    game_laws::random_positions(game, 60, |position| {
        let (bits, key) = (game.key_bits(), game.key(position).widest());
        assert!(key.checked_shr(bits).is_none_or(|more| more == 0), "{bits} bits hold every key");
    });
    game_laws::game(game);
    game_laws::symmetric(game);
    game_laws::evaluate(game);
    game_laws::notation(game);
}

/// The results of the same work on one, two and eight threads.
pub fn with_threads<T: Send>(work: impl Fn() -> T + Sync) -> [T; 3] {
    [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&work)
    })
}

fn graph<G: Symmetric<Key = Key> + Tiered>(game: &G) -> Solution {
    Solution::within(game.clone(), game.initial(), u64::MAX, &Control::default()).unwrap()
}

fn retrograde<G: Symmetric<Key = Key>>(game: &G) -> Solution {
    Solution::endless(game.clone(), game.initial(), u64::MAX, &Control::default()).unwrap()
}

fn ranked<G: Ranked + Symmetric<Key = Key>>(game: &G) -> Solution {
    Solution::ranked(game.clone(), game.initial(), u64::MAX, &Control::default()).unwrap()
}

fn tiers<G: Ranked>(game: &G) -> SolvedTiers<G> {
    SolvedTiers::solve(game.clone(), game.initial(), u64::MAX, &Control::default()).unwrap()
}

/// True if the game is over, or every move ends it.
fn is_decided<G: Game>(game: &G, position: G::Position) -> bool {
    let ends = |m| game.result(game.play(position, m)).is_some();
    game.result(position).is_some() || game.moves(position).into_iter().all(ends)
}

/// The points of the start, which agree with the outcomes of every position.
fn points<G: Shown<Key = Key> + Tiered>(game: &G) -> i32 {
    let solution = graph(game);
    solution.canonical(&mut |part| {
        for solved in part {
            let position = game.position_of(solved.key).unwrap();
            let points = solution.points_of(solved.key).unwrap();
            let outcome = Outcome::from_sign(points.signum().into());
            assert_eq!(outcome, Some(solved.value.outcome), "{}", game.picture(position));
        }
    });
    solution.points_of(game.key(game.initial())).unwrap()
}

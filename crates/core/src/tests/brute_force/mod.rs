//! The values of games by a search that shares nothing with the engines and the rules of this
//! crate: positions are text, and values spread from the ends of play, level by level.

mod awari;
mod dobutsu;
mod dots;
pub mod falling;
mod gobblet;
mod kalah;
mod marks;
mod othello;
mod pawns;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::{chosen, every_law, graph, points, ranked, retrograde, tiers, with_threads};
use crate::control::Control;
use crate::exhaustive::Solution;
use crate::game::{
    Game, Key, Outcome, PartialValue, Ranked, Shown, Symmetric, TierId, Tiered, branches, images,
    laws,
};
use crate::games::{
    Awari, Breakthrough, CylinderFour, Dobutsu, Dots, Gobblet, Hexapawn, Kalah, Misere, MisereFour,
    Notakto, Othello, PopOut, Wild,
};

/// A position as text, the side to move included.
type Text = Vec<u8>;

/// An outcome, and its plies unless it is a draw.
type TextValue = (Outcome, Option<u8>);

/// The rules of a game on text.
trait TextRules {
    /// The result for the side to move, if the game is over.
    fn over(&self, position: &[u8]) -> Option<Outcome>;

    /// The positions that moves lead to, each after a flag: true if the same side moves again.
    fn moves(&self, position: &[u8]) -> Vec<(bool, Text)>;
}

/// Solves every position that a first one leads to: its value, and the number of positions by value.
fn solved(rules: &impl TextRules, first: Text) -> (TextValue, HashMap<TextValue, u64>) {
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let (mut waiting, mut below) = (vec![first], Vec::new());
    let mut values: Vec<Option<(Outcome, u8)>> = Vec::new();
    while let Some(position) = waiting.get(below.len()).cloned() {
        let over = rules.over(&position);
        values.push(over.map(|result| (result, 0)));
        let moves = if over.is_some() { Vec::new() } else { rules.moves(&position) };
        let children = moves.into_iter().map(|(keeps, to)| {
            let next = numbers.len();
            let number = *numbers.entry(to.clone()).or_insert(next);
            if number == next {
                waiting.push(to);
            }
            (keeps, number)
        });
        below.push(children.collect::<Vec<_>>());
    }
    for plies in 1..=u8::MAX {
        let before = values.clone();
        for (value, children) in values.iter_mut().zip(&below).filter(|(value, _)| value.is_none())
        {
            let of = |&(keeps, child): &(bool, usize)| {
                let (outcome, _) = before[child]?;
                Some(if keeps { outcome } else { -outcome })
            };
            let wins = children.iter().any(|child| of(child) == Some(Outcome::Win));
            let loses = children.iter().all(|child| of(child) == Some(Outcome::Loss));
            if wins || loses {
                *value = Some((if wins { Outcome::Win } else { Outcome::Loss }, plies));
            }
        }
        if before == values {
            break;
        }
    }
    let text_value = |value: &Option<(Outcome, u8)>| match value {
        Some((outcome, plies)) if *outcome != Outcome::Draw => (*outcome, Some(*plies)),
        _ => (Outcome::Draw, None),
    };
    (text_value(&values[0]), counted(values.iter().map(|value| (text_value(value), 1))))
}

fn counted<K: Hash + Eq>(values: impl Iterator<Item = (K, u64)>) -> HashMap<K, u64> {
    let mut counts = HashMap::new();
    for (value, count) in values.filter(|(_, count)| *count > 0) {
        *counts.entry(value).or_insert(0) += count;
    }
    counts
}

/// The value and the counts of a solution, in which a canonical position stands for `count` positions.
fn by_value<G: Symmetric<Key = Key>>(
    game: &G,
    solution: &Solution,
    mut count: impl FnMut(G::Position) -> u64,
) -> (TextValue, HashMap<TextValue, u64>) {
    let text_value = |value: PartialValue| {
        let plies = value.remoteness.filter(|_| value.outcome != Outcome::Draw);
        (value.outcome, plies.map(|plies| plies.0))
    };
    let mut values = Vec::new();
    solution.canonical(&mut |part| {
        for solved in part {
            values.push((text_value(solved.value), count(game.position_of(solved.key).unwrap())));
        }
    });
    (text_value(solution.value()), counted(values.into_iter()))
}

/// Checks the laws and the values of a game that ends, and returns the value at the start.
fn ends_as<G: Shown<Key = Key> + Tiered>(
    game: &G,
    rules: &impl TextRules,
    first: Text,
) -> TextValue {
    laws::tiered(game);
    laws::urgent(game);
    agree(game, &graph(game), rules, first)
}

/// Checks the laws of any game and the values of a solution, and returns the value at the start.
fn agree<G: Shown<Key = Key>>(
    game: &G,
    solution: &Solution,
    rules: &impl TextRules,
    first: Text,
) -> TextValue {
    every_law(game);
    let ours = by_value(game, solution, |position| images(game, position).len() as u64);
    assert_eq!(ours, solved(rules, first), "{}", game.title());
    ours.0
}

/// Compares positions, identified by `name`, and their results with positions on text, ply by ply.
fn reaches<G: Game, K: Hash + Eq>(
    game: &G,
    name: impl Fn(G::Position) -> K,
    rules: &impl TextRules,
    first: Text,
    plies: u32,
) {
    let (mut texts, mut names) = (HashSet::new(), HashSet::new());
    let (mut new_texts, mut new) = (vec![first], vec![game.initial()]);
    for _ in 0..=plies {
        new_texts.retain(|p| texts.insert(p.clone()));
        new.retain(|p| names.insert(name(*p)));
        let expected = counted(new_texts.iter().map(|p| (rules.over(p), 1)));
        assert_eq!(counted(new.iter().map(|p| (game.result(*p), 1))), expected);
        let open = new_texts.iter().filter(|p| rules.over(p).is_none());
        new_texts = open.flat_map(|p| rules.moves(p)).map(|(_, p)| p).collect();
        let open = new.iter().filter(|p| game.result(**p).is_none());
        new = open.flat_map(|p| branches(game, *p).map(|(.., p)| p)).collect();
    }
    assert!(names.len() > 1_000 || new.is_empty(), "{}", names.len());
}

fn other_side(side: u8) -> u8 {
    if side == b'X' { b'O' } else { b'X' }
}

fn count_of(p: &[u8], mark: u8) -> i32 {
    p.iter().filter(|&&c| c == mark).count() as i32
}

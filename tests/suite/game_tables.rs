//! Games written down as tables of positions and moves.

use std::collections::HashMap;

use everyply::control::Control;
use everyply::exhaustive::Solution;
use everyply::game::{Chosen, Key, Shown, branches, laws};
use everyply::games::table::{Table, TableMove, TableRows};
use everyply::games::{Dots, Nim, Pong};
use everyply::registry::{Position, Registry, builtin};

/// A game written down, with the keys of its positions by number.
fn written<G: Shown<Key = Key>>(game: &G) -> (Table, Vec<Key>) {
    let mut numbers = HashMap::from([(game.key(game.initial()), 0)]);
    let mut found = vec![game.initial()];
    let mut texts = Vec::new();
    let mut rows = TableRows::default();
    let mut next = 0;
    while let Some(&position) = found.get(next) {
        next += 1;
        let mut moves = Vec::new();
        if game.result(position).is_none() {
            for (_, m, keeps_turn, to) in branches(game, position) {
                let number = *numbers.entry(game.key(to)).or_insert_with(|| {
                    found.push(to);
                    found.len() as u32 - 1
                });
                texts.push(game.write_move(m));
                moves.push(TableMove { text: texts.len() as u32 - 1, to: number, keeps_turn });
            }
        }
        rows.push(game.result(position), moves).unwrap();
    }
    let keys = found.iter().map(|&position| game.key(position)).collect();
    let painter = |way: &[u32]| format!("{way:?}");
    let title = game.title();
    let table = Table::new("written", title, [1; 3], texts, rows, Box::new(painter)).unwrap();
    (table, keys)
}

fn agrees<G: Shown<Key = Key>>(game: &G, original: &dyn Position) {
    let (table, keys) = written(game);
    laws::game(&table);
    laws::symmetric(&table);
    laws::evaluate(&table);
    let registry = Registry::new().with_table(table.clone());
    let entry = registry.find("written").unwrap();
    let start = entry.choose(&Chosen::default()).unwrap();
    assert_eq!(start.info().name, "written");
    let control = Control::default();
    let (ours, theirs) =
        (start.solve(100_000, &control).unwrap(), original.solve(100_000, &control).unwrap());
    for (number, &key) in (0..).zip(&keys) {
        assert_eq!(ours.value_of(Key(number)), theirs.value_of(key), "{number}");
    }
    assert_eq!(ours.totals().positions, keys.len() as u64);
    let told = |start: &dyn Position, answers: &Solution| {
        let texts: Vec<_> = start.moves().into_iter().map(|m| m.text).collect();
        (texts, answers.moves_of(start.key().unwrap()))
    };
    assert_eq!(told(&*start, &ours), told(original, &theirs));
    let histories = |position: &dyn Position| {
        let counted = position.count(6, u64::MAX, &control).unwrap().counts;
        counted.iter().map(|ply| (ply.nodes, ply.games, ply.positions)).collect::<Vec<_>>()
    };
    assert_eq!(histories(&*start), histories(original));
    // The way to a position is one.
    for (position, key) in (0..table.positions()).zip(&keys) {
        let mut reached = game.initial();
        for ordinal in table.way_to(position) {
            let m = game.moves(reached).into_iter().nth(ordinal as usize).unwrap();
            reached = game.play(reached, m);
        }
        assert_eq!(game.key(reached), *key);
    }
}

#[test]
fn a_game_written_down_is_the_game() {
    let chosen = Chosen {
        rules: vec!["misere".into()],
        position: Some("2,3,2".into()),
        ..Chosen::default()
    };
    let start = builtin().find("nim").unwrap().choose(&chosen).unwrap();
    agrees(&Nim::new(&[2, 3, 2], true).unwrap(), &*start);
    // The side that completes a box moves again.
    let dots = Dots::new(2, 1).unwrap();
    let chosen = Chosen { size: Some((2, 1)), ..Chosen::default() };
    agrees(&dots, &*builtin().find("dots").unwrap().choose(&chosen).unwrap());
    assert_eq!(written(&dots).0.longest_play(), Some(7));
}

#[test]
fn play_that_comes_back_is_endless() {
    let start = builtin().find("pong").unwrap().choose(&Chosen::default());
    agrees(&Pong, &*start.unwrap());
    assert_eq!(written(&Pong).0.longest_play(), None);
}

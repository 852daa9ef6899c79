//! The searches of games of every kind against each other and against whole solutions: moves that
//! keep the turn, games that the last move loses.

use super::{Dots, Hexapawn, Nim};
use crate::control::Control;
use crate::exhaustive::{Solution, StrongSolution};
use crate::game::{Game, Outcome, Remoteness, Value, laws};
use crate::search::{
    Evaluation, MoveOrder, Points, Searchable, Settings, SharedTable, TableUse, minimax, search,
};
use crate::statistics::{Score, SearchCounters};

/// The searches, from the plainest to the one with every technique.
fn ladder(depth: u32, evaluation: Evaluation) -> [Settings; 6] {
    let table = Settings { split_after: u64::MAX, evaluation, ..Settings::to_depth(depth) };
    let deepening = Settings { table_use: TableUse::MoveOnly, ..table };
    let ordered = Settings { deepening: false, ..deepening };
    let plain = Settings { order: MoveOrder::Natural, ..ordered };
    let worst = Settings { order: MoveOrder::Worst, ..ordered };
    [plain, ordered, worst, deepening, table, Settings { split_after: 0, ..table }]
}

fn scores<G: Searchable>(
    game: &G,
    root: G::Position,
    depth: u32,
    evaluation: Evaluation,
) -> Vec<Score> {
    let control = Control::default();
    let mut counters = SearchCounters::default();
    let points = minimax(game, root, depth, evaluation, &control, &mut counters).unwrap();
    let mut scores = vec![points.score(0)];
    for (i, settings) in ladder(depth, evaluation).into_iter().enumerate() {
        let table = SharedTable::new(1, 64).unwrap();
        let table = (i >= 3).then_some(&table);
        let report = search(game, root, &settings, table, None, &control, &mut |_| ());
        let best = report.principal_variation.first().map(|m| report.best.contains(*m));
        assert_eq!(best, (depth > 0).then_some(true).filter(|_| game.result(root).is_none()));
        scores.push(report.score);
    }
    scores
}

/// To every depth all searches give minimax's score; to the end that is the graph's value.
fn agree<G: Searchable>(game: &G, most: u32) {
    let graph = Solution::within(game.clone(), game.initial(), u64::MAX, &Control::default());
    let graph = graph.unwrap();
    let mut seen = 0;
    laws::random_positions(game, 60, |position| {
        seen += 1;
        let left = game.plies_left(position);
        if left > most || seen % 3 != 0 {
            return;
        }
        for (i, depth) in [1, 3, left].into_iter().enumerate() {
            let evaluation = Evaluation::ALL[(seen + i) % 2];
            let scores = scores(game, position, depth, evaluation);
            assert!(scores.iter().all(|s| *s == scores[0]), "{scores:?} {position:?}");
            if depth == left {
                let value = graph.worth(position).unwrap();
                let expected = match value.exact() {
                    Some(value) if value.outcome != Outcome::Draw => Score::of_value(value),
                    _ => Points::ZERO.score(0),
                };
                assert_eq!(scores[0], expected, "{position:?}");
            }
        }
    });
    assert!(seen > 3);
}

#[test]
fn every_search_gives_the_value_of_the_graph() {
    for misere in [false, true] {
        agree(&Nim::new(&[1, 3, 4], misere).unwrap(), 8);
    }
    agree(&Hexapawn::new(3, 3).unwrap(), 12);
    agree(&Dots::new(2, 2).unwrap(), 7);
    agree(&Dots::new(2, 1).unwrap(), 7);
}

#[test]
fn the_side_to_move_may_have_won() {
    // One stone left in misère nim: whoever has to take it loses, so the end is won.
    let game = Nim::new(&[1], true).unwrap();
    let over = game.play(game.initial(), game.moves(game.initial()).into_iter().next().unwrap());
    assert_eq!(game.result(over), Some(Outcome::Win));
    for score in scores(&game, game.initial(), 1, Evaluation::Own) {
        assert_eq!(score, Score::of_value(Value::new(Outcome::Loss, Remoteness(1))));
    }
    for score in scores(&game, over, 0, Evaluation::Own) {
        assert_eq!(score, Score::of_value(Value::new(Outcome::Win, Remoteness(0))));
    }
}

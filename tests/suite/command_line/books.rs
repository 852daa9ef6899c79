//! Books: their content, their survival of damage and kills, and their use by the solver.

use std::collections::HashMap;

use everyply::connect_four::OpeningBook;
use everyply::database::{Database, PositionRow};
use everyply::exhaustive::Solution;
use everyply::game::{
    Game, GameId, Key, Keyed, Move, MoveSet, Outcome, Ply, Remoteness, Symmetric, Value,
    ValueBounds,
};
use everyply::games::line::{ConnectFour, LineGame, Size};
use predicates::prelude::*;
use predicates::str::contains;

use super::{json_alone, runs, valued_moves};
use crate::formats::sorted_lines;
use crate::support::{Place, connect_four, positions, solution};

/// The positions of a database with one game.
pub(super) fn rows(place: &Place, name: &str) -> Vec<PositionRow> {
    let database = Database::open(&place.path(name)).unwrap();
    let [game]: [GameId; 1] = database.games().unwrap().try_into().unwrap();
    positions(&database, &game).unwrap()
}

/// Value and best moves of the canonical position with this key.
fn truth(solution: &Solution, key: Key) -> (Value, MoveSet) {
    let value = solution.value_of(key).expect("a position of the game");
    (value.exact().unwrap(), solution.best_of(key))
}

/// The canonical positions with up to `plies` stones.
fn positions_up_to(game: &ConnectFour, solution: &Solution, plies: u8) -> usize {
    let mut positions = 0;
    solution.canonical(&mut |part| {
        let plies_of = |key| game.position_of(key).unwrap().ply().0;
        positions += part.iter().filter(|solved| plies_of(solved.key) <= plies).count();
    });
    positions
}

/// The moves that attain the outcome of a position.
fn attaining(game: &ConnectFour, solution: &Solution, key: Key) -> MoveSet {
    let position = game.position_of(key).unwrap();
    if game.result(position).is_some() {
        return MoveSet::EMPTY;
    }
    let outcome = truth(solution, key).0.outcome;
    let attains = |m: &Move| {
        let next = game.canonical(game.play(position, *m)).0;
        -truth(solution, next).0.outcome == outcome
    };
    game.moves(position).into_iter().filter(attains).collect()
}

#[test]
fn a_book_agrees_with_the_exhaustive_engine_on_every_position() {
    for (width, height, plies) in [(4, 4, 0), (4, 4, 16), (5, 3, 6)] {
        let game = connect_four(width, height, 4);
        let solution = solution(game);
        let place = Place::new();
        let command = format!("book connect4 --size {width}x{height} --plies {plies}");
        place.run(&format!("{command} --table-size 1 --threads 2")).success();
        let stored = rows(&place, "everyply.db");
        assert_eq!(stored.len(), positions_up_to(&game, &solution, plies), "{command}");
        for row in &stored {
            let (value, best) = truth(&solution, row.key);
            assert_eq!(row.value, value.into(), "{command}: {row}");
            assert_eq!(row.best, Some(best), "{command}: {row}");
        }
        let command = format!("{command} --outcome-only --db outcomes.db --table-size 1");
        place.run(&command).success();
        let stored = rows(&place, "outcomes.db");
        assert_eq!(stored.len(), positions_up_to(&game, &solution, plies));
        for row in &stored {
            let (value, best) = truth(&solution, row.key);
            assert!(row.value.agrees(value.into()), "{command}: {row}");
            if row.value.remoteness.is_some() {
                assert_eq!(row.best, Some(best), "{command}: {row}");
            } else {
                assert_eq!(row.best, Some(attaining(&game, &solution, row.key)), "{row}");
            }
        }
    }
}

#[test]
fn outcomes_are_refined_by_an_exact_run() {
    let place = Place::new();
    let command = "book connect4 --size 5x4 --plies 5 --table-size 1";
    place.run(&format!("{command} --db exact.db")).success();
    place.run(&format!("{command} --outcome-only")).success();
    let bare =
        rows(&place, "everyply.db").iter().filter(|row| row.value.remoteness.is_none()).count();
    assert!(bare > 100, "{bare}");
    place.run(command).success().stdout(contains("refined"));
    assert_eq!(rows(&place, "everyply.db"), rows(&place, "exact.db"));
    // An exact book holds the outcomes too.
    place.run(&format!("{command} --outcome-only")).success().stdout(contains("nothing to do"));
}

#[test]
fn counts_per_ply_are_the_known_ones() {
    let place = Place::new();
    let told = place.json("book connect4 --plies 8 --size 4x4 --table-size 1");
    let counted = json_alone("count connect4 --size 4x4 --values");
    for (ply, counts) in told["plies"].as_array().unwrap().iter().enumerate() {
        for field in ["positions", "canonical", "terminal", "wins", "draws", "losses"] {
            let known = &counted["plies"][ply][field];
            assert!(known.is_null() || counts[field] == *known, "ply {ply}, {field}: {counts}");
        }
    }
    assert_eq!(told["last_ply"], 8);
    assert_eq!(told["was_finished"], false);
    let database = Database::open(&place.path("everyply.db")).unwrap();
    let run = runs(&place.path("everyply.db"))[0].id;
    assert_eq!(database.ply_counts(run).unwrap().len(), 9);
}

/// Wins, draws and losses of ply 8 have the published numbers (docs/opening-book.md).
#[test]
fn what_the_own_book_knows_is_not_searched() {
    let told = Place::new().json("book connect4 --plies 8");
    let last = &told["plies"][8];
    assert_eq!(told["nodes"], 0);
    assert_eq!([&last["wins"], &last["draws"], &last["losses"]], [124_624, 14_676, 44_975]);
}

#[test]
fn a_finished_book_is_left_as_it_is() {
    let place = Place::new();
    let command = "book connect4 --size 5x4 --plies 6 --table-size 1";
    place.run(command).success();
    let bytes = place.read("everyply.db");
    for threads in [1, 3] {
        let told = place.json(&format!("{command} --threads {threads}"));
        assert_eq!(told["was_finished"], true);
        assert!(told["database"].is_null());
        let again = place.run(&format!("{command} --threads {threads}")).success();
        again.stdout(contains("everyply.db holds all 2,411 positions: nothing to do"));
    }
    assert!(place.read("everyply.db") == bytes);
    assert_eq!(place.entries(), ["everyply.db"]);
    // A shorter one is finished with it; a longer one continues from it.
    place.run("book connect4 --size 5x4 --plies 3").success().stdout(contains("nothing to do"));
    let told = place.json("book connect4 --size 5x4 --plies 7 --table-size 1");
    assert_eq!(told["found"], 2411);
}

#[test]
fn what_makes_no_book_is_refused_before_any_work() {
    for (arguments, said) in [
        ("book connect4", "--plies"),
        ("book connect4 --plies 17 --size 4x4", "no game on 4x4 has more than 16 plies"),
        ("book connect4 --plies 99", "99"),
        ("book connect4 --plies 2 --line 2", "lines of 3 to 6"),
        ("book connect4 --plies 2 --size 9x9", "width x (height + 1) <= 64"),
        ("book connect4 --plies 2 --table-size 99999999", "--table-size 99999999"),
        ("book connect4 --plies 63 --size 9x6", "no game on 9x6"),
        ("book ttt --plies 2", "ttt"),
        ("connect4 --depth 4 --book in.txt", "--book"),
        ("connect4 --line 2 --book in.txt", "--book"),
    ] {
        let place = Place::new();
        std::fs::write(place.path("in.txt"), "12\n1111111\n").unwrap();
        place.refuses(arguments, 2, said);
        assert!(!place.path("everyply.db-lock").exists());
    }
    let place = Place::new();
    place.refuses("connect4 --book nowhere.db", 1, "nowhere.db: there is no such file");
    std::fs::write(place.path("text.db"), "It was a dark and stormy night. ".repeat(9)).unwrap();
    place.refuses("book connect4 --plies 1 --db text.db", 1, "not a database");
    let said = contains("text.db is neither a database");
    place.run("connect4 --book text.db").code(1).stderr(said);
    place.run("ttt --db ttt.db").success();
    let said = contains("holds no position of connect4 7x6").and(contains("analyze book"));
    place.run("connect4 --book ttt.db").code(1).stdout("").stderr(said);
}

#[test]
fn the_solver_answers_at_once_from_a_book_and_says_the_same_without() {
    let place = Place::new();
    let base = "--size 5x5 --table-size 1 --no-db --threads 1";
    let book = "book connect4 --size 5x5 --plies 6 --table-size 1";
    place.run(&format!("{book} --db book.db")).success();
    place.run(&format!("{book} --db o.db --outcome-only")).success();
    for moves in ["", "3", "33", "1234", "33333", "3334", "44444", "32414431", "555444222"] {
        let alone = place.json(&format!("connect4 {moves} {base} --all-moves"));
        for book in ["book.db", "o.db"] {
            let told = place.json(&format!("connect4 {moves} {base} --all-moves --book {book}"));
            for field in ["value", "score", "best", "pv"] {
                assert_eq!(told[field], alone[field], "{moves} {field}");
            }
            for (a, b) in
                told["values"].as_array().unwrap().iter().zip(alone["values"].as_array().unwrap())
            {
                assert_eq!((&a["move"], &a["score"]), (&b["move"], &b["score"]), "{moves}");
                if book == "book.db" && moves.len() <= 5 {
                    assert_eq!(a["nodes"], 0, "the moves of {moves} are in the book");
                }
            }
            if book == "book.db" && moves.len() <= 6 {
                assert_eq!(told["stats"]["nodes_of_value"], 0, "{moves} is in the book");
            }
        }
        let outcome = place.json(&format!("connect4 {moves} {base} --outcome-only --book o.db"));
        assert_eq!(outcome["value"]["outcome"], alone["value"]["outcome"]);
        if moves.len() <= 6 {
            assert_eq!(outcome["stats"]["nodes"], 0, "{moves}");
        }
    }
}

#[test]
fn everything_kept_of_a_search_is_true() {
    let game = connect_four(5, 4, 4);
    let solution = solution(game);
    let (mut positions, mut bounds, mut open) = (0, 0, 0);
    for command in [
        "connect4 --size 5x4 --table-size 1",
        "connect4 12 --size 5x4 --all-moves --table-size 1 --threads 2",
        "connect4 31 --size 5x4 --table-size 1",
    ] {
        let place = Place::new();
        place.run(command).success();
        let stored = rows(&place, "everyply.db");
        assert!(stored.len() > 10, "{command}: {}", stored.len());
        positions += stored.len();
        for row in stored {
            let (value, best) = truth(&solution, row.key);
            assert!(row.value.agrees(value.into()), "{command}: {row}");
            assert!(row.best.is_none_or(|b| b == best), "{command}: {row}");
        }
        let database = Database::open(&place.path("everyply.db")).unwrap();
        let visited = database.bounds(&game.game_id(), |row| {
            let value = truth(&solution, row.key).0;
            let ValueBounds { worst, best } = row.bounds;
            assert!(worst <= value && value <= best, "{command}: {row:?}, {value}");
            bounds += 1;
            // Bounds from two moves to one position are joined, and may meet.
            open += usize::from(worst < best);
        });
        visited.unwrap();
    }
    assert!(positions > 50 && open > 5, "{positions} positions, {open} of {bounds} bounds");
}

#[test]
fn a_book_is_written_in_its_dense_form_too() {
    let place = Place::new();
    place.run("book connect4 --plies 6 --size 4x4 --db my.db --out 4x4.book").success();
    let game = connect_four(4, 4, 4);
    let solution = solution(game);
    let known = |key| {
        let position = game.position_of(key).unwrap();
        let is_open = game.result(position).is_none();
        solution.value_of(key).filter(|_| is_open)?.exact()
    };
    let expected = OpeningBook::new(Size::new(4, 4, 4).unwrap(), Ply(6), known).unwrap();
    assert!(expected.iter().count() > 500);
    assert_eq!(place.read("4x4.book"), expected.to_bytes().unwrap());

    // Once more, with nothing left to solve.
    place.run("book connect4 --plies 6 --size 4x4 --db my.db --out again.book").success();
    assert_eq!(place.read("again.book"), place.read("4x4.book"));
    for refused in ["--plies 2 --outcome-only", "--plies 30"] {
        place.run(&format!("book connect4 {refused} --out x.book")).code(2);
    }
    let entries = place.entries();
    assert!(!entries.iter().any(|name| name.contains("x.book")), "{entries:?}");
}

#[test]
fn openings_are_answered_without_a_search() {
    let of = |flags: &str| json_alone(&format!("connect4 {flags}"));
    let found = of("--all-moves");
    let searched = |move_: &serde_json::Value| move_["nodes"].as_u64().unwrap();
    let moves = found["values"].as_array().unwrap();
    assert_eq!(moves.iter().map(searched).sum::<u64>(), 0);
    let scores: Vec<_> = moves.iter().map(|m| m["score"].as_i64().unwrap()).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);

    let flags = "4444432 --value-only";
    let (known, solved) = (of(flags), of(&format!("{flags} --no-book")));
    assert_eq!(known["value"], solved["value"]);
    assert_eq!(known["stats"]["nodes"], 0);
    assert!(solved["stats"]["nodes"].as_u64().unwrap() > 0);
}

/// Writes a copy whose checksum is wrong.
fn damage(place: &Place, name: &str) {
    let mut bytes = place.read(name);
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(place.path("damaged.book"), bytes).unwrap();
}

#[test]
fn a_book_file_is_read_by_every_command_that_reads_values() {
    let place = Place::new();
    let book = "book connect4 --size 4x4 --plies 5 --table-size 1 --db b.db --out 4x4.book";
    place.run(book).success();
    for position in ["", "1", "12", "1234"] {
        let of = |file: &str| place.json(&format!("query {file} {position} --size 4x4"));
        let (file, database) = (of("4x4.book"), of("b.db"));
        for field in ["value", "best"] {
            assert_eq!(file[field], database[field], "{position}: {field}");
        }
        // Answers name their sources.
        assert_eq!(valued_moves(&file), valued_moves(&database), "{position}");
    }
    let told = place.json("connect4 12 --size 4x4 --book 4x4.book --no-db");
    let alone = place.json("connect4 12 --size 4x4 --no-db");
    assert_eq!((&told["value"], &told["best"]), (&alone["value"], &alone["best"]));
    assert_eq!(told["stats"]["nodes_of_value"], 0);
    place.refuses(
        "connect4 --size 5x4 --book 4x4.book --no-db",
        1,
        "--book 4x4.book: it holds no position of connect4 5x4",
    );

    place.run("export 4x4.book --format csv --plies 0-4 --all-moves --out file.csv").success();
    let export = "export b.db --game connect4 --format csv --plies 0-4 --all-moves --out base.csv";
    place.run(export).success();
    let (file, base) = (sorted_lines(&place, "file.csv"), sorted_lines(&place, "base.csv"));
    assert!(file.len() > 1 && file == base);
    place.refuses("export 4x4.book --csv tables", 2, "is an opening book");
    place.refuses("query 4x4.book 1 --search", 2, "leave out --search");

    damage(&place, "4x4.book");
    for command in
        ["query damaged.book 1", "export damaged.book --format csv", "serve damaged.book"]
    {
        let refused = contains("damaged.book").and(contains("its checksum is wrong"));
        place.run(command).code(1).stdout("").stderr(refused);
    }
    let refused = contains("damaged.book").and(contains("its checksum is wrong"));
    place.run("connect4 --size 4x4 --book damaged.book --no-db").code(1).stderr(refused);
}

#[cfg(feature = "book")]
#[test]
fn an_export_asks_the_book_of_the_program_for_moves_beyond_the_last_ply() {
    let place = Place::new();
    place.run("book connect4 --plies 2 --db b.db").success();
    place.run("export b.db --format csv --plies 2 --all-moves --out all.csv").success();
    for row in csv::Reader::from_path(place.path("all.csv")).unwrap().records() {
        let row = row.unwrap();
        // key, ply, moves, board, to_move, outcome, remoteness, pons_score, best, then the moves.
        assert_eq!(row.len(), 9 + 14);
        assert!(row.iter().skip(9).all(|known| !known.is_empty()), "{row:?}");
    }
}

#[test]
fn a_book_is_verified_by_its_moves_and_a_sample() {
    let place = Place::new();
    place.run("book connect4 --plies 5 --size 5x4 --db my.db --out 5x4.book").success();
    let whole = place.json("verify 5x4.book --sample 30");
    assert_eq!(whole["disagreements"], serde_json::json!([]));
    assert_eq!(whole["sample"]["agreements"], 30);
    let open = |row: &PositionRow| row.value.remoteness > Some(Remoteness(0));
    let stored = rows(&place, "my.db").into_iter().filter(open).count();
    assert_eq!(whole["rows"]["positions"], stored);
    let before_the_last =
        rows(&place, "my.db").into_iter().filter(|row| open(row) && row.ply.0 < 5);
    assert_eq!(whole["rows"]["proved"], before_the_last.count());
    assert_eq!(whole["plies"][5]["ply"], 5);
    place.run("verify 5x4.book").success().stdout(contains("100 of 100 positions solved anew"));
    place.refuses("verify 5x4.book --against my.db", 2, "is no database");

    // A value that a file has with the right checksum.
    let book = OpeningBook::open(&place.path("5x4.book")).unwrap();
    let values: HashMap<Key, Value> = book.iter().collect();
    let changed = *values.iter().find(|(_, value)| value.remoteness.0 == 20).unwrap().0;
    let won = Value::new(Outcome::Win, Remoteness(3));
    for (wrong, message) in
        [(Some(won), "no move is better than"), (None, "it has no value, and a game leads to it")]
    {
        let value = |key| if key == changed { wrong } else { values.get(&key).copied() };
        let book = OpeningBook::new(book.size(), book.plies(), value).unwrap();
        std::fs::write(place.path("wrong.book"), book.to_bytes().unwrap()).unwrap();
        let refused = place.run("verify wrong.book --sample 0").code(3);
        refused.stdout(contains(message)).stderr(contains("disagreement"));
    }

    damage(&place, "5x4.book");
    place.run("verify damaged.book").code(3).stderr(contains("its checksum is wrong"));
}

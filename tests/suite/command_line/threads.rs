//! Results depend neither on the number of threads nor on earlier runs.

use serde_json::Value;

use super::{Content, content, runs};
use crate::support::Place;
use everyply::database::Ending;

/// A document without its times and the number of threads.
fn timeless(mut document: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for name in ["threads", "per_thread", "elapsed_s", "nodes_per_s"] {
                    fields.remove(name);
                }
                fields.values_mut().for_each(strip);
            }
            Value::Array(elements) => elements.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut document);
    document
}

/// A CSV file without the columns of times and threads.
fn timeless_csv(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let mut rows: Vec<Vec<String>> =
        reader.records().map(|record| record.unwrap().iter().map(String::from).collect()).collect();
    for left_out in ["elapsed_s", "threads"] {
        if let Some(at) = rows[0].iter().position(|name| name == left_out) {
            rows.iter_mut().for_each(|row| drop(row.remove(at)));
        }
    }
    rows
}

/// Document, CSV files and database of a run.
fn everything(
    arguments: &str,
    threads: u32,
    files: &[&str],
) -> (Value, Vec<Vec<Vec<String>>>, Content) {
    let place = Place::new();
    let document = place.json(&format!("{arguments} --threads {threads} --csv tables"));
    assert_eq!(document["threads"], threads);
    let read = |name: &&str| timeless_csv(&place.read(&format!("tables/{name}")));
    let tables = files.iter().map(read).collect();
    (timeless(document), tables, content(&place.path("everyply.db")))
}

#[test]
fn results_are_the_same_for_any_number_of_threads() {
    const TTT: &[&str] = &["ttt-solution.csv", "ttt-plies.csv"];
    const CONNECT4: &[&str] = &["connect4-iterations.csv", "connect4-root-moves.csv"];
    const COUNT: &[&str] = &["count-plies.csv"];
    for (arguments, files) in [
        ("ttt", TTT),
        ("ttt 15 --scoring inverse-depth", TTT),
        ("ttt --size 4x3 --line 4", TTT),
        ("connect4 --depth 8", CONNECT4),
        ("connect4 44444326 --depth 8 --all-moves", CONNECT4),
        ("count connect4 --plies 8", COUNT),
        ("count connect4 --plies 8 --method walk", COUNT),
        ("count connect4 --size 4x4 --values", COUNT),
        ("dots --size 2x2", &["dots-solution.csv", "dots-plies.csv"]),
        ("pong", &["pong-solution.csv"]),
    ] {
        let one = everything(arguments, 1, files);
        for threads in [2, 8] {
            assert!(everything(arguments, threads, files) == one, "{arguments} with {threads}");
        }
    }
}

/// Deep enough for the root moves to be split over the threads: the work differs, the result not.
#[test]
fn a_deeper_search_finds_the_same_with_any_number_of_threads() {
    let find = |threads: u32| {
        let place = Place::new();
        let document = place.json(&format!("connect4 --depth 13 --no-db --threads {threads}"));
        ["value", "score", "best", "exact", "depth", "pv"].map(|name| document[name].clone())
    };
    let one = find(1);
    assert_eq!(find(2), one);
    assert_eq!(find(8), one);
}

#[test]
fn running_twice_adds_a_run_and_changes_no_position() {
    for arguments in ["ttt", "connect4 --depth 8", "count ttt"] {
        let place = Place::new();
        let database = place.path("everyply.db");
        place.run(arguments).success();
        let first = content(&database);
        place.run(arguments).success();
        let second = content(&database);
        assert_eq!((second.games, second.positions), (first.games, first.positions));
        let runs = runs(&database).into_iter().map(|run| (run.ending, run.command));
        let expected = (Some(Ending::Finished), format!("analyze {arguments}"));
        assert!(runs.eq([expected.clone(), expected]), "{arguments}");
    }
}

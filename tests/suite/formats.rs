//! Formats of others through the command line: convert, export, verify.

use everyply::connect_four::formats::bit_bully::BitBullyBook;
use everyply::connect_four::formats::uci;
use everyply::database::{Database, Ending, PositionRow};
use everyply::exhaustive::SolvedKey;
use everyply::game::{
    Key, Keyed, Move, MoveSet, Outcome, PartialValue, Remoteness, Symmetric, Symmetry, Value,
};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{ConnectFour, LineGame, Standard, Stones};
use predicates::prelude::*;
use predicates::str::contains;
use sha2::{Digest, Sha256};

use crate::bit_bully::encode;
use crate::support::{Place, connect_four, document, solution, stdout};

fn small() -> ConnectFour {
    connect_four(4, 4, 4)
}

/// Every position of a small board with its value and best moves.
fn solved(game: &ConnectFour) -> Vec<PositionRow> {
    let mut rows = Vec::new();
    solution(*game).canonical(&mut |part| {
        rows.extend(part.iter().map(|&SolvedKey { key, value, best, .. }| PositionRow {
            key,
            ply: game.position_of(key).unwrap().ply(),
            value,
            best: Some(best),
        }));
    });
    rows
}

fn write<G: LineGame>(place: &Place, name: &str, game: &G, rows: Vec<PositionRow>) {
    let database = Database::create_or_open(&place.path(name)).unwrap();
    let writer = database.begin_run(&game.game_id(), "test", 1).unwrap();
    writer.sink().send(rows).unwrap();
    writer.finish(Ending::Finished).unwrap();
}

/// The JSON document of a verification that finds mismatches.
fn mismatches(place: &Place, arguments: &str) -> serde_json::Value {
    document(&place.run(&format!("{arguments} --json")).code(3))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn conversions_go_through_files_and_pipes() {
    let place = Place::new();
    std::fs::write(place.path("in.txt"), "4453\n\n7777\n").unwrap();
    place.run("convert --from moves1 --to moves0 in.txt").success().stdout("3342\n\n6666\n");
    place
        .analyze()
        .args(["convert", "--from", "moves0", "--to", "picture"])
        .write_stdin("33\n")
        .assert()
        .success()
        .stdout("......./......./......./......./...O.../...X...\n");
    // The lines before and after the wrong one are converted, in order; the error names the line.
    std::fs::write(place.path("bad.txt"), "44\n4444444\n1\n").unwrap();
    place
        .run("convert --from moves1 --to moves0 bad.txt")
        .code(1)
        .stdout("33\n0\n")
        .stderr(contains("bad.txt, line 2: move 7 ('4', character 7): column 4 is full"));
    // A board has no order of moves: one that leads there is found.
    place
        .analyze()
        .args(["convert", "--from", "picture", "--to", "moves1", "--size", "4x4"])
        .write_stdin("..../..../.O../XXO.\n")
        .assert()
        .success();
    place
        .run("convert --from moves --to key in.txt")
        .code(2)
        .stderr(contains("moves1").and(contains("moves0")));
    place.refuses("convert --from moves1 --to uci --size 5x4 in.txt", 2, "7x6");
    place.refuses("convert --from moves1 --to pons in.txt", 2, "no values");
    place.refuses("convert --from moves1 --to key none.txt", 1, "none.txt");
}

#[test]
fn exports_are_the_same_each_time_and_have_a_manifest() {
    let place = Place::new();
    let game = connect_four(4, 3, 4);
    let mut rows = solved(&game);
    write(&place, "a.db", &game, rows.clone());
    write(&place, "b.db", &game, rows.iter().rev().copied().collect());
    for (format, all_moves) in [
        ("csv", ""),
        ("csv", " --all-moves"),
        ("jsonl", " --all-moves"),
        #[cfg(feature = "parquet")]
        ("parquet", " --all-moves"),
        ("pons", ""),
    ] {
        for database in ["a", "b"] {
            let out = format!("export {database}.db --format {format}{all_moves} --out {database}");
            place.run(&out).success().stderr("");
        }
        let (a, b) = (place.read("a"), place.read("b"));
        assert!(a == b && !a.is_empty(), "{format}");
        let manifest = |name: &str| -> serde_json::Value {
            serde_json::from_slice(&place.read(&format!("{name}.manifest.json"))).unwrap()
        };
        let (of_a, of_b) = (manifest("a"), manifest("b"));
        assert_eq!(of_a["sha256"], sha256(&a), "{format}");
        assert_eq!(of_a["sha256"], of_b["sha256"]);
        assert_eq!(of_a["bytes"], a.len());
        assert_eq!(of_a["board"], "4x3");
        let rows = of_a["rows"].as_u64().unwrap() as usize;
        let plies = of_a["plies"].as_array().unwrap();
        let sum: u64 = plies.iter().map(|ply| ply["rows"].as_u64().unwrap()).sum();
        assert_eq!(sum as usize, rows);
        if format != "parquet" {
            let header = usize::from(format == "csv");
            let lines = a.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(lines, rows + header, "{format}");
        }
    }
    let names = ["a", "a.db", "a.manifest.json", "b", "b.db", "b.manifest.json"];
    assert_eq!(place.entries(), names);
    // The rows written are the rows stored.
    place.run("export a.db --format csv --out all.csv").success();
    let all = place.table("all.csv");
    let written = all.iter().map(|row| {
        (row["key"].parse().unwrap(), row["outcome"].clone(), row["remoteness"].parse().unwrap())
    });
    rows.sort_by_key(|row| (row.ply, row.key));
    let stored = rows.iter().map(|PositionRow { key, value, .. }| {
        (key.0, value.outcome.to_string(), value.remoteness.unwrap().0)
    });
    assert!(written.eq(stored));
    // And the moves lead there.
    for row in &all {
        let position = parse_moves(&game, &row["moves"]).unwrap();
        assert_eq!(game.key(position).0.to_string(), row["key"]);
    }
    place.run("export a.db --format csv --plies 2-3,5 --out some.csv").success();
    assert!(place.table("some.csv").iter().all(|row| ["2", "3", "5"].contains(&&*row["ply"])));
}

/// Read back with the arrow project's own reader.
#[cfg(feature = "parquet")]
#[test]
fn parquet_files_hold_the_rows_of_the_table() {
    use parquet::basic::Compression;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let place = Place::new();
    let game = small();
    write(&place, "a.db", &game, solved(&game));
    place.run("export a.db --format parquet --all-moves --out a.parquet").success();
    place.run("export a.db --format csv --all-moves --out a.csv").success();
    let file = std::fs::File::open(place.path("a.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let mut csv = csv::Reader::from_path(place.path("a.csv")).unwrap();
    let names: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
    let mut records = csv.records();
    let (mut rows, mut lists) = (0, 0);
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let record = records.next().unwrap().unwrap();
        for ((name, field), (expected, cell)) in
            row.get_column_iter().zip(names.iter().zip(&record))
        {
            assert_eq!(name, expected);
            let text = field.to_string();
            let is_list = matches!(field, parquet::record::Field::ListInternal(_));
            assert!(!is_list || ["moves", "best"].contains(&name.as_str()), "{name}");
            lists += usize::from(is_list);
            let text = if text == "null" { "" } else { &text };
            // The reader divides the texts of a list by commas, CSV by blanks.
            let [text, cell] =
                [text, cell].map(|text| text.replace(['"', ','], "").replace("[ ", "["));
            assert_eq!(text, cell, "{name} of row {rows}");
        }
        rows += 1;
    }
    assert!(records.next().is_none() && rows > 1000, "{rows}");
    assert!(lists > rows, "{lists} lists in {rows} rows");
    for column in reader.metadata().row_group(0).columns() {
        assert!(matches!(column.compression(), Compression::ZSTD(_)), "{column:?}");
    }
    let length = |name: &str| std::fs::metadata(place.path(name)).unwrap().len();
    assert!(2 * length("a.parquet") < length("a.csv"), "{} bytes", length("a.parquet"));
}

/// From a database and from a solution file; the counts are published with the data set.
#[test]
fn the_boards_at_the_end_of_tic_tac_toe_are_written_in_the_form_of_uci() {
    let place = Place::new();
    place.run("ttt --db t.db").success();
    place.run("solve ttt --out t.solution").success();
    place.run("export t.db --format uci --out a.data").success().stdout(contains("958 rows"));
    place.run("export t.solution --format uci --out b.data").success();
    let rows = place.text("a.data");
    assert_eq!(rows, place.text("b.data"));
    let rows: Vec<&str> = rows.lines().collect();
    let of = |class: &str| rows.iter().filter(|row| row.ends_with(class)).count();
    assert_eq!([of(",positive"), of(",negative")], [626, 332]);
    assert_eq!(rows[0], "x,x,x,x,o,o,x,o,o,positive");
    assert_eq!(rows[3], "x,x,x,x,o,o,o,b,b,positive");
    // The draws stand last, on full boards.
    let full = |rows: &[&str]| rows.iter().all(|row| !row.contains('b'));
    assert!(full(&rows[942..]) && !full(&rows[..942]));
    assert_eq!(rows[957], "o,o,x,x,x,o,o,x,x,negative");
    let manifest = place.text("a.data.manifest.json");
    assert!(manifest.contains("\"complete\": true"), "{manifest}");
    place.run("export t.db --format uci --plies 5-6 --out few.data").success();
    let few = place.text("few.data");
    // Games end after five plies in 120 ways up to the order of moves, after six in 148.
    assert_eq!(few.lines().count(), 268);
    place.refuses("export t.db --format uci --mirror --out x", 2, "images of the published file");
    place.run("ttt --size 4x3 --db 4.db").success();
    let said = "uci is for the 3x3 board with 3 in a row, not for ttt 4x3";
    place.refuses("export 4.db --format uci --out x", 2, said);
    place.run("nim --db n.db").success();
    let said = "uci is for Connect Four and tic-tac-toe, not for nim";
    place.refuses("export n.db --format uci --out x", 2, said);
}

/// The file of all final boards: written, read back, converted, and compared with exact values.
#[test]
fn the_boards_at_the_end_of_tic_tac_toe_are_read_and_checked() {
    let place = Place::new();
    place.run("ttt --db t.db").success();
    place.run("export t.db --format uci --out a.data").success();
    let rows = place.text("a.data");
    let convert = |forms: &str, text: &str| {
        place
            .analyze()
            .args(["convert", "--game", "ttt"])
            .args(forms.split(' '))
            .write_stdin(text)
            .assert()
    };
    convert("--from uci --to uci", &rows).success().stdout(rows.clone());
    // The rules say who has won, so that moves, pictures and keys lead back to the same rows.
    for form in ["moves1", "moves0", "picture", "key"] {
        let there = convert(&format!("--from uci --to {form}"), &rows).success();
        let there = String::from_utf8(there.get_output().stdout.clone()).unwrap();
        assert_eq!(there.lines().count(), 958);
        convert(&format!("--from {form} --to uci"), &there).success().stdout(rows.clone());
    }
    let verified = place.json("verify t.db --values-only --against a.data");
    let counts = ["records", "positions", "agreements", "disagreements", "not_stored"];
    let counts = counts.map(|name| verified["against"][name].as_u64().unwrap());
    // 138 boards at the end up to symmetry.
    assert_eq!(counts, [958, 138, 138, 0, 0]);
    // A wrong class, either way, is found.
    let wrong = rows.replacen("positive", "negative", 1);
    let last = wrong.rfind("negative").unwrap();
    let wrong = wrong[..last].to_owned() + "positive\n";
    std::fs::write(place.path("wrong.data"), wrong).unwrap();
    let found = mismatches(&place, "verify t.db --values-only --against wrong.data");
    let found: Vec<&str> = found["disagreements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["other"].as_str().unwrap())
        .collect();
    assert!(found.iter().any(|other| other.contains("line 1")), "{found:?}");
    assert!(found.iter().any(|other| other.contains("line 958")), "{found:?}");
    // Malformed rows are refused with the reason.
    for (row, says) in [
        ("x,x,b,o,o,b,b,b,b,positive", "the game is not over"),
        ("x,x,x,o,o,b,b,b,b,win", "positive (X has won) or negative (O has won, or neither side)"),
        ("1,1,1,2,2,0,0,0,0,1", "take the file of UCI"),
        ("x,x,x,o,o,b,b,b,y,positive", "field 9 (bottom-right-square)"),
        (&format!("{}win", "b,".repeat(42)), "43 fields, not 9 and a class"),
    ] {
        std::fs::write(place.path("row.data"), row).unwrap();
        place.refuses("verify t.db --values-only --against row.data", 2, says);
        convert("--from uci --to moves1", row).code(1).stderr(contains(says));
    }
    convert("--from uci --to pons", "")
        .code(2)
        .stderr(contains("pons is for Connect Four, not for ttt"));
    let digits = "0,".repeat(42) + "2";
    let connect4 = place
        .analyze()
        .args(["convert", "--from", "uci", "--to", "key"])
        .write_stdin(digits)
        .assert();
    connect4.code(1).stderr(contains("take the file of UCI"));
}

#[test]
fn what_cannot_be_exported_is_refused_and_leaves_nothing() {
    let place = Place::new();
    place.run("ttt --size 3x3").success();
    let before = place.entries();
    for (options, says) in [
        ("", "--format"),
        ("--format pons", "Connect Four"),
        ("--format csv --plies 12", "no position"),
        ("--format csv --plies 8-2", "the lower one comes first"),
        ("--format csv --csv out", "cannot be used with"),
        ("--format csv --game connect4", "holds ttt 3x3, 3 and nothing else"),
        ("--format pons --all-moves", "--all-moves"),
        ("--format excel", "possible values"),
    ] {
        let run = place.run(&format!("export everyply.db {options}"));
        run.code(2).stdout("").stderr(contains(says));
        assert_eq!(place.entries(), before, "{options}");
    }
    let run = place.run("export everyply.db --format csv --out none/x.csv");
    run.code(1).stderr(contains("none/x.csv"));
    // An outcome alone is no score.
    write(&place, "wins.db", &Standard::fixed(), vec![won("4455", None)]);
    let before = place.entries();
    place.refuses("export wins.db --format pons", 2, "not how soon");
    assert_eq!(place.entries(), before);
}

/// A row of a position that is won for the side to move.
fn won(moves: &str, remoteness: Option<u8>) -> PositionRow {
    let game = Standard::fixed();
    let position = parse_moves(&game, moves).unwrap();
    let remoteness = remoteness.map(Remoteness);
    let value = PartialValue { outcome: Outcome::Win, remoteness };
    row(&game, position, value)
}

/// A row of a position without its best moves.
fn row<G: LineGame>(game: &G, position: Stones, value: impl Into<PartialValue>) -> PositionRow {
    let (key, ply) = (game.canonical(position).0, position.ply());
    PositionRow { key, ply, value: value.into(), best: None }
}

#[test]
fn positions_that_a_format_has_no_place_for_are_left_out_and_counted() {
    let place = Place::new();
    let rows = vec![won("4455", Some(3)), won("44556", None), won("1122", None)];
    write(&place, "wins.db", &Standard::fixed(), rows);
    let run = place.run("export wins.db --format pons --out out --json").success();
    let run = run.stderr(contains("2 positions were").and(contains("not how soon")));
    let manifest = document(&run);
    assert_eq!((&manifest["skipped"], &manifest["rows"]), (&2.into(), &1.into()));
    assert_eq!(manifest["schema"], 4);
}

/// The lines of a file, sorted.
pub fn sorted_lines(place: &Place, name: &str) -> Vec<String> {
    let text = place.text(name);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_solution_file_is_exported_as_a_database_of_all_its_positions() {
    let place = Place::new();
    let game = small();
    write(&place, "all.db", &game, solved(&game));
    place.run("solve connect4 --size 4x4 --out 4x4.solution").success();
    for options in [
        "csv --all-moves",
        "csv --mirror --all-moves --plies 3-9",
        "csv --outcome win,draw --remoteness 3-5,8",
        "csv --outcome loss --plies 0-6,16",
        "jsonl --plies 5",
        "pons --plies 0-8",
    ] {
        place.run(&format!("export all.db --format {options} --out a")).success().stderr("");
        place.run(&format!("export 4x4.solution --format {options} --out b")).success().stderr("");
        let (a, b) = (sorted_lines(&place, "a"), sorted_lines(&place, "b"));
        assert!(a == b && a.len() > 20, "{options}: {} and {} lines", a.len(), b.len());
    }
    // As many as OEIS counts, with both images of each.
    let whole = place.json("export 4x4.solution --format csv --mirror --out all.csv");
    assert_eq!(whole["rows"], 161_029);
    assert_eq!(whole["mirror"], true);
    let some = "export 4x4.solution --format csv --outcome win --remoteness 3 --out some.csv";
    let some = place.json(some);
    assert_eq!(some["filter"]["outcome"], "win");
    assert_eq!(some["filter"]["remoteness"], "3");
    // The same whatever the threads.
    for threads in [1, 3] {
        let out = format!("--plies 9 --out t{threads} --threads {threads}");
        place.run(&format!("export 4x4.solution --format csv {out}")).success();
    }
    assert!(place.read("t1") == place.read("t3"));
    for (options, says) in [
        ("--csv out", "has no tables"),
        ("--format uci", "7x6"),
        ("--format csv --size 5x4", "nothing else"),
        ("--format csv --outcome won", "win, draw or loss"),
        ("--format csv --plies 1 --outcome win --remoteness 2", "no position"),
    ] {
        let run = place.run(&format!("export 4x4.solution {options}"));
        run.code(2).stdout("").stderr(contains(says));
    }
    // Outcomes alone are exported without distances.
    place.run("book connect4 --size 4x4 --plies 8 --outcome-only --db o.db").success();
    place.run("export o.db --game connect4 --format csv --plies 2 --out o.csv").success();
    let text = place.text("o.csv");
    assert!(text.contains(",draw,14,0,"), "{text}");
    place
        .run("export o.db --game connect4 --format pons --plies 6-8 --out o.txt")
        .success()
        .stderr(contains("left out").and(contains("not how soon")));
}

#[test]
fn every_image_is_written_with_its_own_moves() {
    let place = Place::new();
    place.run("ttt").success();
    place.run("nim 1,2,2").success();
    place.run("hexapawn --size 3x3 --db pawns.db").success();
    let manifest = place.json("export everyply.db --game ttt --format jsonl --mirror --out t");
    // Every reachable position of tic-tac-toe.
    assert_eq!(manifest["rows"], 5_478);
    let text = place.text("t");
    let rows: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The one reply that draws against a stone in a corner, in each of the four images.
    let corner = |row: &&serde_json::Value| {
        row["ply"] == 1 && row["best"] == "5" && row["board"].as_str().unwrap().len() == 11
    };
    let boards: Vec<&str> =
        rows.iter().filter(corner).filter_map(|row| row["board"].as_str()).collect();
    for board in ["X../.../...", "..X/.../...", ".../.../X..", ".../.../..X"] {
        assert!(boards.contains(&board), "{board} of {boards:?}");
    }
    let plain = place.json("export pawns.db --format csv --all-moves --out plain.csv");
    let all = place.json("export pawns.db --format csv --all-moves --mirror --out all.csv");
    assert!(all["rows"].as_u64() > plain["rows"].as_u64());
    for row in place.table("all.csv") {
        let list = |name: &str| row[name].trim_matches(['[', ']']);
        let words = |name: &str| -> Vec<&str> { list(name).split(' ').collect() };
        let (legal, outcomes) = (words("legal_moves"), words("legal_outcomes"));
        assert_eq!(legal.len(), outcomes.len());
        assert_eq!(legal.len(), words("legal_remotenesses").len());
        for (m, outcome) in legal.iter().zip(outcomes).filter(|(m, _)| !m.is_empty()) {
            let best = words("best").contains(m);
            assert!(!best || outcome == row["outcome"], "{row:?}");
        }
    }
}

#[test]
fn rows_of_the_data_set_come_from_their_positions() {
    let place = Place::new();
    let game = Standard::fixed();
    let (all, draw) = (uci::positions(), PartialValue::of_outcome(Outcome::Draw));
    // The mirror images are stored under the same key; positions that are not quiet stay out.
    let mut rows: Vec<PositionRow> =
        all.iter().step_by(1000).map(|position| row(&game, *position, draw)).collect();
    let loud = parse_moves(&game, "11223354").unwrap();
    rows.push(row(&game, loud, PartialValue::of_outcome(Outcome::Win)));
    write(&place, "some.db", &game, rows);
    let manifest = place.json("export some.db --format uci --out uci.data");
    assert_eq!((&manifest["rows"], &manifest["complete"]), (&68.into(), &false.into()));
    let text = place.text("uci.data");
    assert_eq!(text.lines().count(), 68);
    let first =
        "b,b,b,b,b,b,b,b,b,b,b,b,x,o,b,b,b,b,x,o,x,o,x,o,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,draw";
    assert_eq!(text.lines().next(), Some(first));
    let verified = place.json("verify some.db --sample 0 --against uci.data");
    assert_eq!(verified["against"]["format"], "uci");
    assert_eq!(verified["against"]["agreements"], 68);
    // A row with another value is found, with its line and both values.
    std::fs::write(place.path("wrong.data"), text.replacen(",draw", ",loss", 1)).unwrap();
    let said = contains("stored draw; wrong.data, line 1 says loss");
    place.run("verify some.db --sample 0 --against wrong.data").code(3).stdout(said);
}

#[test]
fn a_whole_database_is_verified() {
    let place = Place::new();
    let game = small();
    write(&place, "a.db", &game, solved(&game));
    let report = place.json("verify a.db --sample 300 --seed 5");
    assert_eq!(report["sample"]["agreements"], 300);
    assert_eq!(report["rows"]["unchecked"], 0);
    assert_eq!(report["rows"]["bounded"], 0);
    let plies = report["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 17);
    assert!(plies.iter().all(|ply| ply["stored"] == ply["canonical"]));
    // The lines exported from it agree with it.
    place.run("export a.db --format pons --out pons.txt").success();
    let against = "verify a.db --sample 0 --against pons.txt --against-format pons";
    let report = place.json(against);
    assert_eq!(report["against"]["not_stored"], 0);
    assert_eq!(report["against"]["records"], report["against"]["agreements"]);
    // Positions that are not stored are counted; a file with none that is stored is refused.
    let later = |ply: u8| solved(&game).into_iter().filter(|row| row.ply.0 >= ply).collect();
    write(&place, "late.db", &game, later(8));
    let report = place.json(&against.replace("a.db", "late.db"));
    let count = |name: &str| report["against"][name].as_u64().unwrap();
    assert_eq!(count("agreements") + count("not_stored"), count("positions"));
    assert!(count("agreements") > 0 && count("not_stored") > 0, "{report}");
    write(&place, "few.db", &game, later(16));
    let refused = place.run(&against.replace("a.db", "few.db")).code(1);
    refused.stderr(contains("nothing to compare"));
}

#[test]
fn planted_errors_are_found() {
    let game = small();
    let sound = solved(&game);
    let find = |wanted: &dyn Fn(&PositionRow) -> bool| sound.iter().position(wanted).unwrap();
    let at = |ply: u8, plies: u8| {
        find(&|row| row.ply.0 == ply && row.value.remoteness == Some(Remoteness(plies)))
    };
    let key = game.canonical(parse_moves(&game, "1122").unwrap()).0;
    let (drawn, over, won) = (find(&|row| row.key == key), at(8, 0), at(9, 3));
    let image = |row: &PositionRow| game.image_key(game.position_of(row.key).unwrap(), Symmetry(1));
    let mirrored = find(&|row| row.ply.0 == 3 && image(row) != row.key);
    let other = PositionRow { key: image(&sound[mirrored]), ..sound[mirrored] };
    let valued = |index: usize, outcome, plies| {
        let value = Value::new(outcome, Remoteness(plies)).into();
        (index, PositionRow { value, ..sound[index] })
    };
    let only = |column: u8| Some(MoveSet::EMPTY.with(Move(column)));
    let best = if sound[won].best == only(1) { only(2) } else { only(1) };
    let ply = everyply::game::Ply(5);
    let place = Place::new();
    let check = |rows: Vec<PositionRow>, says: &[&str]| {
        let name = format!("{}.db", place.entries().len());
        write(&place, &name, &game, rows);
        let said = stdout(&place.run(&format!("verify {name} --sample 0")).code(3));
        assert!(says.iter().all(|says| said.contains(says)), "{says:?}: {said}");
    };
    for ((index, wrong), says) in [
        (valued(drawn, Outcome::Win, 5), &["stored a win at ply 4", "no move is better"][..]),
        (valued(drawn, Outcome::Loss, 4), &["children:", "stored a loss at ply 4", "is a draw"]),
        (valued(won, Outcome::Win, 5), &["children:", "5 plies from the end", "is a win in 3"]),
        (valued(won, Outcome::Win, 4), &["row:", "no win can be so far"]),
        ((won, PositionRow { best, ..sound[won] }), &["children:", "move "]),
        (valued(over, Outcome::Draw, 0), &["row:", "none; loss, the game is over"]),
        ((drawn, PositionRow { ply, ..sound[drawn] }), &["row:", "the position belongs to ply 4"]),
        ((drawn, PositionRow { key: Key(1), ..sound[drawn] }), &["row: key 1", "has this key"]),
        ((mirrored, other), &["row:", "another image"]),
    ] {
        let mut rows = sound.clone();
        rows[index] = wrong;
        check(rows, says);
    }
    // A ply can only have too many rows because of such images; too few are no error.
    check([&sound[..], &[other]].concat(), &["count: ply 3", "there are only"]);
    let mut fewer = sound.clone();
    fewer.remove(drawn);
    write(&place, "fewer.db", &game, fewer);
    place.run("verify fewer.db --sample 10").success();
}

/// Wrong values that no children contradict, because none are stored: only a sample finds them.
#[test]
fn a_sample_finds_what_children_cannot() {
    let place = Place::new();
    let game = small();
    let rows: Vec<PositionRow> = solved(&game)
        .into_iter()
        .filter(|row| row.ply.0 == 9 && row.value.remoteness == Some(Remoteness(7)))
        .map(|row| PositionRow { value: Value::new(Outcome::Loss, Remoteness(6)).into(), ..row })
        .collect();
    assert!(rows.len() > 5);
    let count = rows.len();
    write(&place, "wrong.db", &game, rows);
    place.run("verify wrong.db --sample 0").success();
    let report = mismatches(&place, "verify wrong.db --sample 5 --seed 3");
    let found = report["disagreements"].as_array().unwrap();
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|found| found["check"] == "sample"));
    assert_eq!(
        mismatches(&place, "verify wrong.db --sample 5 --seed 3")["disagreements"],
        report["disagreements"]
    );
    let all = mismatches(&place, "verify wrong.db --sample 1000000");
    assert_eq!(all["disagreements"].as_array().unwrap().len(), count);
}

#[test]
fn books_of_others_are_compared_by_what_is_there_and_what_is_not() {
    let place = Place::new();
    let game = connect_four(7, 6, 4);
    let positions: Vec<Stones> = uci::positions().into_iter().step_by(5000).collect();
    let value = |i: usize| match i % 3 {
        0 => Value::new(Outcome::Win, Remoteness(33)),
        1 => Value::new(Outcome::Draw, Remoteness(34)),
        _ => Value::new(Outcome::Loss, Remoteness(32)),
    };
    let valued = positions.iter().enumerate().map(|(i, p)| (*p, value(i)));
    let rows = valued.clone().map(|(position, value)| row(&game, position, value));
    write(&place, "a.db", &game, rows.collect());
    std::fs::write(place.path("b.dat"), encode(BitBullyBook::Ply8, &game, valued.clone())).unwrap();
    let verify = "verify a.db --sample 0 --against b.dat --against-format bitbully-8";
    let against = place.json(verify)["against"].clone();
    let wins = positions.len().div_ceil(3);
    assert_eq!(against["absent_agreements"], wins);
    assert_eq!(against["agreements"], positions.len() - wins);
    // A loss that a book leaves out counts as won.
    let without = valued.enumerate().filter(|(i, _)| *i != 2).map(|(_, valued)| valued);
    std::fs::write(place.path("b.dat"), encode(BitBullyBook::Ply8, &game, without)).unwrap();
    let report = mismatches(&place, verify);
    assert_eq!(report["disagreements"].as_array().unwrap().len(), 1);
    assert!(report["disagreements"][0]["other"].as_str().unwrap().contains("leaving it out"));
    // Lines of no known format are refused, with the remedy.
    std::fs::write(place.path("open.txt"), "44: 1\n").unwrap();
    place.refuses("verify a.db --against open.txt", 2, "--against-format");
    std::fs::write(place.path("cut.dat"), b"\x05\x5c").unwrap();
    place.refuses(
        "verify a.db --sample 0 --against cut.dat --against-format bitbully-8",
        2,
        "cut.dat: it has 2 bytes",
    );
}

#[test]
fn a_file_that_contradicts_itself_is_told_in_sentences() {
    let place = Place::new();
    place.run("connect4 --size 4x4 --db a.db").success();
    std::fs::write(place.path("two.txt"), "1 0\n4 1\n12 0\n").unwrap();
    let verify = "verify a.db --against two.txt --against-format pons";
    let report = mismatches(&place, verify);
    let counts = &report["against"];
    assert_eq!([&counts["records"], &counts["positions"]], [3, 2]);
    assert_eq!([&counts["contradictions"], &counts["disagreements"]], [1, 0]);
    let found = &report["disagreements"][0];
    assert_eq!((&found["check"], &found["stored"]), (&"against".into(), &serde_json::Value::Null));
    let other = found["other"].as_str().unwrap();
    assert!(other.starts_with("two.txt contradicts itself: line 1 says draw"), "{other}");
    assert!(other.contains(", and line 2 says win in "), "{other}");
    let told = place.run(verify).code(3);
    let said = contains("two.txt contradicts itself: it has several values of 1 position");
    told.stdout(said.and(contains(other)));
    // A comparison solves no sample unless `--sample` requests it.
    assert_eq!(report["sample"]["solved"], 0);
    assert_eq!(mismatches(&place, &format!("{verify} --sample 3"))["sample"]["solved"], 3);
}

#[test]
fn options_for_databases_are_refused_for_solution_files() {
    let place = Place::new();
    place.run("solve connect4 --size 4x4 --out s.solution").success();
    place.refuses("verify s.solution --against s.solution", 2, "--against");
    place.run("verify s.solution").success();
    let sampled = place.run("verify s.solution --sample 50 --seed 3").success();
    sampled.stdout(contains("sample     50 of 50 positions solved anew agree (seed 3)"));
}

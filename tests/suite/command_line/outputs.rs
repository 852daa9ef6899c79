//! Where results go: regular files and links to them, with the permissions of any new file;
//! killed runs leave nothing for long.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::support::Place;

/// The commands that write a file, each without the value of its last option.
const WRITERS: [&str; 3] = [
    "solve connect4 --size 3x3 --out",
    "export everyply.db --format csv --out",
    "report everyply.db --out",
];

fn place() -> Place {
    let place = Place::new();
    place.run("ttt --csv tables").success();
    place
}

#[test]
fn what_is_no_regular_file_is_refused_and_left_as_it_is() {
    let place = place();
    let _socket = UnixListener::bind(place.path("socket")).unwrap();
    symlink("socket", place.path("link")).unwrap();
    let before = place.entries();
    for writer in WRITERS {
        for target in ["socket", "link"] {
            let said = format!("{target} is not a regular file");
            place.refuses(&format!("{writer} {target}"), 1, &said);
        }
        place.run(&format!("{writer} tables")).code(1);
    }
    assert_eq!(place.entries(), before);
    fs::create_dir(place.path("csv")).unwrap();
    let _plies = UnixListener::bind(place.path("csv/ttt-plies.csv")).unwrap();
    place.run("ttt --no-db --csv csv").code(1);
    assert!(!place.path("csv/ttt-solution.csv").exists());
}

#[test]
fn links_are_followed_and_permissions_are_those_of_any_new_file() {
    let place = place();
    let mode = |name: &str| fs::metadata(place.path(name)).unwrap().permissions().mode();
    fs::write(place.path("usual"), "").unwrap();
    for (i, writer) in WRITERS.into_iter().enumerate() {
        let (there, nowhere) = (format!("there-{i}"), format!("nowhere-{i}"));
        fs::write(place.path(&there), "old").unwrap();
        for file in [&there, &nowhere] {
            let link = format!("link-to-{file}");
            symlink(file, place.path(&link)).unwrap();
            place.run(&format!("{writer} {link}")).success();
            assert!(place.path(&link).is_symlink(), "{writer}");
            assert!(place.read(file).len() > 100, "{writer}");
            assert_eq!(mode(file), mode("usual"), "{writer}");
        }
    }
    assert_eq!(mode("tables/ttt-plies.csv"), mode("usual"));
    assert!(place.entries().iter().all(|name| !name.starts_with('.')), "{:?}", place.entries());
}

#[test]
fn results_are_printed_where_the_disk_is_full() {
    for (arguments, result) in [
        ("ttt", "draw in 9 plies"),
        ("connect4 4444443322", "best "),
        ("connect4 --depth 6", "best "),
        ("ttt --no-db --csv tables", "draw in 9 plies"),
        ("count connect4 --size 4x4 --no-db --csv tables", "branching"),
        ("compare ttt --depth 4 --csv tables", "alpha-beta"),
        ("solve nim --out nim.solution --json", "\"win\""),
        ("solve morris --men 3 --out morris.solution", "value"),
        ("ttt --db named.db --json", "\"draw\""),
        ("strategy connect4 --size 4x4 --for second --improve 0 --out 4x4.strategy", "positions"),
    ] {
        for blocks in [0, 16] {
            let place = Place::new();
            // As on a full disk, files can be made, but hold no more than blocks of 512 bytes.
            let ended = place.limited(&format!("trap '' XFSZ; ulimit -f {blocks}"), arguments);
            let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
            let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
            // A requested file that cannot be created is refused before the work.
            let is_refused = arguments.contains("--db") && stdout.is_empty();
            assert!(is_refused || stdout.contains(result), "{arguments} {blocks}: {stderr}");
            let fits = ended.status.success();
            assert!(fits || ended.status.code() == Some(1), "{arguments}: {:?}", ended.status);
            assert!(fits || stderr.starts_with("error: "), "{arguments} {blocks}: {stderr}");
            assert!(stderr.matches("free some space").count() < 2, "{arguments}: {stderr}");
        }
    }
}

#[test]
fn a_count_names_its_files() {
    let place = Place::new();
    let counted = place.run("count ttt --csv tables").success();
    counted
        .stdout(contains("database   everyply.db: counts of 10 plies\n"))
        .stdout(contains("CSV        tables/count-plies.csv\n"));
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let place = Place::new();
    let arguments = "solve connect4 --size 6x5 --out board.solution --threads 1 --work work";
    let mut child = place.start(arguments);
    let temporary = |place: &Place| {
        let is_ours = |name: &String| name.starts_with(".everyply-");
        place.entries().into_iter().filter(is_ours).collect::<Vec<_>>()
    };
    let began = Instant::now();
    while temporary(&place).is_empty() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Its number among the files of that process depends on what is in the work folder.
    let name = temporary(&place).pop().unwrap();
    let ours = format!(".everyply-{}-", child.id());
    assert!(name.starts_with(&ours) && name.ends_with("-board.solution.tmp"), "{name}");
    let expected = [name];
    assert_eq!(temporary(&place), expected);
    // As long as that run lives, its file stays.
    place.run("solve connect4 --size 3x3 --out small.solution").success();
    assert_eq!(temporary(&place), expected);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(temporary(&place), expected);
    place.run("solve connect4 --size 3x3 --out small.solution").success();
    assert!(temporary(&place).is_empty());
}

/// The page of tables names the columns that the commands write.
#[test]
fn tables_have_the_columns_that_their_page_names() {
    let page = include_str!("../../../docs/formats.md");
    let listed = page.lines().filter_map(|line| {
        let mut cells = line.split('|').map(|cell| cell.trim().trim_matches('`'));
        let (table, columns) = (cells.nth(2)?, cells.nth(1)?);
        (table.ends_with(".csv") && columns.contains(',')).then_some((table, columns))
    });
    let place = Place::new();
    for command in [
        "ttt",
        "nim",
        "count ttt",
        "connect4 4444",
        "connect4 4444 --all-moves",
        "connect4 --depth 3",
        "compare ttt --depth 2",
    ] {
        place.run(&format!("{command} --no-db --csv t")).success();
    }
    let mut checked = 0;
    for (table, columns) in listed.filter(|(_, columns)| !columns.contains(' ')) {
        assert_eq!(place.text(&format!("t/{table}")).lines().next().unwrap(), columns, "{table}");
        checked += 1;
    }
    assert_eq!(checked, 8);
    place.run("count ttt --no-db --csv t").stdout(contains("t/count-plies.csv (replaced)\n"));
}

/// An exact run has one row, and a file of moves only with `--all-moves`.
#[test]
fn an_exact_run_writes_its_result_as_a_row() {
    let place = Place::new();
    let said = place.output("connect4 4453 --no-db --csv out");
    assert!(said.ends_with("CSV        out/connect4-value.csv\n"), "{said}");
    let rows = place.text("out/connect4-value.csv");
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[1].starts_with("4453,X,loss,36,-2,[3 6 7],"), "{rows:?}");
    place.run("connect4 4453 --no-db --all-moves --csv all").success();
    assert_eq!(place.text("all/connect4-root-moves.csv").lines().count(), 1 + 7);
    assert!(!place.path("out/connect4-root-moves.csv").exists());
}

#[test]
fn what_a_search_to_a_depth_proves_is_said_in_words_and_stored() {
    let place = Place::new();
    let said = place.output("connect4 44455554221 --depth 12 --csv d --db d.db");
    assert!(said.contains("loss in 2 plies") && !said.contains("9999"), "{said}");
    let iterations = place.text("d/connect4-iterations.csv");
    assert!(iterations.lines().nth(2).unwrap().starts_with("2,,loss,2,"), "{iterations}");
    // The root and its moves, without other proved positions.
    assert!(said.contains("8 positions added"), "{said}");
}

/// The nodes of all threads add up to the nodes of the search.
#[test]
fn the_work_of_a_search_to_a_depth_adds_up() {
    let place = Place::new();
    // Long enough to be shared, in a table that has to forget.
    let search = "connect4 --depth 15 --no-db --threads 2 --table-size 1";
    let document = place.json(search);
    let count = |value: &serde_json::Value| value.as_u64().unwrap();
    let stats = &document["stats"];
    let threads = stats["per_thread"].as_array().unwrap();
    let worked: Vec<u64> = threads.iter().map(|thread| count(&thread["nodes"])).collect();
    assert!(worked.len() == 2 && worked.iter().all(|nodes| *nodes > 0), "{stats}");
    let (all, depths) = (count(&stats["nodes"]), document["iterations"].as_array().unwrap());
    // A root is a node of no thread.
    assert_eq!(worked.iter().sum::<u64>() + depths.len() as u64, all);
    let (stores, replaced) = (count(&stats["table_stores"]), count(&stats["table_replacements"]));
    assert!(replaced > 0 && replaced < stores, "{stats}");
    let fill = stats["table_fill"].as_f64().unwrap();
    assert!(fill > 0.5 && fill <= 1.0, "{stats}");
    for depth in depths {
        let (line, threads) = (depth["pv"].as_str().unwrap(), count(&depth["threads"]));
        assert!(!line.is_empty() && line.len() as u64 <= count(&depth["depth"]), "{depth}");
        assert!(threads == 1 || count(&depth["depth"]) > 8, "{depth}");
    }
    let said = place.output(search);
    for part in ["% full; ", "% hits; ", "% replaced another position", " put off, busy for "] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_last_depth_completed_stays_when_the_time_is_over() {
    let place = Place::new();
    let search = "connect4 --depth 42 --no-db --timeout 0.5 --csv t";
    let run = place.run(search).code(124);
    run.stdout(contains("stopped: the last depth completed is ").and(contains("best       ")));
    assert!(place.text("t/connect4-iterations.csv").lines().count() > 8);
    let document: serde_json::Value =
        crate::support::document(&place.run(&format!("{search} --json")).code(124));
    assert!(document["interrupted"] == true && document["depth"].as_u64() > Some(8), "{document}");
    assert!(!document["pv"].as_str().unwrap().is_empty(), "{document}");
}

#[test]
fn rows_of_a_comparison_stay_when_its_time_is_over() {
    let place = Place::new();
    let run = place.run("compare connect4 --depth 12 --timeout 0.3 --csv t").code(124);
    run.stdout(contains("minimax\ndepth "));
    let rows = place.text("t/compare.csv");
    assert!(rows.lines().nth(1).unwrap().starts_with("minimax,1,1,"), "{rows}");
}

/// In games that count points, `best` has the moves with the most; `soonest` attains the value.
#[test]
fn best_moves_of_a_game_for_points_attain_the_points() {
    let place = Place::new();
    let kalah = place.json("kalah --pits 2 --seeds 3 --no-db");
    assert_eq!(kalah["soonest"], serde_json::json!(["2"]));
    let values = kalah["values"].as_array().unwrap();
    let attain = values.iter().filter(|row| row["points"] == kalah["points"]);
    let attain: Vec<&serde_json::Value> = attain.map(|row| &row["move"]).collect();
    assert_eq!(kalah["best"], serde_json::json!(attain));
    assert!(place.output("kalah --pits 2 --seeds 3 --no-db").contains("\nsoonest    2 ("));
    // Every other command agrees: move 1 with -2 points.
    let explained = place.json("explain kalah --pits 2 --seeds 3");
    assert_eq!((&explained["best"], &explained["points"]), (&kalah["best"], &kalah["points"]));
    let mut play = place.analyze();
    play.args("play kalah --pits 2 --seeds 3".split(' ')).write_stdin("hint\nvalues\nquit\n");
    let said = contains("the best move is 1\n").and(contains("   1  loss in 5 plies, -2 points\n"));
    play.assert().success().stdout(said);
    place.run("kalah --pits 2 --seeds 3 --db k.db").success();
    let line = contains("best       1\nline       1,1,2,2,2\n");
    place.run("query k.db").success().stdout(line);
    place.run("verify k.db").success();
    place.run("solve kalah --pits 2 --seeds 3 --out k.sol").success();
    place.run("query k.sol").success().stdout(contains("\nsoonest    2 (the files have no points"));
    let sample = "sample kalah --pits 2 --seeds 3 --number 60";
    for (source, file) in
        [("export k.sol", "k.csv"), ("export k.db", "db.csv"), (sample, "sample/positions.csv")]
    {
        let out = file.split('/').next().unwrap();
        place.run(&format!("{source} --all-moves --format csv --out {out}")).success();
        let list = |text: &str| -> Vec<String> {
            text.trim_matches(['[', ']']).split_whitespace().map(str::to_owned).collect()
        };
        let mut differ = 0;
        for row in place.table(file) {
            let [moves, points, best] =
                ["legal_moves", "legal_points", "best"].map(|name| list(&row[name]));
            let most = points.iter().map(|points| points.parse::<i32>().unwrap()).max();
            let attain = moves.iter().zip(&points);
            let attain = attain.filter(|(_, points)| points.parse::<i32>().ok() == most);
            let attain: Vec<String> = attain.map(|(m, _)| m.clone()).collect();
            assert_eq!(attain, best, "{source}: {row:?}");
            let own: i32 = row["points"].parse().unwrap();
            assert!(most.is_none_or(|most| most == own), "{source}: {row:?}");
            differ += u32::from(best.len() < moves.len());
        }
        assert!(differ > 20, "{source}: {differ}");
    }
}

#[test]
fn a_picture_of_a_tree_counts_the_nodes_of_its_text() {
    let place = Place::new();
    let tree = "tree nim 2,2 --plies 3 --prune alpha-beta";
    assert!(place.output(tree).contains("\n22 nodes, 2 branches cut off;"));
    let picture = place.output(&format!("{tree} --format svg"));
    assert!(picture.contains("22 nodes;") && !picture.contains("24 nodes"), "{picture}");
}

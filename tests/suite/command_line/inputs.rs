//! Endless input, bytes that are no text, and rows that are written at once.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

/// Reads a stream to its end on a separate thread and drops the content.
fn drain(stream: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<u64> {
    std::thread::spawn(move || {
        let mut stream = stream;
        std::io::copy(&mut stream, &mut std::io::sink()).unwrap_or(0)
    })
}

/// The most memory that a process has held, in MiB; `None` once it has ended.
#[cfg(target_os = "linux")]
fn most_memory(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib >> 10)
}

/// Runs the program on an endless input for a while. Returns its peak memory, and its exit code if
/// it ended by itself, as it must without a feed.
#[cfg(target_os = "linux")]
fn fed(place: &Place, arguments: &str, feed: Vec<u8>) -> (u64, Option<i32>) {
    let while_fed = if feed.is_empty() { LONG } else { Duration::from_millis(350) };
    let mut child = place.start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let feeder =
        std::thread::spawn(move || while !feed.is_empty() && stdin.write_all(&feed).is_ok() {});
    let drains = (drain(child.stdout.take().unwrap()), drain(child.stderr.take().unwrap()));
    let (begun, mut most) = (Instant::now(), 0);
    while begun.elapsed() < while_fed && child.try_wait().unwrap().is_none() {
        most = most.max(most_memory(&child).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let ended = child.try_wait().unwrap();
    if ended.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    feeder.join().unwrap();
    drains.0.join().unwrap();
    drains.1.join().unwrap();
    (most, ended.and_then(|status| status.code()))
}

#[cfg(target_os = "linux")]
const MOST_MIB: u64 = 200;

/// Files that commands read more than once, or at any offset, have to be regular files of a
/// possible size.
#[cfg(target_os = "linux")]
#[test]
fn files_without_end_are_refused_by_every_command() {
    let place = Place::new();
    place.run("connect4 4455").success();
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    let sparse = std::fs::File::create(place.path("sparse")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    for (command, files) in [
        ("report {}", &["/dev/zero", "fifo", "sparse"][..]),
        ("query {} 4455", &["/dev/zero", "fifo", "sparse"]),
        ("export {} --format csv", &["/dev/zero", "fifo", "sparse"]),
        ("verify {}", &["/dev/zero", "fifo", "sparse"]),
        ("verify everyply.db --against {}", &["/dev/zero", "fifo", "sparse"]),
        ("verify everyply.db --against {} --against-format pons", &["/dev/zero", "fifo", "sparse"]),
        ("serve {}", &["/dev/zero", "fifo"]),
        ("connect4 4455 --book {}", &["/dev/zero", "fifo"]),
        ("connect4 4455 --db {}", &["/dev/zero", "fifo"]),
        ("connect4 --size 4x4 --no-db --checkpoint {}", &["/dev/zero", "fifo", "sparse"]),
        ("connect4 --input {}", &["/dev/zero", "sparse"]),
        ("connect4 --size 8x7 --table-size 8 --input {}", &["/dev/zero"]),
        ("convert --from openspiel --to moves0 {}", &["/dev/zero", "sparse"]),
    ] {
        for file in files {
            let arguments = command.replace("{}", file);
            let (most, code) = fed(&place, &arguments, Vec::new());
            assert!(matches!(code, Some(1 | 2)), "{arguments}: {code:?}");
            assert!(most < MOST_MIB, "{arguments}: {most} MiB");
        }
    }
    place.run("connect4 --input /dev/zero").code(1).stderr(contains("line 1: it is longer than"));
    place.refuses("report /dev/zero", 1, "it is a pipe or a device");
    let header = "algorithm,depth,threads,score,nodes,leaf_evaluations,\
                  effective_branching_factor,saved_factor,elapsed_s,skipped\n";
    let open_quote = format!("{header}\"{}", "x".repeat(3 << 20));
    std::fs::write(place.path("quote.csv"), open_quote).unwrap();
    place.refuses("report quote.csv", 1, "larger than 1 MiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_end_takes_no_more_memory_than_a_short_one() {
    let place = Place::new();
    // Right and wrong lines, and one that never ends.
    let feeds = [b"4453\n".repeat(1000), b"y\n".repeat(1000), vec![0; 8192]];
    for arguments in [
        "connect4 --size 5x4 --input - --value-only",
        "convert --from openspiel --to moves1",
        "play ttt --level beginner",
    ] {
        for feed in feeds.clone() {
            let what = format!("{arguments}, fed {:?}", &feed[..4]);
            let (most, code) = fed(&place, arguments, feed);
            assert!(matches!(code, None | Some(0..=2)), "{what}: {code:?}");
            assert!(most < MOST_MIB, "{what}: {most} MiB");
        }
    }
}

#[test]
fn a_line_that_is_no_text_costs_that_line_alone() {
    let place = Place::new();
    std::fs::write(place.path("in.txt"), b"4455 18\n44\xff3\n44455554221 -15\n").unwrap();
    let told = place.run("connect4 --input in.txt").code(1);
    let output = told.get_output();
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    assert_eq!(rows.headers().unwrap().iter().nth_back(2), Some("error"));
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0][1], &rows[0][7]), ("win", ""));
    assert_eq!((&rows[2][1], &rows[2][7]), ("loss", ""));
    assert!(rows[1].iter().skip(1).take(6).all(str::is_empty) && rows[1][0].starts_with("44"));
    assert!(rows[1][7].contains("byte 3 (0xff) is no UTF-8"), "{}", &rows[1][7]);
    told.stderr(contains("line 2: byte 3 (0xff)").and(contains("1 of 3 lines")));

    std::fs::write(place.path("in.txt"), b"4455\n44\xff3\n444444\n4x\n").unwrap();
    place
        .run("convert --from moves1 --to moves0 in.txt")
        .code(1)
        .stdout("3344\n333333\n")
        .stderr(contains("line 2: byte 3 (0xff)").and(contains("line 4: character 2 ('x')")));

    let input = b"44\xff\nquit\n".to_vec();
    let played = place.analyze().args(["play", "ttt"]).write_stdin(input).assert().success();
    played.stdout(contains("type hint, values"));
}

/// Lines of a stream, as they come.
pub(super) fn lines_of(stream: impl std::io::Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            if line.is_err() || sender.send(line.unwrap()).is_err() {
                return;
            }
        }
    });
    lines
}

#[test]
fn a_batch_tells_the_score_of_every_move() {
    let place = Place::new();
    // A full column, a game that is over, and a line that is none.
    std::fs::write(place.path("in.txt"), "2222\n12\n1212121\n9\n1231\n").unwrap();
    for threads in [1, 2] {
        let command = "connect4 --size 5x4 --input in.txt --all-moves --no-db --threads";
        let run = place.run(&format!("{command} {threads}")).code(1);
        let mut reader = csv::Reader::from_reader(&run.get_output().stdout[..]);
        let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let scores = ["score_1", "score_2", "score_3", "score_4", "score_5"];
        assert_eq!(header[7..12], scores);
        assert_eq!(header[12], "error");
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 5);
        assert!(rows[3].iter().skip(1).take(11).all(str::is_empty) && !rows[3][12].is_empty());
        assert_eq!((&rows[3][0], &rows[3][13]), ("9", "4"));
        for row in rows.iter().filter(|row| row[12].is_empty()) {
            let moves = row[0].replace(['[', ' ', ']'], "");
            let single = format!("connect4 --size 5x4 --all-moves --no-db {moves}");
            let told = place.json(&single);
            let moves = told["values"].as_array().unwrap();
            let mut expected = vec![String::new(); 5];
            for m in moves {
                expected[m["move"].as_u64().unwrap() as usize - 1] = m["score"].to_string();
            }
            let found: Vec<&str> = row.iter().skip(7).take(5).collect();
            assert_eq!(found, expected, "{}", &row[0]);
            let best: Vec<String> =
                told["best"].as_array().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(&row[4], format!("[{}]", best.join(" ")), "{}", &row[0]);
        }
        assert_eq!(&rows[0][8], "", "column 2 is full");
        assert!(rows[2].iter().skip(7).take(6).all(str::is_empty), "the game is over");
    }
}

/// Pictures on one line, in every form with one meaning, are read in a batch as on the command line.
#[test]
fn lines_of_a_batch_may_be_pictures() {
    let place = Place::new();
    let pictures =
        ["XO./.X./..O", "xo-|-x-|--o", "xo__x___o", "[1,-1,0,0,1,0,0,0,-1]", "120010002"];
    std::fs::write(place.path("in.txt"), pictures.join("\n") + "\n1,2,5,9\n").unwrap();
    let table = place.output("ttt --no-db --input in.txt");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 6);
    for row in &rows {
        assert_eq!((&row[..3], row[7]), (&["[1 2 5 9]", "win", "3"][..], ""), "{table}");
    }
    let picture = "..../..../..../.X..\n2 0\n";
    std::fs::write(place.path("in.txt"), picture).unwrap();
    let table = place.output("connect4 --size 4x4 --no-db --input in.txt");
    let rows: Vec<&str> = table.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(rows, ["draw", "draw"], "{table}");
}

/// Long enough for any machine; a passing test does not wait so long.
pub(super) const LONG: Duration = Duration::from_secs(60);

#[test]
fn rows_come_while_the_input_is_still_open() {
    let place = Place::new();
    for (command, answers) in [
        ("connect4 --size 4x4 --input -", ["[1 2 3 4 1 2 3],", "[1 2],"]),
        ("connect4 --size 4x4 --all-moves --input -", ["[1 2 3 4 1 2 3],", "[1 2],"]),
        ("convert --size 4x4 --from moves1 --to moves0", ["0123012", "01"]),
    ] {
        let mut child = place.start(command);
        let mut stdin = child.stdin.take().unwrap();
        let rows = lines_of(child.stdout.take().unwrap());
        if command.starts_with("connect4") {
            assert!(rows.recv_timeout(LONG).unwrap().starts_with("moves,outcome"));
        }
        for (line, answer) in ["1234123\n", "12\n"].into_iter().zip(answers) {
            stdin.write_all(line.as_bytes()).unwrap();
            let row = rows.recv_timeout(LONG).unwrap();
            assert!(row.starts_with(answer), "{command}: {row}");
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_reader_that_has_seen_enough_ends_a_batch() {
    let place = Place::new();
    for command in ["connect4 --size 4x4 --input -", "convert --from moves1 --to moves0"] {
        let mut child = place.start(command);
        let mut stdin = child.stdin.take().unwrap();
        drop(child.stdout.take());
        let feeder = std::thread::spawn(move || while stdin.write_all(b"1234123\n").is_ok() {});
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{command}");
    }
}

#[test]
fn a_directory_is_no_input() {
    let place = Place::new();
    for command in ["connect4 --no-db --input", "convert --from pons --to uci"] {
        // No table header precedes the rows.
        let told = place.run(&format!("{command} .")).code(1).stdout("");
        told.stderr(contains("is a directory"));
    }
}

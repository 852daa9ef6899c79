//! Every command ends soon after SIGINT or SIGTERM, whatever it is at, with exit code 130.
#![cfg(unix)]

use std::io::Write;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use super::inputs::{LONG, lines_of, piped};
use crate::support::Place;

/// Long after the program has begun to wait, or to work.
const MOMENT: Duration = Duration::from_millis(800);

/// A hang is a minute on a busy machine, too.
const HANG: Duration = Duration::from_secs(30);

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
}

/// How the program ended, if it did.
fn end(child: &mut Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < HANG {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Sends each signal to the command while stdin and stdout are open, and nothing comes or goes.
fn ends_when_asked(place: &Place, arguments: &str) {
    for name in ["-INT", "-TERM"] {
        let mut child = piped(place, arguments);
        std::thread::sleep(MOMENT);
        if let Some(early) = child.try_wait().unwrap() {
            panic!("{arguments} ended by itself: {early}");
        }
        signal(&child, name);
        let status = end(&mut child).unwrap_or_else(|| panic!("{arguments} ignores {name}"));
        assert_eq!(status.code(), Some(130), "{arguments} {name}");
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert!(said.contains("interrupted"), "{arguments} {name}: {said}");
        assert!(!said.contains("panicked"), "{arguments} {name}: {said}");
    }
}

fn fifo(place: &Place) {
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
}

#[test]
fn while_stdin_delivers_nothing() {
    let place = Place::new();
    for arguments in [
        "connect4 --input -",
        "connect4 --size 8x7 --table-size 8 --input -",
        "book connect4 --input -",
        "convert --from moves1 --to moves0",
        "play ttt",
        "play connect4 --second --level beginner",
    ] {
        ends_when_asked(&place, arguments);
        assert!(place.entries().is_empty(), "{arguments}: {:?}", place.entries());
    }
}

#[test]
fn while_nobody_writes_to_a_fifo() {
    let place = Place::new();
    fifo(&place);
    for arguments in [
        "connect4 --input fifo",
        "book connect4 --input fifo",
        "convert --from moves1 --to moves0 fifo",
    ] {
        ends_when_asked(&place, arguments);
        assert_eq!(place.entries(), ["fifo"], "{arguments}");
    }
}

/// What is read more than once, or at any place, has to be a file.
#[test]
fn a_fifo_is_no_database_and_no_solution_file() {
    let place = Place::new();
    fifo(&place);
    place.run("connect4 4455 --db other.db").success();
    for arguments in [
        "report fifo",
        "query fifo 4455",
        "export fifo --format csv",
        "verify fifo",
        "verify other.db --against fifo",
        "verify other.db --against fifo --against-format pons",
        "serve fifo",
        "connect4 4455 --book fifo",
        "connect4 4455 --db fifo",
    ] {
        let mut child = piped(&place, arguments);
        let status = end(&mut child).unwrap_or_else(|| panic!("{arguments} waits for the fifo"));
        assert_eq!(status.code(), Some(1), "{arguments}");
    }
}

#[test]
fn while_it_works() {
    for arguments in [
        "ttt --size 4x4 --line 4",
        "connect4 --depth 40",
        "connect4 --size 8x8 --table-size 8",
        "compare connect4 --depth 30",
        "count connect4 --plies 20 --method walk",
        "solve connect4 --size 6x5 --out solution",
        "book connect4 --plies 10",
    ] {
        ends_when_asked(&Place::new(), arguments);
    }
}

#[test]
fn while_nobody_reads_what_it_writes() {
    let place = Place::new();
    // More rows than a pipe holds.
    std::fs::write(place.path("in.txt"), "1234123\n".repeat(50_000)).unwrap();
    for arguments in [
        "connect4 --size 4x4 --input in.txt",
        "convert --size 4x4 --from moves1 --to picture in.txt",
    ] {
        ends_when_asked(&place, arguments);
    }
    // Stderr holds no more than stdout.
    std::fs::write(place.path("in.txt"), "x\n".repeat(50_000)).unwrap();
    for arguments in ["book connect4 --input in.txt", "convert --from moves1 --to moves0 in.txt"] {
        let mut child = piped(&place, arguments);
        std::thread::sleep(MOMENT);
        signal(&child, "-INT");
        let status = end(&mut child).unwrap_or_else(|| panic!("{arguments} ignores the signal"));
        assert_eq!(status.code(), Some(130), "{arguments}");
    }
}

#[test]
fn all_answers_given_are_kept() {
    let place = Place::new();
    let mut child = piped(&place, "connect4 --size 4x4 --input - --threads 2");
    let mut stdin = child.stdin.take().unwrap();
    let rows = lines_of(child.stdout.take().unwrap());
    stdin.write_all("1234123\n".repeat(100).as_bytes()).unwrap();
    // The header, and a row for each line.
    let count = (0..101).map_while(|_| rows.recv_timeout(LONG).ok()).count();
    assert_eq!(count, 101);
    signal(&child, "-INT");
    let status = end(&mut child).expect("it hears the signal");
    assert_eq!(status.code(), Some(130));
    assert!(rows.recv_timeout(LONG).is_err(), "a row that no line asked for");
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(said.contains("100 lines were written"), "{said}");
}

#[test]
fn a_game_that_is_interrupted_says_its_moves() {
    let place = Place::new();
    let mut child = piped(&place, "play ttt --level beginner");
    let mut stdin = child.stdin.take().unwrap();
    let said = lines_of(child.stdout.take().unwrap());
    stdin.write_all(b"5\n").unwrap();
    std::thread::sleep(MOMENT);
    signal(&child, "-INT");
    assert_eq!(end(&mut child).and_then(|status| status.code()), Some(130));
    let said: Vec<String> = said.iter().collect();
    assert!(said.iter().any(|line| line.starts_with("moves   5")), "{said:?}");
}

//! Every command ends within a second of SIGINT or SIGTERM, whatever it does, with exit code 130.
#![cfg(unix)]

use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use everyply::database::Database;

use super::inputs::{LONG, lines_of};
use crate::support::{Place, positions, signal};

/// Long after the program has begun to wait, or to work.
const MOMENT: Duration = Duration::from_millis(800);

/// The second that a command has, and half of one for a busy machine to deliver the signal and to
/// collect the process.
const SECOND: Duration = Duration::from_millis(1500);

/// A hang is a minute on a busy machine, too.
const HANG: Duration = Duration::from_secs(30);

/// The exit status of the program, if it has ended.
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

/// Sends each signal to the commands, started together, while stdin and stdout are open and idle.
fn end_when_asked(place: &Place, commands: &[&str]) {
    for name in ["-INT", "-TERM"] {
        let begun: Vec<Child> = commands.iter().map(|command| place.start(command)).collect();
        std::thread::sleep(MOMENT);
        // All end before the first check, so that none outlives this test.
        let ended = begun.into_iter().map(|mut child| {
            let early = child.try_wait().unwrap();
            if early.is_none() {
                signal(&child, name);
            }
            let status = end(&mut child);
            (early, status, std::io::read_to_string(child.stderr.take().unwrap()).unwrap())
        });
        let ended: Vec<_> = ended.collect();
        for ((early, status, said), command) in ended.into_iter().zip(commands) {
            assert!(early.is_none(), "{command} ended by itself: {early:?}");
            let status = status.unwrap_or_else(|| panic!("{command} ignores {name}"));
            assert_eq!(status.code(), Some(130), "{command} {name}");
            assert!(said.contains("interrupted"), "{command} {name}: {said}");
            assert!(!said.contains("panicked"), "{command} {name}: {said}");
        }
    }
}

#[test]
fn while_input_delivers_nothing() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    let commands = [
        "connect4 --input -",
        "connect4 --size 8x7 --table-size 8 --input -",
        "convert --from moves1 --to moves0",
        "play ttt",
        "play connect4 --second --level beginner",
        "connect4 --input fifo",
        "convert --from moves1 --to moves0 fifo",
    ];
    end_when_asked(&place, &commands);
    assert_eq!(place.entries(), ["fifo"]);
}

#[test]
fn while_it_works() {
    let commands = [
        "ttt --size 4x4 --line 4 --db ttt.db",
        "connect4 --depth 40 --db connect4.db",
        "connect4 --size 8x8 --table-size 8",
        "compare connect4 --depth 30",
        "count connect4 --plies 20 --method walk",
        "ttt --size 10x4 --line 4 --db proof.db",
        "solve connect4 --size 6x5 --out solution",
        "book connect4 --plies 10 --no-book --db book.db",
    ];
    end_when_asked(&Place::new(), &commands);
}

#[test]
fn while_nobody_reads_what_it_writes() {
    let place = Place::new();
    // More rows than a pipe holds.
    std::fs::write(place.path("in.txt"), "1234123\n".repeat(50_000)).unwrap();
    let convert = "convert --size 4x4 --from moves1 --to picture in.txt";
    end_when_asked(&place, &["connect4 --size 4x4 --input in.txt", convert]);
    // Lines that are refused have rows too.
    std::fs::write(place.path("in.txt"), "x\n".repeat(50_000)).unwrap();
    let commands = ["connect4 --input in.txt"];
    let begun = commands.map(|arguments| (place.start(arguments), arguments));
    std::thread::sleep(MOMENT);
    for (mut child, arguments) in begun {
        signal(&child, "-INT");
        let status = end(&mut child).unwrap_or_else(|| panic!("{arguments} ignores the signal"));
        assert_eq!(status.code(), Some(130), "{arguments}");
    }
}

#[test]
fn all_answers_given_are_kept() {
    let place = Place::new();
    let mut child = place.start("connect4 --size 4x4 --input - --threads 2");
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
    let mut child = place.start("play ttt --level beginner");
    let mut stdin = child.stdin.take().unwrap();
    let said = lines_of(child.stdout.take().unwrap());
    stdin.write_all(b"5\n").unwrap();
    std::thread::sleep(MOMENT);
    signal(&child, "-INT");
    assert_eq!(end(&mut child).and_then(|status| status.code()), Some(130));
    let said: Vec<String> = said.iter().collect();
    assert!(said.iter().any(|line| line.starts_with("moves   5")), "{said:?}");
}

/// A database that takes more than a second to check, and millions of bytes to write.
const LARGE: &str = "ttt --size 4x4 --line 4 --quiet 6,1";

/// Asks a command to end: it does so in time.
fn ends_in_time(mut child: Child, what: &str) {
    let begun = Instant::now();
    signal(&child, "-INT");
    let status = end(&mut child).unwrap_or_else(|| panic!("{what} ignores the signal"));
    let took = begun.elapsed();
    // 0 if the signal came when only the file was left to close; no code if the machine was so busy
    // that the signal came before the program listened.
    assert!(matches!(status.code(), None | Some(0 | 130)), "{what}: {status}");
    assert!(took < SECOND, "{what} took {took:?}");
}

#[test]
fn while_a_large_database_is_written_and_checked() {
    let place = Place::new();
    let path = place.path("everyply.db");
    let log = place.path("everyply.db-wal");
    // In the first large transaction, in a later one, and while the log is moved to the file.
    let length = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
    for (file, bytes) in [(&log, 1 << 20), (&log, 6 << 20), (&path, 1 << 20)] {
        for name in ["everyply.db", "everyply.db-wal", "everyply.db-shm"] {
            let _ = std::fs::remove_file(place.path(name));
        }
        let mut child = place.start(LARGE);
        while length(file) < bytes && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_none() {
            ends_in_time(child, &format!("{LARGE} at {bytes} bytes"));
        }
        let database = Database::open(&path).unwrap();
        database.check().unwrap();
        assert_eq!(database.runs().unwrap().len(), 1);
    }

    // The next run continues from the stored rows.
    place.run(LARGE).success();
    let database = Database::open(&path).unwrap();
    let game = &database.games().unwrap()[0];
    assert_eq!(positions(&database, game).unwrap().len(), 478_279);
    for command in ["verify everyply.db", "export everyply.db --format csv --out out.csv"] {
        for moment in [50, 700] {
            let mut child = place.start(command);
            std::thread::sleep(Duration::from_millis(moment));
            if child.try_wait().unwrap().is_none() {
                ends_in_time(child, &format!("{command} after {moment} ms"));
            }
        }
    }
}

#[test]
fn a_hangup_ends_a_command_unless_it_was_ignored_when_it_began() {
    let place = Place::new();
    let arguments = ["connect4", "--depth", "40", "--no-db"];
    let begin = |mut command: Command| {
        let streams = command.args(arguments).current_dir(place.directory());
        let child = streams.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = child.spawn().unwrap();
        std::thread::sleep(MOMENT);
        child
    };
    let program = env!("CARGO_BIN_EXE_analyze");
    // A hangup, even if this test runs under `nohup`.
    let mut plain = Command::new("env");
    plain.args(["--default-signal=HUP", program]);
    let mut child = begin(plain);
    signal(&child, "-HUP");
    assert_eq!(end(&mut child).and_then(|status| status.code()), Some(130));

    let mut outliving = Command::new("nohup");
    outliving.arg(program);
    let mut child = begin(outliving);
    signal(&child, "-HUP");
    std::thread::sleep(SECOND);
    assert!(child.try_wait().unwrap().is_none(), "nohup was overridden");
    signal(&child, "-TERM");
    assert_eq!(end(&mut child).and_then(|status| status.code()), Some(130));
}

//! Outputs that cannot be written are refused before any work, with the path and the remedy.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

/// Checks that every command that writes to a path refuses before it does anything.
const COMMANDS: [&str; 4] =
    ["ttt", "ttt --size 4x4 --line 4", "connect4 --depth 30", "count connect4 --plies 9"];

fn refused(place: &Place, command: &str, path: &str, remedy: &str) {
    let before = place.entries();
    place
        .run(command)
        .code(1)
        .stdout("")
        .stderr(contains(path).and(contains(remedy)).and(contains("panicked").not()));
    assert_eq!(place.entries(), before, "{command}");
}

#[test]
fn a_mistake_in_an_option_gets_a_tip_that_helps() {
    for (command, said) in [
        ("ttt --threads -1", "'-1' for '--threads <N>': a whole number from 1 to 1024\n\nFor more"),
        (
            "tree ttt --plies x",
            "invalid value 'x' for '--plies <N>': a whole number, as 7\n\nFor more",
        ),
        ("connect4 --depth 99999999999999999999", "for '--depth <N>': a smaller number\n"),
        ("connect4 --timeout -1", "'-1' for '--timeout <SECONDS>': a limit is a number of seconds"),
        ("connect4 --timeout 5s", "a limit is a number of seconds"),
        ("count ttt --timeout 5", "tip: --timeout is an option of "),
        ("export x.db --format csv --scoring ten", "tip: --scoring is an option of "),
        (
            "qubic --size 4x4x4",
            "tip: the board and the rules of qubic are chosen by --side, --misere\n",
        ),
        ("pong --size 4x4", "tip: pong has one board and one set of rules\n"),
        ("ttt -x", "unexpected argument '-x'"),
        ("ttt --thread 1", "a similar argument exists: '--threads'"),
    ] {
        let misleading = contains(" as a value").not();
        Place::new().run(command).code(2).stdout("").stderr(contains(said).and(misleading));
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_work() {
    const OTHER: &str = "another file (--db FILE)";
    let place = Place::new();
    fs::write(place.path("taken"), "text").unwrap();
    fs::create_dir(place.path("directory")).unwrap();
    for command in COMMANDS {
        for (option, path, remedy) in [
            ("--csv taken", "taken", "choose another"),
            ("--csv taken/below", "taken/below", "choose another"),
            ("--no-db --csv taken", "taken", "choose another"),
            ("--db none/my.db", "none/my.db", OTHER),
            ("--db taken/my.db --csv out", "taken/my.db", OTHER),
            ("--db directory", "directory", "a file in it"),
        ] {
            refused(&place, &format!("{command} {option}"), path, remedy);
        }
        // Full devices, and a place where not even the superuser can create a file.
        #[cfg(target_os = "linux")]
        for (option, path, remedy) in [
            ("--db /dev/full", "/dev/full", OTHER),
            ("--db /dev/null --csv out", "/dev/null", OTHER),
            ("--csv /dev/full", "/dev/full", "choose another"),
            ("--db /proc/my.db", "/proc/my.db", OTHER),
            ("--csv /proc/out", "/proc/out", "choose another"),
        ] {
            refused(&place, &format!("{command} {option}"), path, remedy);
        }
    }
    refused(&place, "compare connect4 --depth 9 --csv taken", "taken", "choose another");
    assert_eq!(place.read("taken"), b"text");
}

#[test]
fn a_directory_in_the_place_of_a_csv_file_is_refused() {
    for (command, name) in [
        ("ttt", "ttt-plies.csv"),
        ("connect4 --depth 30", "connect4-iterations.csv"),
        ("count connect4 --plies 9", "count-plies.csv"),
        ("compare connect4 --depth 9", "compare.csv"),
    ] {
        let place = Place::new();
        fs::create_dir_all(place.path("out").join(name)).unwrap();
        refused(&place, &format!("{command} --csv out"), name, "is a directory");
        assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_link_to_a_full_device_is_refused_as_a_csv_file() {
    let place = Place::new();
    fs::create_dir(place.path("out")).unwrap();
    std::os::unix::fs::symlink("/dev/full", place.path("out/ttt-plies.csv")).unwrap();
    refused(&place, "ttt --csv out", "ttt-plies.csv", "choose another");
    assert!(!place.path("out/ttt-solution.csv").exists());
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_written_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let locked = place.path("locked");
    fs::create_dir(&locked).unwrap();
    let allow = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    let is_superuser = fs::write(locked.join("probe"), "").is_ok();
    for command in COMMANDS.into_iter().filter(|_| !is_superuser) {
        for (option, path, remedy) in [
            ("--db locked/my.db", "locked/my.db", "another file (--db FILE)"),
            ("--csv locked", "locked", "another place"),
            ("--csv locked/out", "locked/out", "another one"),
        ] {
            refused(&place, &format!("{command} {option}"), path, remedy);
        }
    }
    allow(0o755);
}

#[test]
fn a_csv_file_that_is_there_is_replaced_whole() {
    let place = Place::new();
    fs::create_dir(place.path("out")).unwrap();
    fs::write(place.path("out/ttt-plies.csv"), "old ".repeat(10_000)).unwrap();
    place.run("ttt --csv out --no-db").success();
    let plies = place.text("out/ttt-plies.csv");
    assert!(plies.starts_with("ply,nodes,games,"), "{plies}");
    assert_eq!(plies.lines().count(), 11);
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 2);
}

//! Commands under a limit of their address space.

use super::Place;

/// The exit code and the messages of a command that may take this many KiB of address space.
fn limited(place: &Place, kib: u32, arguments: &str) -> (Option<i32>, String) {
    let ended = place.limited(&format!("ulimit -v {kib}"), arguments);
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

#[test]
fn what_needs_too_much_memory_says_so() {
    let place = Place::new();
    for (arguments, code, said) in [
        ("count teeko --plies 30 --memory 0.001 --no-db", 2, "(--plies 4)"),
        ("count teeko --plies 4 --memory 0.001 --no-db", 0, ""),
        ("count connect4 --method positions --plies 30 --memory 0.001 --no-db", 2, "(--plies 6)"),
        ("count connect4 --method positions --plies 6 --memory 0.001 --no-db", 0, ""),
        ("count awari 1 --plies 30 --memory 0.001 --no-db", 2, "(--plies 11)"),
        ("count awari 1 --plies 11 --memory 0.001 --no-db", 0, ""),
        ("count teeko --plies 3 --work x --no-db", 2, "--work"),
        // The table takes a quarter of the available memory, if the system gives it.
        ("prove connect4 --size 7x7 --timeout 0.5 --out x --threads 1", 124, "stopped after"),
        // A game with more positions than fit is not solved beforehand.
        ("sample othello --size 6x6 --plies 24-30 --number 3 --out s", 0, ""),
        ("sample breakthrough --size 5x5 --plies 3-6 --number 3", 2, "--plies: "),
    ] {
        let (ended, stderr) = limited(&place, 400_000, arguments);
        assert_eq!(ended, Some(code), "{arguments}: {stderr}");
        assert!(stderr.contains(said), "{arguments}: {stderr}");
    }
}

#[test]
fn a_process_with_a_limit_of_memory_answers_or_says_why_it_cannot() {
    let place = Place::new();
    let mut done = 0;
    for kib in [50_000, 100_000, 300_000] {
        for arguments in [
            "ttt --threads 8",
            "count connect4 --plies 7",
            "connect4 444444332",
            "morris --no-db",
            "bench",
            "compare ttt --depth 4 --threads 4",
            "solve connect4 --size 4x4 --out 4x4.solution --threads 4",
            "sample ttt --plies 3-4 --number 20 --threads 4",
        ] {
            let (code, stderr) = limited(&place, kib, arguments);
            done += u32::from(code == Some(0));
            assert!(matches!(code, Some(0..=2)), "{kib} {arguments}: {code:?}: {stderr}");
            let said = stderr.lines().any(|line| line.starts_with("error: "));
            assert!(code == Some(0) || said, "{kib} {arguments}: {stderr}");
        }
    }
    assert!(done > 6, "{done}");
}

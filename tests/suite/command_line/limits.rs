//! Commands under a limit of their address space.

use assert_cmd::Command;

use super::Place;

/// A command line run where the process may take this many KiB of address space.
fn limited(place: &Place, kib: u32, arguments: &str) -> std::process::Output {
    let script = format!("ulimit -v {kib}; exec \"$0\" {arguments}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_analyze")]).current_dir(place.directory());
    shell.timeout(std::time::Duration::from_secs(60)).output().unwrap()
}

#[test]
fn counts_that_need_too_much_memory_say_how_many_plies_fit() {
    let place = Place::new();
    for (game, most) in [("teeko", 3), ("connect4 --method positions", 5), ("awari 1", 11)] {
        let counted = |arguments: &str| {
            limited(&place, 900_000, &format!("count {game} {arguments} --no-db"))
        };
        let refused = counted("--plies 30 --memory 0.001");
        let stderr = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{game}: {stderr}");
        assert!(stderr.contains(&format!("(--plies {most})")), "{game}: {stderr}");
        let done = counted(&format!("--memory 0.001 --plies {most}"));
        assert_eq!(
            done.status.code(),
            Some(0),
            "{game}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
    let folder = limited(&place, 900_000, "count teeko --plies 3 --work x --no-db");
    assert_eq!(folder.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&folder.stderr).contains("--work"));
}

#[test]
fn samples_of_a_game_too_large_to_solve_say_so() {
    let place = Place::new();
    for game in ["othello --size 6x6 --plies 3-6", "breakthrough --size 5x5"] {
        let refused = limited(&place, 400_000, &format!("sample {game} --number 3"));
        let stderr = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{game}: {stderr}");
        assert!(stderr.contains("it leads to more than"), "{game}: {stderr}");
    }
    let long = limited(&place, 400_000, "sample breakthrough --size 5x5 --plies 3-6 --number 3");
    assert_eq!(long.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&long.stderr).contains("--plies: "));
}

#[test]
fn a_process_with_a_limit_of_memory_answers_or_says_why_it_cannot() {
    let place = Place::new();
    let commands = [
        "ttt --threads 8",
        "count ttt",
        "count connect4 --plies 7",
        "connect4 444444332",
        "hexapawn",
        "morris --no-db",
        "bench",
        "compare ttt --depth 4 --threads 4",
        "solve connect4 --size 4x4 --out 4x4.solution --threads 4",
        "sample ttt --plies 3-4 --number 20 --threads 4",
        "explain ttt",
    ];
    let mut done = 0;
    for kib in [50_000, 75_000, 100_000, 200_000, 300_000] {
        for arguments in commands {
            let ended = limited(&place, kib, arguments);
            let stderr = String::from_utf8_lossy(&ended.stderr);
            let code = ended.status.code();
            done += u32::from(code == Some(0));
            assert!(matches!(code, Some(0..=2)), "{kib} {arguments}: {}: {stderr}", ended.status);
            let said = stderr.lines().any(|line| line.starts_with("error: "));
            assert!(code == Some(0) || said, "{kib} {arguments}: {stderr}");
        }
    }
    assert!(done > 20, "{done}");
}

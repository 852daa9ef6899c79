//! Work folders of killed programs, damaged, shared, or of another board.
#![cfg(unix)]

use crate::support::Place;

/// The names in the work folder.
fn work(place: &Place) -> Vec<String> {
    let entries = std::fs::read_dir(place.path("work"));
    let names = entries.into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

#[test]
fn a_work_folder_continues_after_kills_and_damage() {
    let place = Place::new();
    let arguments = "solve connect4 --size 5x5 --out board.solution --work work";
    place.run("solve connect4 --size 5x5 --out alone").success();
    // Forwards, and backwards.
    for summaries in [5, 20, 30, 40, 60] {
        let mut child = place.start(arguments);
        let made = || work(&place).iter().filter(|name| name.ends_with(".summary")).count();
        while made() < summaries {
            assert!(child.try_wait().unwrap().is_none(), "done before {summaries} summaries");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!place.path("board.solution").exists());
    }
    // What it reads next, and what it only counts.
    for name in work(&place).iter().filter(|name| *name != "plan" && !name.starts_with('.')) {
        if name.starts_with("alive-1") || name.starts_with("packed-") {
            let mut bytes = place.read(&format!("work/{name}"));
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x10;
            std::fs::write(place.path(&format!("work/{name}")), bytes).unwrap();
        }
    }
    place.run(arguments).success();
    assert!(place.read("board.solution") == place.read("alone"));
    let left = work(&place);
    let is_in_place =
        |name: &String| name == "plan" || name.ends_with(".summary") || name.starts_with("packed-");
    assert!(left.iter().all(is_in_place), "{left:?}");
}

#[test]
fn two_programs_share_a_work_folder() {
    let place = Place::new();
    place.run("solve connect4 --size 5x4 --out alone").success();
    let solve =
        |out: &str| place.start(&format!("solve connect4 --size 5x4 --out {out} --work work"));
    let mut children = [solve("first"), solve("second")];
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(place.entries(), ["alone", "first", "second", "work"]);
    for file in ["first", "second"] {
        assert!(place.read(file) == place.read("alone"), "{file}");
    }
}

/// Kills a run this many times, each time once it has solved some more tiers, and compares its file
/// with the file of an undisturbed run.
fn killed_again_and_again(game: &str, kills: usize) {
    let place = Place::new();
    let arguments = format!("solve {game} --out game.solution --work work");
    place.run(&format!("solve {game} --out alone")).success();
    let solved = || work(&place).iter().filter(|name| name.ends_with(".summary")).count();
    for kill in 0..kills {
        let before = solved();
        let mut child = place.start(&arguments);
        while solved() == before {
            assert!(child.try_wait().unwrap().is_none(), "done after {kill} kills");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(solved() > before && !place.path("game.solution").exists());
    }
    place.run(&arguments).success();
    assert!(place.read("game.solution") == place.read("alone"));
    let is_in_place = |name: &String| name == "plan" || name.starts_with("tier-");
    assert!(work(&place).iter().all(is_in_place), "{:?}", work(&place));
    // Nothing is solved again, and another game is refused.
    place.run(&arguments).success();
    place.refuses("solve dao --out never --work work", 1, "work was made for another game");
}

#[test]
fn a_game_with_ranks_continues_after_twenty_kills() {
    killed_again_and_again("morris --men 4", 20);
}

/// `cargo test --release --test suite seven_men_continue -- --ignored`
#[test]
#[ignore = "a minute and more"]
fn seven_men_continue_after_twenty_kills() {
    killed_again_and_again("morris --men 7", 20);
}

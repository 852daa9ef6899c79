//! Searches that are killed and continue from a checkpoint.

use std::time::Duration;

use predicates::prelude::*;
use predicates::str::contains;

use super::json_alone;
use crate::support::{Place, signal};

/// The checkpoint as it is now; empty if there is none.
fn checkpoint(place: &Place) -> Vec<u8> {
    std::fs::read(place.path("c.chk")).unwrap_or_default()
}

/// Kills runs of a search soon after each has written a checkpoint, with one thread and two and
/// tables of three sizes in turn, and gives the number of kills until one is done.
fn killed_again_and_again(place: &Place, arguments: &str, most: usize) -> usize {
    for kill in 0..most {
        let (threads, mib) = (1 + kill % 2, [8, 2, 32][kill % 3]);
        let before = checkpoint(place);
        let how = format!("--threads {threads} --table-size {mib} --every 0.1");
        let mut child = place.start(&format!("{arguments} {how}"));
        let done = loop {
            if child.try_wait().unwrap().is_some() {
                break true;
            }
            if checkpoint(place) != before {
                std::thread::sleep(Duration::from_millis(kill as u64 * 37 % 100));
                break false;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let _ = child.kill();
        let _ = child.wait();
        if done {
            return kill;
        }
    }
    most
}

/// The results that have to be equal however often a search was killed.
fn answer(document: &serde_json::Value) -> Vec<serde_json::Value> {
    ["value", "score", "best", "pv", "bounds", "exact"].map(|key| document[key].clone()).to_vec()
}

fn survives(size: &str, kills: usize) {
    let search = format!("connect4 --size {size}");
    let expected = json_alone(&search);
    let place = Place::new();
    let arguments = format!("{search} --no-db --quiet --checkpoint c.chk");
    let killed = killed_again_and_again(&place, &arguments, kills);
    assert!(killed > 1, "a board that takes longer is needed");
    let found = place.json(&arguments);
    assert_eq!(answer(&found), answer(&expected));
    assert!(found["earlier"]["nodes"].as_u64() > Some(0));
    // The next run removes the temporary files of killed runs.
    assert_eq!(place.entries(), ["c.chk"]);
}

#[test]
fn a_killed_search_goes_on() {
    survives("6x7", 6);
}

#[test]
#[ignore = "minutes: 50 kills on 7x7"]
fn a_search_killed_fifty_times_goes_on() {
    survives("7x7", 50);
}

#[test]
fn a_search_of_a_large_board_goes_on() {
    let place = Place::new();
    let search = "connect4 544444446655332243682185 --size 8x8 --value-only";
    let kept = format!("{search} --no-db --checkpoint c.chk");
    place.run(&format!("{kept} --timeout 0.2")).code(predicate::in_iter([0, 124]));
    let document = place.json(&kept);
    assert_eq!(answer(&document), answer(&json_alone(search)));
    assert!(document["earlier"]["nodes"].is_u64());
}

#[test]
fn a_timeout_writes_a_checkpoint_and_the_next_run_says_what_came_before() {
    let place = Place::new();
    let search = "connect4 --size 8x6 --no-db --checkpoint c.chk --timeout 0.3";
    let stopped = place.run(search).code(124);
    stopped.stderr(contains("; the same command continues from c.chk"));
    let first = checkpoint(&place);
    place.run(search).code(124).stdout(contains("before that"));
    assert_ne!(checkpoint(&place), first);
}

#[cfg(unix)]
#[test]
fn an_interrupt_writes_a_checkpoint() {
    let place = Place::new();
    let mut child = place.start("connect4 --size 8x6 --no-db --quiet --checkpoint c.chk");
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "-INT");
    if child.wait().unwrap().code() == Some(130) {
        assert_eq!(place.entries(), ["c.chk"]);
    }
}

#[test]
fn what_is_no_checkpoint_of_the_search_is_refused() {
    let place = Place::new();
    let search = "connect4 --size 4x4 --no-db --checkpoint";
    place.run(&format!("{search} c.chk")).success();
    let kept = checkpoint(&place);
    let refused = |arguments: &str, code: i32, what: &str| {
        place.refuses(arguments, code, what);
        assert!(checkpoint(&place) == kept);
    };
    refused("connect4 --size 5x4 --no-db --checkpoint c.chk", 2, "it is of 4x4");
    refused("connect4 1 --size 4x4 --no-db --checkpoint c.chk", 2, "it is of the position");
    std::fs::write(place.path("text"), "4453\n").unwrap();
    refused(&format!("{search} text"), 2, "no checkpoint of a search: choose another file");
    std::fs::write(place.path("cut"), &kept[..kept.len() - 7]).unwrap();
    refused(&format!("{search} cut"), 1, "damaged (its checksum is wrong): remove it");
    std::fs::create_dir(place.path("folder")).unwrap();
    refused(&format!("{search} folder"), 2, "directory");
    refused(&format!("{search} missing/c.chk"), 1, "missing/c.chk");
    refused(&format!("{search} c.chk --every 5m"), 2, "a number of seconds");
    refused("connect4 --size 4x4 --no-db --every 300", 2, "--checkpoint");
    refused(&format!("{search} c.chk --depth 4"), 2, "--depth");
    refused("connect4 --line 7 --size 7x7 --no-db --checkpoint c.chk", 2, "--checkpoint");
}

#[cfg(unix)]
#[test]
fn a_checkpoint_that_cannot_be_written_at_the_end_is_told() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    let search = "connect4 --size 8x6 --no-db --timeout 1.5 --checkpoint folder/c.chk";
    let mut child = place.start(search);
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none());
    std::fs::remove_dir_all(place.path("folder")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("choose another place"), "{output:?}");
}

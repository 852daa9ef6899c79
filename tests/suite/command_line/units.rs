//! Whole boards in units, made by processes that know nothing of each other.

use serde_json::Value;

use super::json;
use crate::support::Place;

const BOARD: &str = "connect4 --size 5x5 --unit-size 1";

/// The tiers of a plan in the order in which they are made, with their units.
fn tiers(plan: &Value) -> Vec<(String, u64)> {
    let tiers = plan["tiers"].as_array().unwrap().iter();
    tiers
        .map(|tier| (tier["tier"].as_str().unwrap().to_owned(), tier["units"].as_u64().unwrap()))
        .collect()
}

#[test]
fn processes_make_a_board_tier_by_tier_and_the_file_is_that_of_one() {
    let place = Place::new();
    place.run("solve connect4 --size 5x5 --out whole.solution").success();
    let plan = json(&place, &format!("units plan {BOARD}"));
    let tiers = tiers(&plan);
    assert_eq!(tiers.len(), 3 * 26);
    assert!(tiers.iter().any(|(_, units)| *units > 1), "{tiers:?}");
    for (tier, units) in &tiers {
        let make = |share: &str| {
            let text = format!("units make {BOARD} --work work --tier {tier} --share {share} -q");
            std::process::Command::new(env!("CARGO_BIN_EXE_analyze"))
                .current_dir(place.directory())
                .args(text.split_whitespace())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        };
        // Two at a time, and where there is one unit, both make it.
        let shares = if *units > 1 { ["1/2", "2/2"] } else { ["1/1", "1/1"] };
        for mut process in shares.map(make) {
            assert!(process.wait().unwrap().success(), "{tier}");
        }
        // What is packed is the last reader of its positions and, of the values of the ply behind
        // it, the values were.
        if let Some(ply) = tier.strip_prefix("packed-") {
            let next = ply.parse::<u32>().unwrap() + 1;
            place.run(&format!("units discard {BOARD} --work work --tier alive-{ply}")).success();
            if next <= 25 {
                let discard = format!("units discard {BOARD} --work work --tier values-{next:02}");
                place.run(&discard).success();
            }
        }
    }
    place.run(&format!("units finish {BOARD} --work work --out units.solution")).success();
    assert!(place.read("units.solution") == place.read("whole.solution"));
    // What is there is not made again.
    let again = json(&place, &format!("units make {BOARD} --work work --tier packed-12"));
    assert_eq!(again["made"], 0);
}

#[test]
fn a_plan_lists_what_every_unit_is_made_from() {
    let place = Place::new();
    let units = json(&place, &format!("units plan {BOARD} --units"));
    let units = units.as_array().unwrap();
    let names: Vec<&str> = units.iter().map(|unit| unit["unit"].as_str().unwrap()).collect();
    for (i, unit) in units.iter().enumerate() {
        for input in unit["inputs"].as_array().unwrap() {
            assert!(names[..i].contains(&input.as_str().unwrap()), "{unit}");
        }
    }
    assert_eq!(units[0]["inputs"].as_array().unwrap().len(), 0);
}

#[test]
fn the_plan_of_the_usual_board_tells_its_size() {
    let plan = json(&Place::new(), "units plan connect4");
    assert_eq!(plan["board"], "7x6");
    assert_eq!(plan["profiles"], 412_972);
    let largest = plan["tiers"].as_array().unwrap().iter();
    assert!(
        largest.map(|tier| tier["largest_unit"].as_u64().unwrap()).max() <= Some(6 * (128 << 20))
    );
    assert!(plan["folder_bytes"]["expected"].as_u64() < plan["folder_bytes"]["bound"].as_u64());
    let hours = plan["extrapolated"]["hours"].as_array().unwrap();
    assert!(hours[0]["hours"].as_f64() > hours[2]["hours"].as_f64());
}

#[test]
fn what_cannot_be_made_or_joined_is_named() {
    let place = Place::new();
    let fails = |command: &str, code: i32, parts: &[&str]| {
        let assert = place.run(&format!("units {command}")).code(code).stdout("");
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        for part in parts {
            assert!(stderr.contains(part), "{command}: {stderr}");
        }
    };
    let work = format!("{BOARD} --work work");
    fails(&format!("make {work} --tier alive-03"), 1, &["alive-02-00000", "made first"]);
    fails(&format!("finish {work} --out x.solution"), 1, &["alive-00-00000", "made first"]);
    fails(&format!("make {work} --tier alive-26"), 2, &["alive-26", "last ply", "25"]);
    fails(&format!("make {work} alive-03-00099"), 2, &["alive-03-00099", "no such unit"]);
    fails(&format!("make {work} checked-03-00000"), 2, &["checked-03-00000", "no such unit"]);
    fails(&format!("make {work} --tier living-3"), 2, &["living-3", "alive-07"]);
    fails(&format!("make {work} 3"), 2, &["`3`", "alive-07-00012"]);
    fails(&format!("make {work} --tier alive-03 --share 3/2"), 2, &["3/2", "I/N"]);
    fails(&format!("make {work}"), 2, &["--tier"]);
    fails("make connect4 --size 5x5 --work gs://there --tier alive-00", 1, &["gs"]);
    fails("plan connect4 --size 12x12", 2, &["12x12"]);
    // A folder keeps the board it was begun with.
    place.run(&format!("units make {work} --tier alive-00")).success();
    let other = "make connect4 --size 4x4 --work work --tier alive-00";
    fails(other, 1, &["5x5", "another work folder"]);
    assert!(!place.entries().contains(&"x.solution".to_owned()));
}

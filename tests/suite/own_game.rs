//! A game of somebody else's: the example of one, and how the program treats what it wrote.

use std::path::Path;

use everyply::control::Control;
use everyply::database::{Database, Ending, PositionRow};
use everyply::game::{Chosen, laws};
use everyply::registry::Registry;
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

#[path = "../../examples/your_game/src/treblecross.rs"]
mod treblecross;

use treblecross::Treblecross;

/// A database that holds all of a game that the program does not know.
fn written(path: &Path) {
    let games = Registry::new().with::<Treblecross>();
    let start = games.find("treblecross").unwrap().choose(&Chosen::default()).unwrap();
    let solved = start.solve(10_000, &Control::default()).unwrap();
    let database = Database::create_or_open(path).unwrap();
    let run = database.begin_run(&start.game_id(), "your_game treblecross", 1).unwrap();
    solved.rows(&mut |rows| {
        let row = |row: everyply::registry::SolvedRow| PositionRow {
            key: row.key,
            ply: row.tier,
            value: row.worth,
            best: Some(row.best),
        };
        run.sink().send(rows.into_iter().map(row).collect()).unwrap();
    });
    assert!(run.finish(Ending::Finished).unwrap().added > 100);
}

#[test]
fn a_database_of_an_unknown_game_is_refused_with_its_name() {
    let place = Place::new();
    written(&place.path("own.db"));
    for command in [
        "query own.db",
        "verify own.db",
        "export own.db --format csv",
        "report own.db",
        "serve own.db --port 0",
    ] {
        let said = contains("treblecross is a game that this program does not know")
            .or(contains("treblecross, a game that this program does not know"));
        place.run(command).code(2).stdout("").stderr(said);
    }
    assert_eq!(place.entries(), ["own.db"]);
}

#[test]
fn known_games_beside_an_unknown_one_are_served() {
    let place = Place::new();
    written(&place.path("both.db"));
    place.run("nim 1,2 --db both.db").success();
    place.run("query both.db 1,2 --game nim").success().stdout(contains("win in 3 plies"));
    place.run("report both.db").success();
    let page = String::from_utf8(place.read("report.html")).unwrap();
    assert!(page.contains("Nim, the last stone wins") && !page.contains("reblecross"));
}

#[test]
fn the_example_obeys_the_laws_and_is_short() {
    let game = <Treblecross as everyply::game::Registered>::of_parameters([9, 1, 1]);
    let game = game.unwrap();
    laws::game(&game);
    laws::symmetric(&game);
    laws::tiered(&game);
    laws::notation(&game);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/your_game/src");
    let rules = std::fs::read_to_string(example.join("treblecross.rs")).unwrap();
    assert!(rules.lines().count() < 100);
    // The page for newcomers shows it as it is.
    let page = include_str!("../../docs/adding-a-game.md");
    let own = rules.split("impl Game for").nth(1).unwrap().split("impl Keyed").next().unwrap();
    assert!(page.contains(own.trim_end()), "the rules in docs/adding-a-game.md are others");
}

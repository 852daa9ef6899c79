//! Games outside of this program: the example of one, and their databases in the program.

use std::path::Path;

use everyply::control::Control;
use everyply::database::{Database, Ending, PositionRow};
use everyply::game::{
    Chosen, Drawn, Evaluate, Game, Key, Keyed, MoveList, Notation, Outcome, Parameter, Ply,
    Registered, Remoteness, Symmetric, Tiered, Unreadable, Value, laws,
};
use everyply::oracle::OracleFiles;
use everyply::registry::{Position, Registry};
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

#[path = "../../examples/your_game/rules.rs"]
mod rules;

use rules::Treblecross;

/// Writes all values of a game into a database; returns their number.
fn stored(path: &Path, start: &dyn Position) -> u64 {
    let solved = start.solve(10_000, &Control::default()).unwrap();
    let run = Database::create_or_open(path).unwrap();
    let run = run.begin_run(&start.game_id(), "own", 1).unwrap();
    start.rows(&solved, &mut |rows| run.sink().send(rows).unwrap());
    run.finish(Ending::Finished).unwrap().added
}

/// The start of a game that the program does not know.
fn treblecross() -> Box<dyn Position> {
    let games = Registry::new().with::<Treblecross>();
    games.find("treblecross").unwrap().choose(&Chosen::default()).unwrap()
}

#[test]
fn a_database_of_an_unknown_game_is_refused_with_its_name() {
    let place = Place::new();
    assert!(stored(&place.path("own.db"), &*treblecross()) > 100);
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
    stored(&place.path("both.db"), &*treblecross());
    place.run("nim 1,2 --db both.db").success();
    place.run("query both.db 1,2 --game nim").success().stdout(contains("win in 3 plies"));
    place.run("report both.db").success();
    let page = place.text("report.html");
    assert!(page.contains("Nim, the last stone wins") && !page.contains("reblecross"));
}

#[test]
fn the_example_obeys_the_laws_and_is_short() {
    for cells in [3, 4, 9, 12, 60] {
        let game = Treblecross::of_parameters([cells, 1, 1]).unwrap();
        laws::game(&game);
        laws::symmetric(&game);
        laws::tiered(&game);
        laws::notation(&game);
    }
    let rules = include_str!("../../examples/your_game/rules.rs");
    assert!(rules.lines().count() < 100);
    // The page for newcomers shows it as it is.
    let page = include_str!("../../docs/adding-a-game.md");
    let own = rules.split("impl Game for").nth(1).unwrap().split("impl Keyed").next().unwrap();
    assert!(page.contains(own.trim_end()), "the rules in docs/adding-a-game.md are others");
}

/// A heap from which the sides take up to `most`; the side that takes the last wins. The bound of
/// plies is the heap times a factor.
#[derive(Clone, Debug)]
struct Loose {
    heap: u8,
    most: u8,
    factor: u8,
}

impl Game for Loose {
    type Position = u8;
    type Move = u8;
    type Moves = MoveList<u8>;

    fn initial(&self) -> u8 {
        self.heap
    }

    fn result(&self, heap: u8) -> Option<Outcome> {
        (heap == 0).then_some(Outcome::Loss)
    }

    fn moves(&self, heap: u8) -> MoveList<u8> {
        (1..=self.most).filter(|taken| *taken <= heap).collect()
    }

    fn play(&self, heap: u8, taken: u8) -> u8 {
        heap - taken
    }

    fn most_moves(&self) -> u32 {
        2
    }
}

impl Keyed for Loose {
    type Key = Key;

    fn key(&self, heap: u8) -> Key {
        Key(heap.into())
    }

    fn position_of(&self, key: Key) -> Option<u8> {
        u8::try_from(key.0).ok().filter(|heap| *heap <= self.heap)
    }
}

impl Symmetric for Loose {}

impl Evaluate for Loose {}

impl Tiered for Loose {
    fn plies_left(&self, heap: u8) -> u32 {
        u32::from(heap) * u32::from(self.factor)
    }
}

impl Notation for Loose {
    fn parameters(&self) -> [u8; 3] {
        [self.heap, self.most, self.factor]
    }

    fn title(&self) -> String {
        format!("A heap of {}", self.heap)
    }

    fn write_move(&self, taken: u8) -> String {
        taken.to_string()
    }

    fn picture(&self, heap: u8) -> String {
        format!("heap {heap}")
    }
}

impl Drawn for Loose {}

impl Registered for Loose {
    type Game = Self;
    const NAME: &'static str = "loose";
    const ABOUT: &'static str = "A heap: who takes the last wins";
    const PARAMETERS: &'static [Parameter] = &[];

    fn choose(_: &Chosen) -> Result<Self, Unreadable> {
        Ok(Self { heap: 24, most: 2, factor: 5 })
    }

    fn of_parameters([heap, most, factor]: [u8; 3]) -> Result<Self, Unreadable> {
        Ok(Self { heap, most, factor })
    }
}

#[test]
#[should_panic(expected = "a move lowers plies_left: 1 of heap 24 (24), 0 to 0")]
fn a_law_that_is_broken_names_the_position_by_its_picture() {
    laws::tiered(&Loose { heap: 24, most: 2, factor: 0 });
}

#[test]
fn a_bound_of_plies_may_be_far_from_the_longest_game() {
    let games = Registry::new().with::<Loose>();
    let of = |parameters| games.find("loose").unwrap().of_parameters(parameters).unwrap();
    let place = Place::new();
    for heap in [13, 24, 40, 52] {
        let start = of([heap, 2, 5]);
        start.check().unwrap();
        let solved = start.solve(10_000, &Control::default()).unwrap();
        // Multiples of three are lost: the loser takes one, the winner two.
        let lost = heap % 3 == 0;
        let plies = heap / 3 * 2 + u8::from(!lost);
        let outcome = if lost { Outcome::Loss } else { Outcome::Win };
        let value = Value::new(outcome, Remoteness(plies));
        assert_eq!(solved.value(), value.into(), "{heap}");
        let path = place.path(&format!("{heap}.db"));
        assert_eq!(stored(&path, &*start), u64::from(heap) + 1);
        let files = OracleFiles::open(&[path]).unwrap();
        assert_eq!(files.look_up(start.as_ref()).unwrap().value, Some(value.into()));
    }
    // Distances are limited, and so is the bound.
    let far = of([255, 1, 1]).solve(10_000, &Control::default()).map(|_| ()).unwrap_err();
    assert!(far.to_string().contains("longer than 254 plies"), "{far}");
    assert_eq!(of([254, 1, 1]).solve(10_000, &Control::default()).unwrap().totals().positions, 255);
    let bound = of([255, 2, 17]).check().unwrap_err().to_string();
    assert!(bound.contains("up to 4335 plies"), "{bound}");
}

#[test]
fn a_database_from_before_the_game_was_changed_says_so() {
    let place = Place::new();
    let start = treblecross();
    let moved = start.branches().remove(0).to;
    let (key, _) = moved.canonical().unwrap();
    let path = place.path("changed.db");
    let database = Database::create_or_open(&path).unwrap();
    let run = database.begin_run(&start.game_id(), "treblecross", 1).unwrap();
    let value = Value::new(Outcome::Win, Remoteness(1)).into();
    run.sink().send(vec![PositionRow { key, ply: Ply(5), value, best: None }]).unwrap();
    run.finish(Ending::Finished).unwrap();
    let said = OracleFiles::open(&[path]).unwrap().look_up(moved.as_ref()).map(|_| ()).unwrap_err();
    let said = said.to_string();
    assert!(said.contains("stored at ply 5, and the game has it at ply 1"), "{said}");
    assert!(said.contains("solve it again into another file"), "{said}");
}

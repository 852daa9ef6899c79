//! Values of the example, crosses on a strip, compared with a second program for its rules. Replace
//! these tests by tests of your own game.

use everyply::control::Control;
use everyply::game::Outcome;
use everyply::registry::Registry;

use crate::rules::Treblecross;

/// Shares nothing with the game: a strip of booleans, and every move tried.
fn side_to_move_wins(strip: &mut [bool]) -> bool {
    (0..strip.len()).any(|cell| {
        if std::mem::replace(&mut strip[cell], true) {
            return false;
        }
        let three = strip.windows(3).any(|three| three == [true; 3]);
        let wins = three || !side_to_move_wins(strip);
        strip[cell] = false;
        wins
    })
}

#[test]
fn values_are_those_of_brute_force() {
    let games = Registry::new().with::<Treblecross>();
    for cells in 3..=9 {
        let start = games.find("treblecross").unwrap().of_parameters([cells, 1, 1]).unwrap();
        let solved = start.solve(100_000, &Control::default()).unwrap();
        let wins = side_to_move_wins(&mut vec![false; cells.into()]);
        let expected = if wins { Outcome::Win } else { Outcome::Loss };
        assert_eq!(
            solved.value().outcome,
            expected,
            "{cells} cells: your own game has other values"
        );
    }
}

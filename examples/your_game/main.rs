//! The whole command line for a game of your own: `analyze new NAME DIR` copies these files.

mod rules;

use rules::Treblecross;

fn main() -> std::process::ExitCode {
    everyply::cli::run(&everyply::registry::builtin().with::<Treblecross>())
}

#[cfg(test)]
mod tests {
    use super::Treblecross;
    use everyply::control::Control;
    use everyply::game::Outcome;
    use everyply::game::{Registered, laws};
    use everyply::registry::Registry;

    #[test]
    fn the_laws_hold() {
        for cells in [3, 4, 9, 12, 60] {
            let game = Treblecross::of_parameters([cells, 1, 1]).unwrap();
            laws::game(&game);
            laws::symmetric(&game);
            laws::tiered(&game);
            laws::evaluate(&game);
            laws::notation(&game);
        }
    }

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
            assert_eq!(solved.worth().outcome, expected, "{cells} cells");
        }
    }
}

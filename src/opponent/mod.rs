//! The machine as an opponent: levels of play, each by a rule that can be said in a sentence.

mod registered;

use std::time::Duration;

use crate::control::Control;
use crate::game::{Game, Move, MoveSet, Tiered};
use crate::games::line::{AnyGame, Stones, Wide, with_game};
use crate::oracle::{Oracle, OracleError, Valued};
use crate::search::{NoTable, RootScores, Settings, minimax, search};
use crate::statistics::SearchCounters;

/// The strength of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// A best move, always the same: wins as soon as possible, loses as late
    #[default]
    Perfect,
    /// A best move, at random among equals
    Varied,
    /// The best of what it sees four plies ahead, at random among equals
    Casual,
    /// Wins at once where it can, else stops you from that, else any move at random
    Beginner,
}

/// Plies the casual player looks ahead.
const CASUAL_PLIES: u32 = 4;

/// Plies a search looks ahead where the time for a perfect answer is up.
const FALLBACK_PLIES: u32 = 8;

/// The most such a search may take.
const LOOK: Duration = Duration::from_millis(500);

/// A move, and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<M = Move> {
    /// The move.
    pub m: M,
    /// True if no move is better; levels that do not ask for that give false.
    pub proved: bool,
}

impl Level {
    /// All levels, the strongest first.
    pub const ALL: [Self; 4] = [Self::Perfect, Self::Varied, Self::Casual, Self::Beginner];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Varied => "varied",
            Self::Casual => "casual",
            Self::Beginner => "beginner",
        }
    }

    /// The rule it plays by.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Perfect => "always a best move, and always the same",
            Self::Varied => "always a best move, at random among equals",
            Self::Casual => "looks four plies ahead",
            Self::Beginner => "wins at once, or stops you from that, else plays at random",
        }
    }

    /// The machine's move; `None` if the game is over. If a perfect answer is not found before
    /// the control stops it, the move is the best of a short search.
    ///
    /// # Errors
    /// If a file cannot be read or there is no memory for an engine.
    pub fn choose<G: Opponent>(
        self,
        oracle: &Oracle,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
    ) -> Result<Option<Choice>, OracleError> {
        if game.result(position).is_some() {
            return Ok(None);
        }
        let guess = |m: Option<Move>| m.map(|m| Choice { m, proved: false });
        match self {
            Self::Perfect | Self::Varied => {
                let found = match self {
                    Self::Perfect => oracle.best_move(game, position, control),
                    _ => oracle.best(game, position, control).map(any_of),
                };
                match found {
                    Err(OracleError::Stopped(_)) => {
                        let best = game.seen_ahead(position, FALLBACK_PLIES);
                        Ok(guess(nearest_the_middle(game, best)))
                    }
                    found => Ok(found?.map(|m| Choice { m, proved: true })),
                }
            }
            Self::Casual => Ok(guess(any_of(game.seen_ahead(position, CASUAL_PLIES)))),
            Self::Beginner => {
                let moves = game.moves(position);
                let stops = game.moves_to(position, game.completing_cells(position.other));
                let wanted = [game.winning_moves(position), stops, moves];
                Ok(guess(wanted.into_iter().find(|set| !set.is_empty()).and_then(any_of)))
            }
        }
    }
}

/// A game the machine plays.
pub trait Opponent: Valued {
    /// The best moves of a search to a depth, or as deep as it gets.
    fn seen_ahead(&self, position: Stones<Self::Word>, plies: u32) -> MoveSet;
}

/// The control of a search that has little time.
fn short() -> Control {
    let control = Control::default();
    control.limit(Some(LOOK));
    control
}

impl Opponent for AnyGame {
    fn seen_ahead(&self, position: Stones, plies: u32) -> MoveSet {
        let settings = Settings {
            root_scores: RootScores::AllBest,
            principal_variation: false,
            ..Settings::to_depth(plies.min(self.plies_left(position)))
        };
        let best = with_game!(self, game => {
            search(game, position, &settings, &NoTable, None, &short(), &mut |_| ()).best
        });
        if best.is_empty() { self.moves(position) } else { best }
    }
}

/// Keys of 128 bits have no search but the solver; a few plies are seen without one.
impl Opponent for Wide {
    fn seen_ahead(&self, position: Stones<u128>, plies: u32) -> MoveSet {
        let control = short();
        let mut best = self.moves(position);
        for depth in 1..=plies.min(self.plies_left(position)) {
            let points = |m| {
                let next = self.play(position, m);
                minimax(self, next, depth - 1, &control, &mut SearchCounters::default())
            };
            let moves = self.moves(position).into_iter();
            let all: Result<Vec<_>, _> =
                moves.map(|m| points(m).map(|points| (m, points))).collect();
            let Ok(all) = all else { break };
            let least = all.iter().map(|(_, points)| *points).min();
            best =
                all.iter().filter(|(_, points)| Some(*points) == least).map(|(m, _)| *m).collect();
        }
        best
    }
}

fn nearest_the_middle<G: Valued>(game: &G, moves: MoveSet) -> Option<Move> {
    game.centre_first().iter().copied().find(|&m| moves.contains(m))
}

fn any_of(moves: MoveSet) -> Option<Move> {
    fastrand::choice(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::games::line::Rules;
    use crate::games::line::notation::parse_moves;
    use crate::oracle::OracleFiles;

    fn move_at(level: Level, game: &AnyGame, moves: &str) -> u32 {
        let oracle = Oracle::new(OracleFiles::default(), 8);
        let position = parse_moves(game, moves).unwrap();
        let choice = level.choose(&oracle, game, position, &Control::default()).unwrap();
        choice.unwrap().m.number()
    }

    #[test]
    fn every_level_completes_and_stops_lines() {
        let game = AnyGame::new(Rules::Mnk, None, None).unwrap();
        for level in Level::ALL {
            assert_eq!(move_at(level, &game, "1425"), 3, "{level:?} completes");
            assert_eq!(move_at(level, &game, "142"), 3, "{level:?} stops");
        }
        let game = AnyGame::new(Rules::ConnectFour, None, None).unwrap();
        for level in Level::ALL {
            assert_eq!(move_at(level, &game, "121212"), 1, "{level:?} completes");
            assert_eq!(move_at(level, &game, "12121"), 1, "{level:?} stops");
        }
    }

    /// The visitor plays at random; what the machine reaches at worst is told.
    fn worst_result(game: &AnyGame, level: Level, games: u32) -> Outcome {
        let oracle = Oracle::new(OracleFiles::default(), 8);
        let mut worst = Outcome::Win;
        for number in 0..games {
            let machine_first = number % 2 == 0;
            let mut position = game.initial();
            let last = loop {
                if let Some(outcome) = game.result(position) {
                    break outcome;
                }
                let machines = position.ply().is_second_players_turn() != machine_first;
                let control = Control::default();
                let m = if machines {
                    level.choose(&oracle, game, position, &control).unwrap().unwrap().m
                } else {
                    any_of(game.moves(position)).unwrap()
                };
                position = game.play(position, m);
            };
            let machine_to_move = position.ply().is_second_players_turn() != machine_first;
            worst = worst.min(if machine_to_move { last } else { -last });
        }
        worst
    }

    #[test]
    fn nobody_beats_the_perfect_machine() {
        let ttt = AnyGame::new(Rules::Mnk, None, None).unwrap();
        for level in [Level::Perfect, Level::Varied] {
            assert!(worst_result(&ttt, level, 200) >= Outcome::Draw);
        }
        let board = crate::games::line::Board { width: 5, height: 4 };
        let small = AnyGame::new(Rules::ConnectFour, Some(board), None).unwrap();
        assert!(worst_result(&small, Level::Perfect, 20) >= Outcome::Draw);
    }
}

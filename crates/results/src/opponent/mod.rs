//! The machine as an opponent: levels of play, each with a rule of one sentence.

use std::time::Duration;

use crate::oracle::{Oracle, OracleError};
use everyply_core::control::Control;
use everyply_core::game::Outcome;
use everyply_core::search::{Evaluation, RootScores, Settings, TableUse};
use everyply_core::statistics::Score;
use everyply_registry::registry::{Branch, Position};

/// The strength of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// A best move, always the same one: the quickest win, the slowest loss.
    #[default]
    Perfect,
    /// A best move, at random among equals.
    Varied,
    /// The best move of a search of four plies, at random among equals.
    Casual,
    /// A win at once, else a move that prevents one, else any move at random.
    Beginner,
}

/// Plies that the casual player looks ahead.
const CASUAL_PLIES: u32 = 4;

/// Plies of the search if the time for a perfect answer is up.
const FALLBACK_PLIES: u32 = 8;

/// The time limit of such a search.
const LOOK: Duration = Duration::from_millis(500);

/// A move of the machine.
pub struct Choice {
    pub m: Branch,
    /// True if no move is better; false at levels that do not prove it.
    pub proved: bool,
}

impl Level {
    /// All levels, the strongest first.
    pub const ALL: [Self; 4] = [Self::Perfect, Self::Varied, Self::Casual, Self::Beginner];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Varied => "varied",
            Self::Casual => "casual",
            Self::Beginner => "beginner",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            Self::Perfect => "always a best move, and always the same",
            Self::Varied => "always a best move, at random among equals",
            Self::Casual => "looks four plies ahead",
            Self::Beginner => "wins at once, or stops you from that, else plays at random",
        }
    }

    /// Returns true if the level searches to a depth, for which games must end.
    pub const fn looks_ahead(self) -> bool {
        matches!(self, Self::Casual)
    }

    /// Returns the machine's move; `None` if the game is over. If the control stops a perfect
    /// level, the move is the best of a short search or, if play may be endless, a beginner's.
    ///
    /// # Errors
    /// If a file cannot be read, or a perfect level has no engine for the game.
    pub fn reply(
        self,
        oracle: &Oracle,
        position: &dyn Position,
        control: &Control,
    ) -> Result<Option<Choice>, OracleError> {
        let guess = |m: Option<Branch>| m.map(|m| Choice { m, proved: false });
        if position.result().is_some() {
            return Ok(None);
        }
        let found = match self {
            Self::Perfect => oracle.best_move_of(position, control),
            Self::Varied => oracle.best_moves(position, control).map(|best| {
                let branches = position.branches().into_iter();
                any_of(branches.filter(|branch| best.has(branch.bit)))
            }),
            Self::Casual => return Ok(guess(look_ahead(position, CASUAL_PLIES))),
            Self::Beginner => return Ok(guess(wins_or_stops(position))),
        };
        match found {
            Err(OracleError::Stopped(_)) => Ok(guess(look_ahead(position, FALLBACK_PLIES))),
            found => Ok(found?.map(|m| Choice { m, proved: true })),
        }
    }
}

/// Returns a best move by a search of `plies` plies, or of fewer if the time is up.
fn look_ahead(position: &dyn Position, plies: u32) -> Option<Branch> {
    let control = Control::default();
    control.limit(Some(LOOK));
    let seen = |depth: u32| -> Option<Vec<Score>> {
        let score = |branch: &Branch| {
            let settings = Settings {
                deepening: false,
                table_use: TableUse::MoveOnly,
                root_scores: RootScores::OneBest,
                split_after: u64::MAX,
                principal_variation: false,
                ..Settings::to_depth(depth)
            };
            let score = match branch.to.search(&settings, None, &control) {
                Some(report) => (!report.stopped).then_some(report.score),
                None => branch
                    .to
                    .minimax(depth, Evaluation::Own, &control)?
                    .ok()
                    .map(|(score, _)| score),
            }?;
            Some(if branch.keeps_turn { score } else { -score })
        };
        position.branches().iter().map(score).collect()
    };
    let Some(scores) = (0..plies).map_while(seen).last() else { return wins_or_stops(position) };
    let most = scores.iter().max().copied();
    let branches = position.branches().into_iter().zip(scores);
    any_of(branches.filter(|(_, score)| Some(*score) == most).map(|(branch, _)| branch))
}

/// Returns a move that wins at once, else one that leaves the other side no such move, else any.
fn wins_or_stops(position: &dyn Position) -> Option<Branch> {
    let wins = |branch: &Branch| {
        let won = if branch.keeps_turn { Outcome::Win } else { Outcome::Loss };
        branch.to.result() == Some(won)
    };
    let stops = |branch: &Branch| branch.keeps_turn || !branch.to.branches().iter().any(wins);
    let lost = |branch: &Branch| branch.to.result().is_some() && !wins(branch);
    any_of(position.branches().into_iter().filter(wins))
        .or_else(|| any_of(position.branches().into_iter().filter(|b| stops(b) && !lost(b))))
        .or_else(|| any_of(position.branches()))
}

fn any_of(branches: impl IntoIterator<Item = Branch>) -> Option<Branch> {
    fastrand::choice(branches.into_iter().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::OracleFiles;
    use everyply_core::game::Chosen;
    use everyply_registry::registry::builtin;

    fn start(name: &str, position: Option<&str>) -> Box<dyn Position> {
        let chosen = Chosen { position: position.map(String::from), ..Chosen::default() };
        builtin().find(name).unwrap().position(&chosen).unwrap()
    }

    /// Plays against random moves, and returns the outcome for the machine.
    fn result(level: Level, start: &dyn Position, machine_first: bool) -> Option<Outcome> {
        let oracle = Oracle::new(OracleFiles::default(), 64);
        let mut position = start.boxed();
        let mut machines = machine_first;
        for _ in 0..60 {
            if let Some(outcome) = position.result() {
                return Some(if machines { outcome } else { -outcome });
            }
            let branch = if machines {
                let control = Control::default();
                let choice = level.reply(&oracle, position.as_ref(), &control);
                choice.unwrap().unwrap().m
            } else {
                any_of(position.branches()).unwrap()
            };
            machines = machines == branch.keeps_turn;
            position = branch.to;
        }
        None
    }

    #[test]
    fn the_perfect_machine_wins_what_is_won_and_loses_nothing_else() {
        let chosen = Chosen { size: Some((5, 4)), ..Chosen::default() };
        let small = builtin().find("connect4").unwrap().choose(&chosen).unwrap();
        // Wins for the side that begins, and for the other side; and draws.
        for (start, wins_first) in [
            (start("nim", None), Some(true)),
            (start("dots", None), Some(true)),
            (start("hexapawn", None), Some(false)),
            (start("pong", None), None),
            (start("ttt", None), None),
            (small, None),
        ] {
            for (level, first) in [(Level::Perfect, true), (Level::Varied, false)] {
                for _ in 0..10 {
                    let result = result(level, start.as_ref(), wins_first.unwrap_or(first));
                    assert_ne!(result, Some(Outcome::Loss), "{} {level:?}", start.info().name);
                    assert!(wins_first.is_none() || result == Some(Outcome::Win), "{level:?}");
                }
            }
        }
    }

    #[test]
    fn every_level_completes_and_stops_lines_and_sees_what_is_near() {
        let oracle = Oracle::new(OracleFiles::default(), 64);
        for level in Level::ALL {
            for (name, text, wanted) in [
                ("ttt", "1425", "3"),
                ("ttt", "142", "3"),
                ("connect4", "121212", "1"),
                ("connect4", "12121", "1"),
                // One heap is left: all of it wins.
                ("nim", "3", "1-3"),
                // The beginner must not leave one heap: he takes one stone of the second.
                ("nim", "1,2", "2-1"),
            ] {
                let position = start(name, Some(text));
                let choice = level.reply(&oracle, position.as_ref(), &Control::default());
                assert_eq!(choice.unwrap().unwrap().m.text, wanted, "{level:?} {name} {text}");
            }
        }
    }

    #[test]
    fn a_game_without_an_end_is_played_without_looking_ahead() {
        let pong = start("pong", None);
        let control = Control::default();
        control.stop();
        let oracle = Oracle::new(OracleFiles::default(), 64);
        let choice = Level::Perfect.reply(&oracle, pong.as_ref(), &control);
        assert!(!choice.unwrap().unwrap().proved);
    }
}

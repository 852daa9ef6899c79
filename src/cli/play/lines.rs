//! A game of stones and lines that is being played.

use std::fmt::Write;

use super::{Position, Reply, plays};
use crate::cli::failure::Failure;
use crate::cli::text;
use crate::control::Control;
use crate::game::{Move, MoveSet, Outcome};
use crate::games::line::Stones;
use crate::games::line::notation::{
    IndexBase, parse_moves_from, place_word, side_to_move, write_moves,
};
use crate::opponent::{Level, Opponent};
use crate::oracle::{Oracle, OracleError, SourcedValue, Update};

/// A board and the moves played on it.
pub(super) struct Lines<G> {
    game: G,
    oracle: Oracle,
    moves: Vec<Move>,
    colours: bool,
}

impl<G: Opponent> Lines<G> {
    /// The board after these moves.
    pub fn new(
        game: G,
        oracle: Oracle,
        moves: Option<&str>,
        colours: bool,
    ) -> Result<Self, Failure> {
        let moves = match moves {
            Some("") => {
                return Err(Failure::usage("POSITION is empty: leave it out for the empty board"));
            }
            Some(moves) => {
                parse_moves_from(&game, moves, IndexBase::One)
                    .map_err(|error| Failure::Usage(format!("POSITION '{moves}': {error}")))?
                    .1
            }
            None => Vec::new(),
        };
        Ok(Self { game, oracle, moves, colours })
    }

    fn position(&self) -> Stones<G::Word> {
        self.moves.iter().fold(self.game.initial(), |position, &m| self.game.play(position, m))
    }
}

impl<G: Opponent> Position for Lines<G> {
    fn title(&self) -> String {
        text::title(&self.game)
    }

    fn sides(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn is_seconds_turn(&self) -> bool {
        side_to_move(self.position()) == 'O'
    }

    fn result(&self) -> Option<Outcome> {
        self.game.result(self.position())
    }

    fn drawn(&self) -> String {
        let position = self.position();
        let board = if self.game.rules().stones_fall() {
            text::columns_board(&self.game, position)
        } else {
            let width = u32::from(self.game.size().width);
            text::board(&self.game, position, |x, y| (y * width + x + 1).to_string())
        };
        if !self.colours {
            return board;
        }
        // The letters say the same as the colours.
        board.replace('X', "\x1b[1;33mX\x1b[0m").replace('O', "\x1b[1;36mO\x1b[0m")
    }

    fn moves_in_words(&self) -> String {
        let most = self.game.centre_first().len();
        format!("the number of a {} from 1 to {most}", place_word(&self.game))
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        let most = self.game.centre_first().len();
        let number = word.parse::<usize>().ok().filter(|number| (1..=most).contains(number));
        let Some(number) = number else { return Err(plays(&self.moves_in_words())) };
        let m = Move((number - 1) as u8);
        self.game.try_play(self.position(), m).map_err(|error| error.to_string())?;
        self.moves.push(m);
        Ok(())
    }

    fn reply(&mut self, level: Level, control: &Control) -> Result<Reply, Failure> {
        let choice = level.choose(&self.oracle, &self.game, self.position(), control);
        let choice = choice.map_err(Failure::runtime)?.expect("the game is not over");
        self.moves.push(choice.m);
        Ok(Reply { text: choice.m.number().to_string(), proved: choice.proved })
    }

    fn take_back(&mut self) {
        self.moves.pop();
    }

    fn best(&self, control: &Control) -> Result<Vec<String>, OracleError> {
        let best: MoveSet = self.oracle.best(&self.game, self.position(), control)?;
        Ok(best.into_iter().map(|m| m.number().to_string()).collect())
    }

    fn values(&self, control: &Control) -> (String, Result<(), OracleError>) {
        let mut told: Vec<(Move, SourcedValue)> = Vec::new();
        let found = self.oracle.moves(&self.game, self.position(), control, &mut |news| {
            if let Update::Move(m, known) = news {
                told.push((m, known));
            }
        });
        told.sort_unstable_by_key(|(m, _)| *m);
        let mut said = String::new();
        for (m, known) in told {
            let _ = writeln!(said, "{:>4}  {}", m.number(), known.value);
        }
        (said, found.map(drop))
    }

    fn played(&self) -> String {
        write_moves(&self.game, &self.moves)
    }
}

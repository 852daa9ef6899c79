//! `analyze query`: what a solution file says of a position.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::failure::Failure;
use super::options::PositionOptions;
use super::text::{self, Table};
use crate::exhaustive::profiles::{Detail, Solution, SolutionError};
use crate::game::notation::{picture, side_to_move, write_moves};
use crate::game::{ConnectFour, Game, Move, Outcome, Stones, Value};

/// Value of a position and of its moves, from a solution file
///
/// Gives outcome and remoteness of the position and of every move, the best moves, and the
/// principal variation to the end of the game, from the file alone.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The solution file, as `analyze solve` writes it
    file: PathBuf,
    #[command(flatten)]
    position: PositionOptions,
    /// Write one JSON document to stdout, and nothing else
    #[arg(long)]
    json: bool,
}

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Known {
    #[serde(serialize_with = "word")]
    outcome: Outcome,
    /// `None` where the file holds outcomes only.
    remoteness: Option<u8>,
}

fn word<S: serde::Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.word())
}

impl Known {
    fn for_parent(self) -> Self {
        Self { outcome: -self.outcome, remoteness: self.remoteness.map(|r| r + 1) }
    }

    /// Outcome and, where it is known, distance in words.
    fn words(self) -> String {
        match self.remoteness {
            Some(r) => format!("{} in {r}", self.outcome),
            None => self.outcome.to_string(),
        }
    }

    /// A number that is higher for what the side to move prefers.
    fn preference(self) -> (Outcome, i16) {
        let r = i16::from(self.remoteness.unwrap_or(0));
        (self.outcome, if self.outcome == Outcome::Win { -r } else { r })
    }
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    position: String,
    to_move: char,
    value: Known,
    best: Vec<u32>,
    pv: String,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    m: u32,
    #[serde(flatten)]
    value: Known,
}

/// A solution file with the rules of its board.
struct Source {
    solution: Solution,
    game: ConnectFour,
}

impl Source {
    fn look_up(&self, position: Stones) -> Result<Known, Failure> {
        let known = match self.solution.detail() {
            Detail::Remoteness => self.solution.value(position).map(|found| {
                found.map(|Value { outcome, remoteness }| Known {
                    outcome,
                    remoteness: Some(remoteness.0),
                })
            }),
            Detail::Outcome => self
                .solution
                .outcome(position)
                .map(|found| found.map(|outcome| Known { outcome, remoteness: None })),
        };
        let known = known.map_err(|error: SolutionError| Failure::runtime(error))?;
        known.ok_or_else(|| Failure::usage("the position is none of this board"))
    }

    /// The moves of a position with their values for the side that makes them.
    fn moves(&self, position: Stones) -> Result<Vec<(Move, Known)>, Failure> {
        if self.game.terminal(position).is_some() {
            return Ok(Vec::new());
        }
        let value = |m| Ok((m, self.look_up(self.game.play(position, m))?.for_parent()));
        self.game.moves(position).into_iter().map(value).collect()
    }

    fn best(moves: &[(Move, Known)]) -> Vec<Move> {
        let best = moves.iter().map(|(_, known)| known.preference()).max();
        let attains = |(_, known): &&(Move, Known)| Some(known.preference()) == best;
        moves.iter().filter(attains).map(|(m, _)| *m).collect()
    }

    /// Best play to the end of the game: of several best moves the most central.
    fn variation(&self, mut position: Stones) -> Result<Vec<Move>, Failure> {
        let mut line = Vec::new();
        while self.game.terminal(position).is_none() {
            let best = Self::best(&self.moves(position)?);
            let order = self.game.centre_first().iter().copied();
            let Some(m) = order.into_iter().find(|m| best.contains(m)) else { break };
            line.push(m);
            position = self.game.play(position, m);
        }
        Ok(line)
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let solution = Solution::open(&args.file).map_err(Failure::runtime)?;
    let game = *solution.board().game();
    let position = args.position.position(&game)?;
    let source = Source { solution, game };
    let value = source.look_up(position)?;
    let moves = source.moves(position)?;
    let best = Source::best(&moves);
    let line = match source.solution.detail() {
        Detail::Remoteness => source.variation(position)?,
        // Without distances a won game could be played in circles around its end.
        Detail::Outcome => Vec::new(),
    };
    let size = game.size();
    let document = Document {
        game: game.name(),
        board: size.board(),
        line: size.line,
        position: picture(&game, position),
        to_move: side_to_move(position),
        value,
        best: best.iter().copied().map(Move::number).collect(),
        pv: write_moves(&game, &line),
        moves: moves.iter().map(|(m, value)| MoveRow { m: m.number(), value: *value }).collect(),
    };
    if args.json {
        return text::print_json(&document);
    }
    let mut text = format!("{}, {}\n\n", text::title(&game), text::situation(&game, position));
    text.push_str(&text::columns_board(&game, position));
    let _ = writeln!(text, "\nvalue      {} for {}", value.words(), document.to_move);
    if !moves.is_empty() {
        let best: Vec<String> = document.best.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "best       {}", best.join(" "));
        if !document.pv.is_empty() {
            let _ = writeln!(text, "line       {}", document.pv);
        }
        let mut table = Table::new(&["move", "value"]);
        for (m, known) in &moves {
            table.row([m.number().to_string(), known.words()]);
        }
        let _ = write!(text, "\n{}", table.render());
    }
    text::print(&text)
}

//! `analyze query`: what a file of solved positions says of one of them.

mod database;
mod solution;

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::failure::Failure;
use super::game_filter::GameFilter;
use super::options::{PositionOptions, Running};
use super::text::{self, Table};
use crate::game::{Move, MoveSet, Outcome, Remoteness, Value};
use crate::games::line::notation::{picture, side_to_move, write_moves};
use crate::games::line::{LineGame, Stones};
use crate::oracle::is_database;

/// Value of a position and of its moves, from a database or a solution file
///
/// Gives outcome and remoteness of the position and of every move, the best moves, and the
/// principal variation, as far as the file knows them. With --search the exact solver finds what
/// a database lacks, and adds it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze query everyply.db 4453           a database with positions of one game
  analyze query everyply.db 15 --game ttt  one of several games in it
  analyze query book.db 44532 --search     solve what is missing, and keep it
  analyze query 5x5.solution 3342          a solution file of `analyze solve`")]
pub(super) struct Args {
    /// The database, or the solution file
    file: PathBuf,
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    game: GameFilter,
    /// Solve what the database lacks, and add it
    #[arg(long)]
    search: bool,
    #[command(flatten)]
    running: Running,
}

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Known {
    #[serde(serialize_with = "word")]
    outcome: Outcome,
    /// `None` where only the outcome is known.
    remoteness: Option<u8>,
}

fn word<S: serde::Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.word())
}

impl Known {
    fn new(outcome: Outcome, remoteness: Option<Remoteness>) -> Self {
        Self { outcome, remoteness: remoteness.map(|r| r.0) }
    }

    /// The value of a finished game.
    fn over(outcome: Outcome) -> Self {
        Self { outcome, remoteness: Some(0) }
    }

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

impl From<Value> for Known {
    fn from(value: Value) -> Self {
        Self::new(value.outcome, Some(value.remoteness))
    }
}

/// What a file says of a position.
struct Answer {
    /// `None` if it does not know.
    value: Option<Known>,
    /// Between which values it lies, if that is all.
    bounds: Option<(Value, Value)>,
    /// Every move, with its value for the side that makes it.
    moves: Vec<(Move, Option<Known>)>,
    /// All best moves; `None` if they are not all known.
    best: Option<MoveSet>,
    /// Best play, as far as the file goes.
    variation: Vec<Move>,
    /// What was added to it, in words.
    kept: String,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    position: String,
    to_move: char,
    value: Option<Known>,
    bounds: Option<[Known; 2]>,
    best: Vec<u32>,
    pv: String,
    /// True if the principal variation reaches the end of the game.
    pv_complete: bool,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    m: u32,
    outcome: Option<&'static str>,
    remoteness: Option<u8>,
}

pub(super) fn run(args: &Args, command: &str) -> Result<(), Failure> {
    // What cannot be read is left to the reader of solution files, which says why.
    let is_database = is_database(&args.file).unwrap_or(false);
    if is_database { database::run(args, command) } else { solution::run(args) }
}

fn present<G: LineGame>(
    game: &G,
    position: Stones,
    answer: &Answer,
    args: &Args,
) -> Result<(), Failure> {
    let size = game.size();
    let end = answer.variation.iter().fold(position, |p, m| game.play(p, *m));
    let document = Document {
        game: game.name(),
        board: size.board(),
        line: size.line,
        position: picture(game, position),
        to_move: side_to_move(position),
        value: answer.value,
        bounds: answer.bounds.map(|(worst, best)| [worst.into(), best.into()]),
        best: answer.best.unwrap_or_default().into_iter().map(Move::number).collect(),
        pv: write_moves(game, &answer.variation),
        pv_complete: game.result(end).is_some(),
        moves: answer
            .moves
            .iter()
            .map(|(m, known)| MoveRow {
                m: m.number(),
                outcome: known.map(|known| known.outcome.word()),
                remoteness: known.and_then(|known| known.remoteness),
            })
            .collect(),
    };
    if args.running.json {
        return text::print_json(&document);
    }
    let mut said = format!("{}, {}\n\n", text::title(game), text::situation(game, position));
    said.push_str(&text::columns_board(game, position));
    let side = document.to_move;
    let _ = match (answer.value, answer.bounds) {
        (Some(value), _) => writeln!(said, "\nvalue      {} for {side}", value.words()),
        (None, Some((worst, best))) => {
            writeln!(said, "\nvalue      between {worst} and {best} for {side}")
        }
        (None, None) => writeln!(said, "\nvalue      not known"),
    };
    if !answer.moves.is_empty() {
        if answer.best.is_some() {
            let best: Vec<String> = document.best.iter().map(ToString::to_string).collect();
            let _ = writeln!(said, "best       {}", best.join(" "));
        }
        if !document.pv.is_empty() {
            let more = if document.pv_complete { "" } else { " ..." };
            let _ = writeln!(said, "line       {}{more}", document.pv);
        }
        let mut table = Table::new(&["move", "value"]);
        for (m, known) in &answer.moves {
            table.row([m.number().to_string(), known.map_or("-".to_owned(), Known::words)]);
        }
        let _ = write!(said, "\n{}", table.render());
    }
    said.push_str(&answer.kept);
    text::print(&said)
}

/// Of several best moves the most central one.
fn central<G: LineGame>(game: &G, best: MoveSet) -> Option<Move> {
    game.centre_first().iter().copied().find(|m| best.contains(*m))
}

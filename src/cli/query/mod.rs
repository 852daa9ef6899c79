//! `analyze query`: a position in a file of solved positions.

mod answer;
mod database;
mod solution;
mod study;

use std::fmt::Write;
use std::path::PathBuf;

use answer::Answer;
use serde::Serialize;

use super::failure::Failure;
use super::game_filter::GameFilter;
use super::input;
use super::options::{PositionOptions, Running};
use super::text::{self, Table};
use crate::game::Move;
use crate::game::ValueRow;
use crate::games::line::AnyGame;
use crate::games::line::notation::{picture, side_to_move, write_moves};
use crate::games::line::{LineGame, Stones};
use crate::registry::Registry;
use crate::registry::study_of;

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
    pub position: PositionOptions,
    #[command(flatten)]
    game: GameFilter,
    /// Solve what the database lacks, and add it
    #[arg(long)]
    pub search: bool,
    #[command(flatten)]
    pub running: Running,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    position: String,
    to_move: char,
    value: Option<ValueRow>,
    bounds: Option<[ValueRow; 2]>,
    /// The best moves, as far as they are known.
    best: Vec<u32>,
    /// True if those are all.
    best_complete: bool,
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
    /// The source of the value.
    source: Option<&'static str>,
}

pub(super) fn run(args: &Args, command: &str, registry: &Registry) -> Result<(), Failure> {
    if input::is_database(&args.file)? {
        database::run(args, command, registry)
    } else {
        solution::run(args)
    }
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
        value: answer.value.map(ValueRow::from),
        bounds: answer.bounds.map(|bounds| [bounds.worst.into(), bounds.best.into()]),
        best: answer.known_best().into_iter().map(Move::number).collect(),
        best_complete: answer.best.is_some(),
        pv: write_moves(game, &answer.variation),
        pv_complete: game.result(end).is_some(),
        moves: answer
            .moves
            .iter()
            .map(|(m, known)| MoveRow {
                m: m.number(),
                outcome: known.map(|known| known.outcome.word()),
                remoteness: known.and_then(|known| known.remoteness).map(|r| r.0),
                source: known
                    .map(|_| if answer.from_book.contains(*m) { "opening book" } else { "file" }),
            })
            .collect(),
    };
    if args.running.json {
        return text::print_json(&document);
    }
    let mut said = format!("{}, {}\n\n", text::title(game), text::situation(game, position));
    let study = study_of(&AnyGame::of_size(game.rules(), size).map_err(Failure::usage)?, position);
    said.push_str(&text::board_of(study.as_ref()));
    let side = document.to_move;
    let _ = match (answer.value, answer.bounds) {
        (Some(value), _) => writeln!(said, "\nvalue      {}", value.words_for(side)),
        (None, Some(bounds)) => {
            writeln!(said, "\nvalue      not known; proved: {bounds}, for {side}")
        }
        (None, None) => writeln!(said, "\nvalue      not known"),
    };
    if !answer.moves.is_empty() {
        let best: Vec<String> = document.best.iter().map(ToString::to_string).collect();
        if answer.best.is_some() {
            let _ = writeln!(said, "best       {}", best.join(" "));
        } else if !best.is_empty() {
            let missing = answer.moves.iter().filter(|(_, known)| known.is_none());
            let missing: Vec<String> = missing.map(|(m, _)| m.number().to_string()).collect();
            let _ = writeln!(
                said,
                "best       {} at least; not stored: {}",
                best.join(" "),
                missing.join(" ")
            );
        }
        if !document.pv.is_empty() {
            let more = if document.pv_complete { "" } else { " ..." };
            let _ = writeln!(said, "line       {}{more}", document.pv);
        }
        let mut table = Table::new(&["move", "value"]);
        for (m, known) in &answer.moves {
            table.row([
                m.number().to_string(),
                known.map_or("-".to_owned(), |known| known.to_string()),
            ]);
        }
        let _ = write!(said, "\n{}", table.render());
        if !answer.from_book.is_empty() {
            let moves: Vec<String> =
                answer.from_book.into_iter().map(|m| m.number().to_string()).collect();
            let _ = writeln!(
                said,
                "({} not stored: from the opening book of this program)",
                moves.join(" ")
            );
        }
    }
    said.push_str(&answer.kept);
    text::print(&said)
}

//! `analyze play`: a game against the machine in the terminal.

mod lines;
mod registered;

use anyhow::Context;

use crate::oracle::{Oracle, OracleError, OracleFiles};
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::input::{self, Input};
use super::options::{self, BoardOptions};
use super::{interrupt, text};
use crate::connect_four::solver::Solver;
use crate::control::Control;
use crate::game::Outcome;
use crate::games::line::{AnyGame, Rules};
use crate::opponent::{Level, Opponent};
use crate::reading::{LineError, TextLines};
use lines::Lines;
pub(super) use registered::Registered;

/// Game against the machine in the terminal
///
/// Type a move to play it: on boards of stones and lines the number of a cell or column. `hint` shows a best move, `values` what
/// every move leads to, `undo` takes your last move back, `quit` ends the game. The moves are
/// printed at the end as a move string. Commands may also come from a pipe, one a line.
#[derive(Debug, clap::Args)]
#[command(after_help = "Levels:
  perfect   a best move, always the same: wins as soon as possible, loses as late
  varied    one of the best moves, at random
  casual    the best of what it sees four plies ahead; in Connect Four by counting open lines
  beginner  wins at once where it can, else stops you from that, else any move

Examples:
  analyze play ttt
  analyze play connect4 --level casual --second
  analyze play ttt --size 4x4 --line 3
  analyze play connect4 --size 8x8 --level casual
  analyze play connect4 --size 6x5 --book 6x5.solution
  printf '5\\n1\\nvalues\\nquit\\n' | analyze play ttt --level varied")]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: Rules,
    /// The position to start from: the moves that lead to it [default: the start of the game]
    #[arg(value_name = "POSITION")]
    moves: Option<String>,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    playing: Playing,
}

/// Who plays, and how.
#[derive(Debug, clap::Args)]
pub(super) struct Playing {
    /// How well the machine plays
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL", hide_possible_values = true)]
    pub level: Level,
    /// You make the first move; the default
    #[arg(long, conflicts_with = "second")]
    first: bool,
    /// The machine makes the first move
    #[arg(long)]
    second: bool,
    /// The most the machine may think about a move before it plays by a short search
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = super::options::seconds)]
    think: f64,
    /// A database or solution file to look values up in; can be repeated
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
}

impl Playing {
    /// Who knows what moves lead to: the books, and the solver with a table of at most so many MiB.
    pub fn oracle(&self, table_mib: u64) -> Result<Oracle, Failure> {
        let files = OracleFiles::open(&self.book).context("--book").map_err(Failure::Runtime)?;
        Ok(Oracle::new(files, table_mib))
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let size = args.board.size(args.game)?;
    match AnyGame::of_size(args.game, size) {
        Ok(game) => on_board(game, args),
        Err(_) if args.game.stones_fall() => on_board(options::wide(size)?, args),
        Err(error) => Err(options::refused_size(error)),
    }
}

fn on_board<G: Opponent>(game: G, args: &Args) -> Result<(), Failure> {
    let oracle = args.playing.oracle(Solver::default_table(game.size(), usize::MAX))?;
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let position = Lines::new(game, oracle, args.moves.as_deref(), colours)?;
    at_the_board(Box::new(position), &args.playing)
}

/// Plays from a position.
pub(super) fn at_the_board(position: Box<dyn Position>, playing: &Playing) -> Result<(), Failure> {
    let mut table = AtTheBoard {
        visitor_second: position.is_seconds_turn() != playing.second,
        position,
        level: playing.level,
        think: Duration::from_secs_f64(playing.think),
        by_visitor: Vec::new(),
        control: interrupt::control(),
    };
    let started = Instant::now();
    let input = Input::open(Path::new("-"), Arc::clone(&table.control));
    let played = input
        .map_err(|error| input::failed(LineError::Io(error), "stdin"))
        .and_then(|input| table.play(&mut TextLines::new(input)));
    if !table.control.is_asked_to_stop() {
        return played;
    }
    // The moves played are worth something all the same.
    text::print("\n").and_then(|()| table.result())?;
    let time = text::seconds(started.elapsed());
    Err(Failure::Interrupted(format!("interrupted after {time}")))
}

/// A game that is being played: where it stands, and who knows what its moves lead to.
pub(super) trait Position {
    /// The game as people call it.
    fn title(&self) -> String;
    /// What the sides are called, the one that moves first before the other.
    fn sides(&self) -> [&'static str; 2];
    fn is_seconds_turn(&self) -> bool;
    /// The result for the side to move, if the game is over.
    fn result(&self) -> Option<Outcome>;
    fn drawn(&self) -> String;
    /// What can be typed as a move.
    fn moves_in_words(&self) -> String;
    /// Plays a move, or says why it cannot be played.
    fn play(&mut self, word: &str) -> Result<(), String>;
    /// Lets the machine move.
    fn reply(&mut self, level: Level, control: &Control) -> Result<Reply, Failure>;
    fn take_back(&mut self);
    /// The best moves.
    fn best(&self, control: &Control) -> Result<Vec<String>, OracleError>;
    /// What every move leads to, a line each, as far as it is found.
    fn values(&self, control: &Control) -> (String, Result<(), OracleError>);
    /// The moves played.
    fn played(&self) -> String;
}

/// The machine's move.
pub(super) struct Reply {
    text: String,
    /// No move is better.
    proved: bool,
}

/// A game in progress.
struct AtTheBoard {
    position: Box<dyn Position>,
    level: Level,
    visitor_second: bool,
    think: Duration,
    /// Whose the moves are that can be taken back.
    by_visitor: Vec<bool>,
    /// What a signal stops.
    control: Arc<Control>,
}

const HELP: &str = "hint, values, undo, quit, or";

/// What can be typed.
fn plays(moves: &str) -> String {
    format!("type {HELP} {moves}")
}

/// How long a person waits without a word.
const PATIENCE: Duration = Duration::from_millis(300);

/// Does what may take a while, and says so if it does.
fn saying_so<T>(think: impl FnOnce() -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // Who cannot be told waits without.
                let _ = writeln!(std::io::stderr(), "thinking ...");
            }
        });
        let found = think();
        drop(done);
        found
    })
}

impl AtTheBoard {
    fn play(&mut self, input: &mut TextLines<impl BufRead>) -> Result<(), Failure> {
        let side = self.position.sides()[usize::from(self.visitor_second)];
        text::print(&format!(
            "{}; you are {side}, the machine is {} ({})\n\n",
            self.position.title(),
            self.level.name(),
            self.level.rule(),
        ))?;
        let mut show = true;
        loop {
            if self.position.result().is_some() {
                text::print(&(self.position.drawn() + "\n"))?;
                break;
            }
            if self.position.is_seconds_turn() != self.visitor_second {
                self.control.limit(Some(self.think));
                let reply = saying_so(|| self.position.reply(self.level, &self.control))?;
                if self.control.is_asked_to_stop() {
                    // What it found in a hurry is no move.
                    self.position.take_back();
                    return Ok(());
                }
                self.by_visitor.push(false);
                let unsure = !reply.proved && matches!(self.level, Level::Perfect | Level::Varied);
                text::print(&format!(
                    "the machine plays {}{}\n\n",
                    reply.text,
                    if unsure { " (time was up before it was proved best)" } else { "" }
                ))?;
                show = true;
                continue;
            }
            if show {
                text::print(&(self.position.drawn() + "\n"))?;
            }
            show = false;
            text::print(&format!("{side} to move> "))?;
            let line = input.next_line().map_err(|error| input::failed(error, "stdin"))?;
            let Some(line) = line else {
                text::print("\n")?;
                break;
            };
            // What is no text is no command either, and is answered as such.
            let line = String::from_utf8_lossy(line);
            if !std::io::stdin().is_terminal() {
                text::print(&format!("{}\n", line.trim_end()))?;
            }
            match line.trim() {
                "quit" | "q" | "exit" => break,
                "help" | "?" => {
                    text::print(&format!("{HELP} {}\n", self.position.moves_in_words()))?;
                }
                "undo" | "u" if !self.by_visitor.contains(&true) => {
                    text::print("there is no move of yours to take back\n")?;
                }
                "undo" | "u" => {
                    // The machine's answers and the move they answer.
                    loop {
                        self.position.take_back();
                        if self.by_visitor.pop() != Some(false) {
                            break;
                        }
                    }
                    show = true;
                }
                "hint" | "h" => text::print(&self.hint()?)?,
                "values" | "v" => text::print(&self.values()?)?,
                word => match self.position.play(word) {
                    Ok(()) => {
                        self.by_visitor.push(true);
                        // Who moves again sees the board first.
                        show = self.position.is_seconds_turn() == self.visitor_second;
                    }
                    Err(said) => text::print(&format!("{said}\n"))?,
                },
            }
        }
        self.result()
    }

    fn hint(&self) -> Result<String, Failure> {
        self.control.limit(Some(self.think));
        let best = match saying_so(|| self.position.best(&self.control)) {
            Err(error) => return self.not_found(error),
            Ok(best) => best,
        };
        let word = if best.len() == 1 { "the best move is" } else { "the best moves are" };
        Ok(format!("{word} {}\n", best.join(" ")))
    }

    fn values(&self) -> Result<String, Failure> {
        self.control.limit(Some(self.think));
        let (said, found) = saying_so(|| self.position.values(&self.control));
        let unfound = found.err().map(|error| self.not_found(error)).transpose()?;
        Ok(unfound.unwrap_or_default() + &said)
    }

    /// What is said where time was up.
    fn not_found(&self, error: OracleError) -> Result<String, Failure> {
        match error {
            OracleError::Stopped(_) => {
                Ok(format!("not found within {} s (--think)\n", self.think.as_secs_f64()))
            }
            error @ OracleError::Engine { .. } => Ok(format!("{error}\n")),
            error => Err(Failure::runtime(error)),
        }
    }

    fn result(&self) -> Result<(), Failure> {
        let visitors_turn = self.position.is_seconds_turn() == self.visitor_second;
        let result = match self.position.result() {
            None => "unfinished",
            Some(Outcome::Draw) => "a draw",
            // The side to move has won where the last move loses, or where it keeps the turn.
            Some(outcome) if visitors_turn == (outcome == Outcome::Win) => "you win",
            Some(_) => "the machine wins",
        };
        text::print(&format!("result  {result}\nmoves   {}\n", self.position.played()))
    }
}

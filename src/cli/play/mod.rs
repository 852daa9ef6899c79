//! `analyze play`: a game against the machine in the terminal.

mod game;

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::analyze::can_prove;
use super::failure::{Failure, usage};
use super::game_options::GameOptions;
use super::input::{self, Input};
use super::session::oracle_mib;
use super::{interrupt, options, text};
use crate::cli::values::one_of;
use everyply_core::control::Control;
use everyply_core::game::Outcome;
use everyply_files::reading::{LineError, TextLines};
use everyply_registry::registry::Registry;
use everyply_results::opponent::Level;
use everyply_results::oracle::{Oracle, OracleError, OracleFiles};
use game::GameInProgress;

/// Game against the machine in the terminal
///
/// Type a move to play it: on boards of stones and lines the number of a cell or column. `hint`
/// shows the best moves, `values` the value of every move, `undo` takes your last move back, `quit`
/// ends the game. The moves are printed at the end as a move string. Commands may also come from a
/// pipe, one a line.
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
    #[command(flatten)]
    game: GameOptions,
    /// How well the machine plays
    #[arg(long, value_parser = one_of::<Level>(), default_value = Level::default().name(), value_name = "LEVEL", hide_possible_values = true)]
    level: Level,
    /// The machine makes the first move [default: you do]
    #[arg(long)]
    second: bool,
    /// The most the machine may think about a move before it plays by a short search
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = super::options::seconds)]
    think: f64,
    /// A database or solution file with values; can be repeated
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let course = args.game.course(registry)?;
    let study = course.study();
    if args.level.looks_ahead() && study.plies_left().is_none() {
        return Err(usage!(
            "--level {}: play of {} may be endless, so that there is no looking ahead; choose another level",
            args.level.name(),
            study.info().name
        ));
    }
    options::check_board(study)?;
    if study.info().has_keys && study.lines().is_none() && !can_prove(study) {
        study.check().map_err(Failure::usage)?;
    }
    let files = OracleFiles::open(&args.book).context("--book").map_err(Failure::Runtime)?;
    let oracle = Oracle::new(files, oracle_mib());
    let game = GameInProgress::new(course, oracle);
    let mut table = AtTheBoard {
        visitor_second: game.course.is_seconds_turn() != args.second,
        game,
        level: args.level,
        think: Duration::from_secs_f64(args.think),
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
    // The moves played are worth something even so.
    text::print("\n").and_then(|()| table.result())?;
    let time = text::seconds(started.elapsed());
    Err(Failure::Interrupted(format!("interrupted after {time}")))
}

struct AtTheBoard {
    game: GameInProgress,
    level: Level,
    visitor_second: bool,
    think: Duration,
    /// For every move that can be undone, whether the visitor made it.
    by_visitor: Vec<bool>,
    control: Arc<Control>,
}

const HELP: &str = "hint, values, undo, quit, or";

/// The commands and moves that can be typed.
fn plays(moves: &str) -> String {
    format!("type {HELP} {moves}")
}

/// The time after which a message asks to wait.
const PATIENCE: Duration = Duration::from_millis(300);

/// Runs work, with a message if it takes a while.
fn saying_so<T>(think: impl FnOnce() -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // A closed stderr is ignored.
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
        let side = self.game.sides()[usize::from(self.visitor_second)];
        text::print(&format!(
            "{}; you are {side}, the machine is {} ({})\n\n",
            self.game.study().info().title,
            self.level.name(),
            self.level.rule(),
        ))?;
        let mut show = true;
        loop {
            if self.game.study().result().is_some() {
                text::print(&(text::board_of(self.game.study()) + "\n"))?;
                break;
            }
            if self.game.course.is_seconds_turn() != self.visitor_second {
                self.control.limit(Some(self.think));
                let reply = saying_so(|| self.game.reply(self.level, &self.control))?;
                if self.control.is_asked_to_stop() {
                    // A move found after the stop is none.
                    self.game.undo();
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
                text::print(&(text::board_of(self.game.study()) + "\n"))?;
            }
            show = false;
            text::print(&format!("{side} to move> "))?;
            let line = input.next_line().map_err(|error| input::failed(error, "stdin"))?;
            let Some(line) = line else {
                text::print("\n")?;
                break;
            };
            // Bytes that are not text are no command, and are answered like one.
            let line = String::from_utf8_lossy(line);
            if !std::io::stdin().is_terminal() {
                text::print(&format!("{}\n", line.trim_end()))?;
            }
            match line.trim() {
                "quit" | "q" | "exit" => break,
                "help" | "?" => {
                    text::print(&format!("{HELP} {}\n", self.game.moves_in_words()))?;
                }
                "undo" | "u" if !self.by_visitor.contains(&true) => {
                    text::print("there is no move of yours to take back\n")?;
                }
                "undo" | "u" => {
                    // The machine's answers and the move they answer.
                    loop {
                        self.game.undo();
                        if self.by_visitor.pop() != Some(false) {
                            break;
                        }
                    }
                    show = true;
                }
                "hint" | "h" => text::print(&self.hint()?)?,
                "values" | "v" => text::print(&self.values()?)?,
                word => match self.game.play(word) {
                    Ok(()) => {
                        self.by_visitor.push(true);
                        // After a move that keeps the turn the board is shown first.
                        show = self.game.course.is_seconds_turn() == self.visitor_second;
                    }
                    Err(said) => text::print(&format!("{said}\n"))?,
                },
            }
        }
        self.result()
    }

    fn hint(&self) -> Result<String, Failure> {
        self.control.limit(Some(self.think));
        let best = match saying_so(|| self.game.best(&self.control)) {
            Err(error) => return self.not_found(error),
            Ok(best) => best,
        };
        let word = if best.len() == 1 { "the best move is" } else { "the best moves are" };
        Ok(format!("{word} {}\n", best.join(" ")))
    }

    fn values(&self) -> Result<String, Failure> {
        self.control.limit(Some(self.think));
        let (said, found) = saying_so(|| self.game.values(&self.control));
        let unfound = found.err().map(|error| self.not_found(error)).transpose()?;
        Ok(unfound.unwrap_or_default() + &said)
    }

    /// The answer if time was up.
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
        let visitors_turn = self.game.course.is_seconds_turn() == self.visitor_second;
        let result = match self.game.study().result() {
            None => "unfinished",
            Some(Outcome::Draw) => "a draw",
            // The side to move has won where the last move loses, or where it keeps the turn.
            Some(outcome) if visitors_turn == (outcome == Outcome::Win) => "you win",
            Some(_) => "the machine wins",
        };
        text::print(&format!("result  {result}\nmoves   {}\n", self.game.played()))
    }
}

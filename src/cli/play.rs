//! `analyze play`: a game against the machine in the terminal.

use std::io::{BufRead, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use anyhow::Context;

use super::input::{self, Input};
use super::interrupt;
use super::prelude::*;
use super::session::{interrupted, oracle_mib};
use everyply_files::reading::{LineError, TextLines};
use everyply_registry::registry::Course;
use everyply_results::opponent::Level;

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
pub(super) struct PlayArgs {
    #[command(flatten)]
    game: GameOptions,
    /// How well the machine plays
    #[arg(long, value_parser = one_of::<Level>(), default_value = Level::default().name(), value_name = "LEVEL", hide_possible_values = true)]
    level: Level,
    /// The machine makes the first move [default: you do]
    #[arg(long)]
    second: bool,
    /// Time to think about a move, after which the machine plays by a short search
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = super::options::seconds)]
    think: f64,
    /// A database or solution file with values; can be repeated
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
}

pub(super) fn run(args: &PlayArgs, registry: &Registry) -> Result<(), Failure> {
    let course = args.game.course(registry)?;
    let position = course.position();
    if args.level.looks_ahead() && position.plies_left().is_none() {
        return Err(usage!(
            "--level {}: play of {} may be endless, so that there is no looking ahead; choose another level",
            args.level.name(),
            position.info().name
        ));
    }
    let info = position.info();
    if info.has_keys && !info.proves && position.lines().is_none() {
        position.check().map_err(Failure::usage)?;
    }
    let files = OracleFiles::open(&args.book).context("--book").map_err(Failure::Runtime)?;
    let mut game = TerminalGame {
        oracle: Oracle::new(files, oracle_mib()),
        visitor_second: course.is_seconds_turn() != args.second,
        course,
        level: args.level,
        think: Duration::from_secs_f64(args.think),
        by_visitor: Vec::new(),
        control: interrupt::control(),
    };
    let started = Instant::now();
    let input = Input::open(Path::new("-"), Arc::clone(&game.control));
    let played = input
        .map_err(|error| input::failed(LineError::Io(error), "stdin"))
        .and_then(|input| game.play(&mut TextLines::new(input)));
    if !game.control.is_asked_to_stop() {
        return played;
    }
    // The moves played so far are printed.
    text::print("\n").and_then(|()| game.print_result())?;
    Err(interrupted(started, ""))
}

/// A game in progress between a visitor and the machine.
struct TerminalGame {
    course: Course,
    oracle: Oracle,
    level: Level,
    visitor_second: bool,
    think: Duration,
    /// For every move that can be undone, whether the visitor made it.
    by_visitor: Vec<bool>,
    control: Arc<Control>,
}

const HELP: &str = "hint, values, undo, quit, or";

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

impl TerminalGame {
    fn position(&self) -> &dyn Position {
        self.course.position()
    }

    fn play(&mut self, input: &mut TextLines<impl BufRead>) -> Result<(), Failure> {
        let sides = match self.position().to_move() {
            Some(_) => ["X", "O"],
            None => ["the first player", "the second player"],
        };
        let side = sides[usize::from(self.visitor_second)];
        text::print(&format!(
            "{}; you are {side}, the machine is {} ({})\n\n",
            self.position().info().title,
            self.level.name(),
            self.level.rule(),
        ))?;
        let mut show = true;
        loop {
            let is_over = self.position().result().is_some();
            let is_visitors_turn = self.course.is_seconds_turn() == self.visitor_second;
            if is_over || (show && is_visitors_turn) {
                text::print(&(text::board_of(self.position()) + "\n"))?;
            }
            if is_over {
                break;
            }
            if !is_visitors_turn {
                let Some(reply) = self.reply()? else { return Ok(()) };
                text::print(&reply)?;
                show = true;
                continue;
            }
            show = false;
            text::print(&format!("{side} to move> "))?;
            let line = input.next_line().map_err(|error| input::failed(error, "stdin"))?;
            let Some(line) = line else {
                text::print("\n")?;
                break;
            };
            // Bytes that are not text are answered like an unknown command.
            let line = String::from_utf8_lossy(line);
            if !std::io::stdin().is_terminal() {
                text::print(&format!("{}\n", line.trim_end()))?;
            }
            match line.trim() {
                "quit" | "q" | "exit" => break,
                "help" | "?" => text::print(&format!("{HELP} {}\n", self.moves_in_words()))?,
                "undo" | "u" if !self.by_visitor.contains(&true) => {
                    text::print("there is no move of yours to take back\n")?;
                }
                "undo" | "u" => {
                    // Takes back the machine's answers and the move they answer.
                    loop {
                        let before = self.course.moves().len().saturating_sub(1);
                        self.course.truncate(before);
                        if self.by_visitor.pop() != Some(false) {
                            break;
                        }
                    }
                    show = true;
                }
                "hint" | "h" => text::print(&self.hint()?)?,
                "values" | "v" => text::print(&self.values()?)?,
                word => match self.try_move(word) {
                    Ok(()) => {
                        self.by_visitor.push(true);
                        // After a move that keeps the turn the board is shown first.
                        show = self.course.is_seconds_turn() == self.visitor_second;
                    }
                    Err(reason) => text::print(&format!("{reason}\n"))?,
                },
            }
        }
        self.print_result()
    }

    fn moves_in_words(&self) -> String {
        let position = self.position();
        if let Some(most) = position.numbered_moves() {
            return format!(
                "the number of a {} from 1 to {most}",
                position.info().move_style.word()
            );
        }
        let moves: Vec<String> =
            position.branches().into_iter().map(|branch| branch.text).collect();
        format!("a move: {}", moves.join(" "))
    }

    /// Plays a move of the visitor, or gives the reason why it cannot be played.
    fn try_move(&mut self, word: &str) -> Result<(), String> {
        if self.course.play(word).is_ok() {
            return Ok(());
        }
        let (position, moves) = (self.position(), self.moves_in_words());
        let help = || format!("type {HELP} {moves}");
        match (word.parse::<usize>(), position.numbered_moves()) {
            (Err(_), _) => return Err(help()),
            (Ok(number), Some(most)) if !(1..=most).contains(&number) => {
                let place = position.info().move_style.word();
                return Err(format!("there is no {place} {number}: type {moves}"));
            }
            _ => {}
        }
        let line: Vec<&str> = self.course.moves().chain([word]).collect();
        match self.course.start().parse_line(&line.join(position.info().separator)) {
            Err(error) => Err(error.to_string()),
            Ok(_) => Err(help()),
        }
    }

    /// Makes the move of the machine, and returns the words about it; `None` if it was stopped.
    fn reply(&mut self) -> Result<Option<String>, Failure> {
        self.control.limit(Some(self.think));
        let choice =
            saying_so(|| self.level.reply(&self.oracle, self.course.position(), &self.control));
        let choice = choice?.expect("the game is not over");
        // A move found after a stop does not count.
        if self.control.is_asked_to_stop() {
            return Ok(None);
        }
        let text = choice.m.text;
        self.course.play(&text).map_err(Failure::usage)?;
        self.by_visitor.push(false);
        let is_unsure = !choice.proved && matches!(self.level, Level::Perfect | Level::Varied);
        let unsure = if is_unsure { " (time was up before it was proved best)" } else { "" };
        Ok(Some(format!("the machine plays {text}{unsure}\n\n")))
    }

    fn hint(&self) -> Result<String, Failure> {
        self.control.limit(Some(self.think));
        let position = self.position();
        let best = match saying_so(|| self.oracle.best_moves(position, &self.control)) {
            Err(error) => return self.not_found(error),
            Ok(best) => position.texts(best),
        };
        let word = if best.len() == 1 { "the best move is" } else { "the best moves are" };
        Ok(format!("{word} {}\n", best.join(" ")))
    }

    /// The values of the moves, a line for each that is found in time.
    fn values(&self) -> Result<String, Failure> {
        self.control.limit(Some(self.think));
        let position = self.position();
        let (known, found) = saying_so(|| self.oracle.found_moves(position, &self.control));
        let mut text = match found {
            Err(error) => self.not_found(error)?,
            Ok(()) => String::new(),
        };
        for branch in position.branches() {
            if let Some((_, known)) = known.iter().find(|(bit, _)| *bit == branch.bit) {
                let value = position.value_in_words(known.value);
                let points = known.points.map(|points| format!(", {points:+} points"));
                let points = points.unwrap_or_default();
                let _ = writeln!(text, "{:>6}  {value}{points}", branch.text);
            }
        }
        Ok(text)
    }

    fn not_found(&self, error: OracleError) -> Result<String, Failure> {
        match error {
            OracleError::Stopped(_) => {
                Ok(format!("not found within {} s (--think)\n", self.think.as_secs_f64()))
            }
            error @ OracleError::Engine { .. } => Ok(format!("{error}\n")),
            error => Err(error.into()),
        }
    }

    fn print_result(&self) -> Result<(), Failure> {
        let position = self.position();
        let visitors_turn = self.course.is_seconds_turn() == self.visitor_second;
        let result = match position.result() {
            None => "unfinished",
            Some(Outcome::Draw) => "a draw",
            // The side to move has won if the last move loses, or if it keeps the turn.
            Some(outcome) if visitors_turn == (outcome == Outcome::Win) => "you win",
            Some(_) => "the machine wins",
        };
        let moves = self.course.moves().collect::<Vec<_>>().join(position.info().separator);
        text::print(&format!("result  {result}\nmoves   {moves}\n"))
    }
}

//! `analyze play`: a game against the machine in the terminal.

use std::fmt::Write;
use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::input::{self, Input};
use super::options::{BoardOptions, GameName};
use super::{interrupt, text};
use crate::control::Control;
use crate::game::notation::{parse_moves, place_word, side_to_move, write_moves};
use crate::game::{AnyGame, Game, Move, MoveSet, Outcome, Rules, Stones};
use crate::opponent::Level;
use crate::oracle::{Known, Oracle, OracleError, OracleFiles};
use crate::reading::{LineError, Lines};
use crate::search::solver::Solver;

/// Game against the machine in the terminal
///
/// Type the number of a cell or column to play there. `hint` shows a best move, `values` what
/// every move leads to, `undo` takes your last move back, `quit` ends the game. The moves are
/// printed at the end as a move string. Commands may also come from a pipe, one a line.
#[derive(Debug, clap::Args)]
#[command(after_help = "Levels:
  perfect   a best move, the one nearest to the middle: wins as soon as possible, loses as late
  varied    one of the best moves, at random
  casual    the best of what it sees four plies ahead by counting open lines
  beginner  completes a line, else stops one that would be completed next, else any move

Examples:
  analyze play ttt
  analyze play connect4 --level casual --second
  analyze play ttt --size 4x4 --line 3
  printf '5\\n1\\nvalues\\nquit\\n' | analyze play ttt --level varied")]
pub(super) struct Args {
    /// The game
    #[arg(value_enum)]
    game: GameName,
    #[command(flatten)]
    board: BoardOptions,
    /// How well the machine plays
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL", hide_possible_values = true)]
    level: Level,
    /// You move first (X); the default
    #[arg(long, conflicts_with = "second")]
    first: bool,
    /// You move second (O)
    #[arg(long)]
    second: bool,
    /// The most the machine may think about a move before it plays by a short search
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = super::compare::seconds)]
    think: f64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.board.game(args.game)?;
    let largest_table = Solver::default_table(game.size(), usize::MAX);
    let oracle = Oracle::new(OracleFiles::default(), largest_table);
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut table = AtTheBoard {
        game,
        oracle,
        level: args.level,
        visitor_second: args.second,
        think: Duration::from_secs_f64(args.think),
        colours,
        moves: Vec::new(),
        control: interrupt::control(),
    };
    let started = Instant::now();
    let input = Input::open(Path::new("-"), Arc::clone(&table.control));
    let played = input
        .map_err(|error| input::failed(LineError::Io(error), "stdin"))
        .and_then(|input| table.play(&mut Lines::new(input)));
    if !table.control.is_asked_to_stop() {
        return played;
    }
    // The moves played are worth something all the same.
    text::print("\n").and_then(|()| table.result())?;
    let time = text::seconds(started.elapsed());
    Err(Failure::Interrupted(format!("interrupted after {time}")))
}

/// A game in progress.
struct AtTheBoard {
    game: AnyGame,
    oracle: Oracle,
    level: Level,
    visitor_second: bool,
    think: Duration,
    colours: bool,
    moves: Vec<Move>,
    /// What a signal stops.
    control: Arc<Control>,
}

/// What the visitor typed.
enum Command {
    Play(Move),
    Hint,
    Values,
    Undo,
    Help,
    Quit,
}

const HELP: &str = "hint, values, undo, quit, or";

impl AtTheBoard {
    fn play(&mut self, input: &mut Lines<impl BufRead>) -> Result<(), Failure> {
        text::print(&format!(
            "{}; you are {}, the machine is {} ({})\n\n",
            text::title(&self.game),
            if self.visitor_second { 'O' } else { 'X' },
            self.level.name(),
            self.level.rule(),
        ))?;
        let mut show = true;
        loop {
            let position = self.position();
            if self.game.terminal(position).is_some() {
                text::print(&(self.drawn(position) + "\n"))?;
                break;
            }
            if position.ply().is_second_players_turn() != self.visitor_second {
                let control = self.control();
                let choice = self.level.choose(&self.oracle, &self.game, position, control);
                let choice = choice.map_err(Failure::runtime)?.expect("the game is not over");
                if control.is_asked_to_stop() {
                    return Ok(());
                }
                self.moves.push(choice.m);
                let unsure = !choice.proved && matches!(self.level, Level::Perfect | Level::Varied);
                text::print(&format!(
                    "the machine plays {}{}\n\n",
                    choice.m.number(),
                    if unsure { " (time was up before it was proved best)" } else { "" }
                ))?;
                show = true;
                continue;
            }
            if show {
                text::print(&(self.drawn(position) + "\n"))?;
            }
            show = false;
            text::print(&format!("{} to move> ", side_to_move(position)))?;
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
            match self.command(position, line.trim()) {
                Err(said) => text::print(&format!("{said}\n"))?,
                Ok(Command::Quit) => break,
                Ok(Command::Help) => {
                    let place = place_word(&self.game);
                    text::print(&format!("{HELP} the number of a {place}\n"))?;
                }
                Ok(Command::Undo) if self.moves.len() <= usize::from(self.visitor_second) => {
                    text::print("there is no move of yours to take back\n")?;
                }
                Ok(Command::Undo) => {
                    // The machine's answer and the move it answers.
                    self.moves.truncate(self.moves.len() - 2);
                    show = true;
                }
                Ok(Command::Hint) => text::print(&self.hint(position)?)?,
                Ok(Command::Values) => text::print(&self.values(position)?)?,
                Ok(Command::Play(m)) => {
                    self.moves.push(m);
                    show = false;
                }
            }
        }
        self.result()
    }

    fn position(&self) -> Stones {
        self.moves.iter().fold(self.game.initial(), |position, &m| self.game.play(position, m))
    }

    /// The control, with the time to think from now on.
    fn control(&self) -> &Control {
        self.control.limit(Some(self.think));
        &self.control
    }

    fn command(&self, position: Stones, word: &str) -> Result<Command, String> {
        match word {
            "hint" | "h" => return Ok(Command::Hint),
            "values" | "v" => return Ok(Command::Values),
            "undo" | "u" => return Ok(Command::Undo),
            "quit" | "q" | "exit" => return Ok(Command::Quit),
            "help" | "?" => return Ok(Command::Help),
            _ => {}
        }
        let place = place_word(&self.game);
        let most = self.game.centre_first().len();
        let number = word.parse::<usize>().ok().filter(|number| (1..=most).contains(number));
        let Some(number) = number else {
            return Err(format!(
                "type hint, values, undo, quit, or the number of a {place} from 1 to {most}"
            ));
        };
        let m = Move((number - 1) as u8);
        if self.game.try_play(position, m).is_err() {
            // The parser's own words for what is wrong.
            let mut moves = self.moves.clone();
            moves.push(m);
            let refused = parse_moves(&self.game, &write_moves(&self.game, &moves));
            return Err(refused.map_or_else(|error| error.to_string(), |_| String::new()));
        }
        Ok(Command::Play(m))
    }

    fn hint(&self, position: Stones) -> Result<String, Failure> {
        let control = self.control();
        let best = match self.oracle.best(&self.game, position, control) {
            Err(OracleError::Stopped(_)) => return Ok(self.out_of_time()),
            best => best.map_err(Failure::runtime)?,
        };
        let word = if best.len() == 1 { "the best move is" } else { "the best moves are" };
        Ok(format!("{word} {}\n", numbers(best)))
    }

    fn values(&self, position: Stones) -> Result<String, Failure> {
        let control = self.control();
        let mut results: Vec<(Move, Known)> = Vec::new();
        let found = self.oracle.moves(&self.game, position, control, &mut |update| {
            if let crate::oracle::Update::Move(m, known) = update {
                results.push((m, known));
            }
        });
        let mut said = String::new();
        match found {
            Ok(_) => {}
            Err(OracleError::Stopped(_)) => said = self.out_of_time(),
            Err(error) => return Err(Failure::runtime(error)),
        }
        results.sort_unstable_by_key(|(m, _)| *m);
        for (m, known) in results {
            let distance = known.remoteness.map_or_else(String::new, |r| format!(" in {r}"));
            let _ = writeln!(said, "{:>4}  {}{distance}", m.number(), known.outcome);
        }
        Ok(said)
    }

    fn out_of_time(&self) -> String {
        format!("not found within {} s (--think)\n", self.think.as_secs_f64())
    }

    fn drawn(&self, position: Stones) -> String {
        let board = match self.game.rules() {
            Rules::ConnectFour => text::columns_board(&self.game, position),
            Rules::Mnk => {
                let width = u32::from(self.game.size().width);
                text::board(&self.game, position, |x, y| (y * width + x + 1).to_string())
            }
        };
        if !self.colours {
            return board;
        }
        // The letters say the same as the colours.
        board.replace('X', "\x1b[1;33mX\x1b[0m").replace('O', "\x1b[1;36mO\x1b[0m")
    }

    fn result(&self) -> Result<(), Failure> {
        let position = self.position();
        let visitors_turn = position.ply().is_second_players_turn() == self.visitor_second;
        let result = match self.game.terminal(position) {
            None => "unfinished",
            Some(Outcome::Draw) => "a draw",
            Some(_) if visitors_turn => "the machine wins",
            Some(_) => "you win",
        };
        text::print(&format!(
            "result  {result}\nmoves   {}\n",
            write_moves(&self.game, &self.moves)
        ))
    }
}

fn numbers(moves: MoveSet) -> String {
    let numbers: Vec<String> = moves.into_iter().map(|m| m.number().to_string()).collect();
    numbers.join(" ")
}

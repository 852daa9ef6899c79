//! `analyze convert`: positions from one format to another.

use std::io::{BufWriter, ErrorKind, Write};

use super::failure::LineWarnings;
use super::input::{self, Input};
use super::interrupt;
use super::options::{BoardOptions, refused_size};
use super::prelude::*;
use everyply_connect_four::formats::{InterchangeError, LineFormat, RecordError, Records};
use everyply_core::games::line::on_board;

/// Positions of Connect Four or tic-tac-toe from one format to another, one a line
///
/// Reads a position a line and writes it in another format, in the same order. Every position is
/// checked: a position that no game reaches is left out and named on stderr, and the exit code is 1.
/// A value is copied if both formats have one, and dropped if the target has no place for it; a
/// target that needs a value is refused if the source has none.
///
/// A board has no order of moves. If the target is a move string, the legal order whose first
/// moves are lowest is written; between two formats of move strings the order stays.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze convert --from moves1 --to kaggle positions.txt
  analyze convert --from uci --to picture connect-4.data
  analyze convert --game ttt --from uci --to moves1 tic-tac-toe.data
  echo 4453 | analyze convert --from moves1 --to moves0
  analyze convert --from moves1 --to pons FILE      refused: moves have no score
Whether columns count from 0 or from 1 is part of the format's name; nothing is guessed.")]
pub(super) struct ConvertArgs {
    /// The format of the input
    #[arg(long, value_parser = one_of::<LineFormat>(), value_name = "FORMAT")]
    from: LineFormat,
    /// The format of the output
    #[arg(long, value_parser = one_of::<LineFormat>(), value_name = "FORMAT")]
    to: LineFormat,
    /// The file to read, - for stdin
    #[arg(value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// Write a JSON document for each line of the input, refused ones too
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    board: BoardOptions,
    /// The game; ttt is played on 3x3 with 3 in a row unless --size or --line is given
    #[arg(long, value_parser = one_of::<Rules>(), value_name = "GAME",
          default_value = Rules::ConnectFour.word())]
    game: Rules,
}

/// A line of the input, converted or refused.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(super) struct ConvertDocument {
    /// The number of the line.
    number: u64,
    /// The position in the target format.
    converted: Option<String>,
    error: Option<String>,
}

impl ConvertDocument {
    fn written(self) -> String {
        serde_json::to_string(&self).unwrap_or_default()
    }
}

pub(super) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let size = args.board.size(args.game)?;
    on_board!(args.game, size, |game| convert_all(&game, args)).map_err(refused_size)?
}

fn convert_all(game: &impl LineGame, args: &ConvertArgs) -> Result<(), Failure> {
    for (option, format) in [("--from", args.from), ("--to", args.to)] {
        let check = format.check_game(game);
        check.map_err(|error| usage!("{option}: {error}"))?;
    }
    let name = input::name_of(&args.input);
    let control = interrupt::control();
    let started = Instant::now();
    let stopped = |converted: u64| {
        let time = text::seconds(started.elapsed());
        Failure::Interrupted(format!(
            "interrupted after {time}; {} converted",
            counted(converted, "position")
        ))
    };
    let input = match Input::open(&args.input, control.clone()) {
        Ok(input) => input,
        Err(_) if control.is_asked_to_stop() => return Err(stopped(0)),
        Err(source) => return Err(Failure::from(InterchangeError::Io(name, source))),
    };
    let mut output = Output { to: BufWriter::new(std::io::stdout().lock()), converted: 0 };
    let refused = convert(game, args, &name, input, &control, &mut output);
    // The lines converted before an error are printed before it is reported.
    let flushed = output.to.flush().map_err(Stop::Output);
    match refused.and_then(|refused| flushed.map(|()| refused)) {
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(Stop::Output(error)) => Err(text::cannot_write(error)),
        _ if control.is_asked_to_stop() => Err(stopped(output.converted)),
        Err(Stop::Input(
            error @ (InterchangeError::Io { .. }
            | InterchangeError::TooLong { .. }
            | InterchangeError::Invalid { .. }),
        )) => Err(error.into()),
        Err(Stop::Input(error)) if lacks_values(&error) => {
            Err(usage!("{error} (`analyze connect4 --input`)"))
        }
        Err(Stop::Input(error)) => Err(Failure::usage(error)),
        Ok(0) => Ok(()),
        Ok(refused) => Err(runtime!(
            "{} of {} could not be converted and {} left out",
            grouped(refused),
            counted(refused + output.converted, "position"),
            if refused == 1 { "was" } else { "were" }
        )),
    }
}

/// The reason why converting ended early.
enum Stop {
    Input(InterchangeError),
    Output(std::io::Error),
}

struct Output<W: Write> {
    to: W,
    converted: u64,
}

/// Converts line by line; returns the number of refused lines.
fn convert(
    game: &impl LineGame,
    args: &ConvertArgs,
    name: &str,
    input: Input,
    control: &Control,
    output: &mut Output<impl Write>,
) -> Result<u64, Stop> {
    let (mut refused, mut warnings) = (0, LineWarnings::default());
    let mut records = Records::new(game, args.from, name, input);
    loop {
        if records.input().is_empty() {
            // A writer that feeds a pipe line by line gets the lines back one by one.
            output.to.flush().map_err(Stop::Output)?;
        }
        let Some(next) = records.next() else {
            warnings.finish();
            return Ok(refused);
        };
        if control.is_asked_to_stop() {
            return Ok(refused);
        }
        let line = next.and_then(|(number, record)| {
            let line = args.to.write(game, &record).map_err(|source| {
                let (name, source) = (name.to_owned(), Box::new(source));
                InterchangeError::Record { name, unit: "line", number, source }
            });
            Ok((number, line?))
        });
        let document = match line {
            Ok((number, line)) => {
                output.converted += 1;
                ConvertDocument { number, converted: Some(line), error: None }
            }
            Err(error) => {
                // If the formats do not fit each other, no line can be converted.
                let fits = args.from.has_value() || !lacks_values(&error);
                let number = match &error {
                    InterchangeError::Record { number, .. } if fits => *number,
                    _ => return Err(Stop::Input(error)),
                };
                refused += 1;
                let text = error.to_string();
                let (line, reason) = text.split_once(": ").unwrap_or((&text, ""));
                warnings.warn(line, reason);
                ConvertDocument { number, converted: None, error: Some(text) }
            }
        };
        let line = if args.json { Some(document.written()) } else { document.converted };
        if let Some(line) = line {
            writeln!(output.to, "{line}").map_err(Stop::Output)?;
        }
    }
}

/// True if the target needs a value and the input has none.
fn lacks_values(error: &InterchangeError) -> bool {
    let InterchangeError::Record { source, .. } = error else { return false };
    matches!(**source, RecordError::NoValue { .. })
}

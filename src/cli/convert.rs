//! `analyze convert`: positions from one format to another.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::options::BoardOptions;
use crate::game::{Board, ConnectFour, Size};
use crate::interchange::{Form, InterchangeError, Records};

/// Connect Four positions from one format to another, one a line
///
/// Reads a position a line and writes it in another format, in the same order. Every position is
/// checked: what no game can reach is refused. A value is carried over where both formats tell
/// one, and left out where the target has no place for it; a target that needs a value the source
/// does not tell is refused.
///
/// A board has no order of moves. Where the target is a move string, some legal order that leads
/// to the position is written, the same each time; from one move string to another the order
/// stays.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze convert --from moves1 --to kaggle positions.txt
  analyze convert --from uci --to picture connect-4.data
  echo 4453 | analyze convert --from moves1 --to moves0
  analyze convert --from moves1 --to pons0 FILE     refused: moves tell no score
Whether columns count from 0 or from 1 is part of the format's name; nothing is guessed.")]
pub(super) struct Args {
    /// The format of the input
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Form,
    /// The format of the output
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Form,
    /// The file to read, - for stdin
    #[arg(value_name = "FILE", default_value = "-")]
    input: PathBuf,
    #[command(flatten)]
    board: BoardOptions,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let board = args.board.size.unwrap_or(Board { width: 7, height: 6 });
    let size = Size::new(board.width, board.height, args.board.line.unwrap_or(4));
    let size = size.map_err(Failure::usage)?;
    let refused = |error| Failure::Usage(format!("--size {}: {error}", size.board()));
    let game = ConnectFour::new(size).map_err(refused)?;
    for (option, form) in [("--from", args.from), ("--to", args.to)] {
        form.check_board(&game).map_err(|error| Failure::Usage(format!("{option}: {error}")))?;
    }
    let (name, input) = open(&args.input)?;
    let mut output = BufWriter::new(std::io::stdout().lock());
    let converted = convert(&game, args, &name, input, &mut output);
    // What was converted before an error is printed before it is reported.
    let flushed = output.flush().map_err(Stop::Output);
    match converted.and(flushed) {
        Ok(()) => Ok(()),
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(Stop::Output(error)) => {
            Err(Failure::Runtime(anyhow::Error::from(error).context("cannot write to stdout")))
        }
        Err(Stop::Input(error @ InterchangeError::Io { .. })) => Err(Failure::runtime(error)),
        Err(Stop::Input(error)) => Err(Failure::usage(error)),
    }
}

/// Why converting ended early.
enum Stop {
    Input(InterchangeError),
    Output(std::io::Error),
}

fn convert(
    game: &ConnectFour,
    args: &Args,
    name: &str,
    input: Box<dyn BufRead>,
    output: &mut impl Write,
) -> Result<(), Stop> {
    for next in Records::new(game, args.from, name, input) {
        let (number, record) = next.map_err(Stop::Input)?;
        let line = args.to.write(game, &record).map_err(|source| {
            let (name, source) = (name.to_owned(), Box::new(source));
            Stop::Input(InterchangeError::Record { name, unit: "line", number, source })
        })?;
        writeln!(output, "{line}").map_err(Stop::Output)?;
    }
    Ok(())
}

fn open(path: &Path) -> Result<(String, Box<dyn BufRead>), Failure> {
    if path == Path::new("-") {
        return Ok(("stdin".to_owned(), Box::new(BufReader::new(std::io::stdin()))));
    }
    let name = path.display().to_string();
    let file = File::open(path)
        .map_err(|source| Failure::runtime(InterchangeError::Io { name: name.clone(), source }))?;
    Ok((name, Box::new(BufReader::new(file))))
}

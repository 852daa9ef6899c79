//! `analyze export --format`: the stored positions in one file, with its manifest.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::source::{AbortReason, Source, Tally, Traits};
use super::{Format, Wanted};
use crate::cli::connect4::files;
use crate::cli::failure::Failure;
use crate::cli::options::with_game;
use crate::cli::session::Session;
use crate::cli::text;
use crate::database::{Database, GameId};
use crate::export::{DatasetFormat, DatasetWriter, Manifest, ManifestedFile, Schema, rules};
use crate::games::line::{AnyGame, LineGame};
use crate::registry::Study;
use crate::statistics::grouped;

/// Whose positions are written.
pub(in crate::cli) enum Subject<'s> {
    /// Those of a board of stones and lines.
    Lines(&'s AnyGame, GameId),
    /// Those of a game of the registry, given by its start.
    Registered(&'s dyn Study),
}

impl Subject<'_> {
    fn id(&self) -> GameId {
        match self {
            Self::Lines(_, id) => id.clone(),
            Self::Registered(start) => start.game_id(),
        }
    }
}

pub(in crate::cli) fn run(
    args: &Wanted,
    format: Format,
    database: Database,
    subject: &Subject<'_>,
) -> Result<(), Failure> {
    let id = subject.id();
    files::check(args, format, &id)?;
    let out = args.out.clone().unwrap_or_else(|| default_name(args, format));
    let session = Session::start(&args.running)?;
    let mut file = ManifestedFile::create(&out).map_err(Failure::runtime)?;
    let mut tally = Tally::default();
    // Rows come from one connection, in order: one thread does it all.
    let written = session.work("exporting", "positions", |control| {
        control.start(0);
        let source = Source { database, id: &id, wanted: args, control };
        match format {
            Format::Uci => files::uci(&source, &mut file, &mut tally),
            Format::Pons => files::pons(&source, &mut file, &mut tally),
            Format::Boeck => files::boeck(&source, &mut file, &mut tally),
            format => {
                let format = dataset_format(format);
                match subject {
                    Subject::Lines(game, _) => with_game!(*game, game => {
                        dataset(game, &source, format, &mut file, &mut tally)
                    }),
                    Subject::Registered(start) => {
                        super::registered::dataset(*start, &source, format, &mut file, &mut tally)
                    }
                }
            }
        }
    });
    let traits = written.map_err(|reason| match reason {
        AbortReason::Database(error) => Failure::runtime(error),
        AbortReason::File(error) => Failure::Runtime(
            anyhow::Error::from(error).context(format!("{} was not written", out.display())),
        ),
        AbortReason::Stopped => session.interrupted("; nothing was written"),
        AbortReason::Refused(failure) => failure,
    })?;
    if tally.rows() == 0 {
        return Err(Failure::Usage(format!(
            "{} holds no position of {id} to write{}: nothing was written",
            args.file.display(),
            if args.plies.is_some() { " in these --plies" } else { "" }
        )));
    }
    let mut manifest = manifest(subject, format, traits, tally);
    if session.control.is_asked_to_stop() {
        return Err(session.interrupted("; nothing was written"));
    }
    file.commit(&mut manifest).map_err(Failure::runtime)?;
    if args.running.json {
        return text::print_json(&manifest);
    }
    let mut said = format!(
        "{}  {} rows, {}, SHA-256 {}\n",
        out.display(),
        grouped(manifest.rows),
        text::bytes(manifest.bytes as f64),
        manifest.sha256
    );
    if manifest.complete == Some(false) {
        let _ = writeln!(said, "not all of the data set: the database does not hold the rest");
    }
    text::print(&said)
}

/// The database's name with the format's ending.
fn default_name(args: &Wanted, format: Format) -> PathBuf {
    let stem = args.file.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(".");
    name.push(format.ending());
    PathBuf::from(name)
}

fn manifest(subject: &Subject<'_>, format: Format, traits: Traits, tally: Tally) -> Manifest {
    let id = subject.id();
    let (board, line, parameters, rules) = match subject {
        Subject::Lines(_, id) => (Some(id.size.board()), Some(id.size.line), None, rules(id)),
        Subject::Registered(start) => (None, None, Some(start.parameters()), start.title()),
    };
    Manifest {
        file: String::new(),
        format: format.name(),
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        game: id.name,
        board,
        line,
        parameters,
        rules,
        rows: tally.rows(),
        plies: tally.into_plies(),
        selection: traits.selection,
        complete: traits.complete,
        perspective: traits.perspective,
        index_base: traits.index_base,
        order: traits.order,
        columns: traits.columns,
        bytes: 0,
        sha256: String::new(),
    }
}

fn dataset_format(format: Format) -> DatasetFormat {
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => DatasetFormat::Parquet,
        Format::Jsonl => DatasetFormat::JsonLines,
        _ => DatasetFormat::Csv,
    }
}

fn dataset<G: LineGame>(
    game: &G,
    source: &Source<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let schema = Schema::new(game, source.wanted.all_moves);
    let columns = Some(schema.names());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    source.database.layers(source.id, |layer, next| {
        for row in layer.rows().iter().filter(|row| source.wants(row.ply.0)) {
            let position = source.position(game, row)?;
            let over = game.result(position).is_some();
            let open = if over { crate::game::MoveSet::EMPTY } else { game.moves(position) };
            writer.row(game, position, row, |m| {
                if !open.contains(m) {
                    return None;
                }
                // A best move attains the value of the position, whether its own is stored or not.
                let best = row.best.is_some_and(|best| best.contains(m));
                next.value_of_move(game, position, m).or_else(|| best.then_some(row.value))
            })?;
            tally.count(row.ply.0, row.value.outcome);
            source.advance()?;
        }
        Ok::<(), AbortReason>(())
    })?;
    writer.finish()?;
    Ok(Traits {
        selection: "stored positions, each in its canonical image: the one with the lowest key",
        complete: None,
        index_base: Some(1),
        order: "ply, then key as an unsigned number",
        columns,
        perspective: "side to move",
    })
}

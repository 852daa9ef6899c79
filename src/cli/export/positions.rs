//! `analyze export --format`: the stored positions in one file, with its manifest.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::source::{self, AbortReason, Source, Tally, Traits};
use super::store::Store;
use super::{Format, Wanted};
pub(super) use crate::cli::connect4::files;
use crate::cli::failure::{Failure, warn};
use crate::cli::options::with_game;
use crate::cli::session::Session;
use crate::cli::text;
use crate::database::Database;
use crate::export::{
    DatasetFormat, DatasetWriter, Manifest, ManifestFilter, ManifestedFile, SCHEMA, Schema, rules,
};
use crate::game::GameId;
use crate::games::line::{AnyGame, LineGame};
use crate::registry::Study;
use crate::statistics::counted;

/// Whose positions are written, and what holds them.
pub(in crate::cli) enum Subject {
    /// Those of a board of stones and lines.
    Lines(AnyGame, GameId, Store),
    /// Those of a game of the registry, given by its start.
    Registered(Box<dyn Study>, Database),
}

impl Subject {
    fn id(&self) -> GameId {
        match self {
            Self::Lines(_, id, _) => id.clone(),
            Self::Registered(start, _) => start.game_id(),
        }
    }
}

pub(in crate::cli) fn run(args: &Wanted, format: Format, subject: Subject) -> Result<(), Failure> {
    let id = subject.id();
    let mut manifest = manifest(&subject, args, format);
    files::check(args, format, &id)?;
    let out = args.out.clone().unwrap_or_else(|| default_name(args, format));
    let session = Session::start(&args.running)?;
    let mut file = ManifestedFile::create(&out).map_err(Failure::runtime)?;
    let mut tally = Tally::default();
    // Rows come from one connection, in order: one thread does it all.
    let written = session.work("exporting", "positions", |control| {
        control.start(0);
        let plies = source::plies(args, format);
        let source = Source { id: &id, wanted: args, plies, control };
        let (game, store) = match subject {
            Subject::Lines(game, _, store) => (game, store),
            Subject::Registered(start, database) => {
                let format = dataset_format(format);
                return super::studied::dataset(
                    start.as_ref(),
                    &database,
                    &source,
                    format,
                    &mut file,
                    &mut tally,
                );
            }
        };
        match format {
            Format::Uci => files::uci(&store, &source, &mut file, &mut tally),
            Format::Pons => files::pons(&store, &source, &mut file, &mut tally),
            Format::Boeck => files::boeck(&store, &source, &mut file, &mut tally),
            format => with_game!(game, game => {
                dataset(&game, &store, &source, dataset_format(format), &mut file, &mut tally)
            }),
        }
    });
    let traits = written.map_err(|reason| match reason {
        AbortReason::Database(error) => Failure::runtime(error),
        AbortReason::Solution(error) => Failure::runtime(error),
        AbortReason::File(error) => Failure::Runtime(
            anyhow::Error::from(error).context(format!("{} was not written", out.display())),
        ),
        AbortReason::Stopped => session.interrupted("; nothing was written"),
        AbortReason::Refused(failure) => failure,
    })?;
    let left_out = tally.reason.take().map(|reason| {
        let verb = if tally.skipped() == 1 { "was" } else { "were" };
        format!("{} {verb} left out: {reason}", counted(tally.skipped(), "position"))
    });
    if tally.rows() == 0 {
        let file = args.file.display();
        let why = match &left_out {
            Some(left_out) => format!(" in this format ({left_out})"),
            None if manifest.filter.is_some() => " that is asked for".to_owned(),
            None => String::new(),
        };
        return Err(Failure::Usage(format!(
            "{file} holds no position of {id} to write{why}: nothing was written"
        )));
    }
    manifest.describe(traits, tally);
    if session.control.is_asked_to_stop() {
        return Err(session.interrupted("; nothing was written"));
    }
    file.commit(&mut manifest).map_err(Failure::runtime)?;
    if let Some(left_out) = left_out {
        warn(&left_out);
    }
    if args.running.json {
        return text::print_json(&manifest);
    }
    let mut said = format!(
        "{}  {}, {}, SHA-256 {}\n",
        out.display(),
        counted(manifest.rows, "row"),
        text::bytes(manifest.bytes as f64),
        manifest.sha256
    );
    if manifest.complete == Some(false) {
        let _ = writeln!(said, "not all of the data set: the rest is not stored, or not asked for");
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

/// What is known of the file before its rows are.
fn manifest(subject: &Subject, args: &Wanted, format: Format) -> Manifest {
    let id = subject.id();
    let (board, line, parameters, rules) = match subject {
        Subject::Lines(game, id, _) => {
            (Some(game.size().board()), Some(game.size().line), None, rules(id))
        }
        Subject::Registered(start, _) => (None, None, Some(start.parameters()), start.title()),
    };
    let words: Vec<&str> = args.outcome.iter().map(|outcome| outcome.word()).collect();
    let filter = ManifestFilter {
        plies: args.plies.as_ref().map(ToString::to_string),
        outcome: (!words.is_empty()).then(|| words.join(",")),
        remoteness: args.remoteness.as_ref().map(ToString::to_string),
    };
    Manifest {
        schema: SCHEMA,
        file: String::new(),
        format: format.name(),
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        game: id.name,
        board,
        line,
        parameters,
        rules,
        rows: 0,
        plies: Vec::new(),
        skipped: 0,
        filter: (filter != ManifestFilter::default()).then_some(filter),
        mirror: args.mirror,
        selection: "",
        complete: None,
        perspective: "",
        index_base: None,
        order: "",
        columns: None,
        bytes: 0,
        sha256: String::new(),
    }
}

impl Manifest {
    fn describe(&mut self, traits: Traits, tally: Tally) {
        self.rows = tally.rows();
        self.skipped = tally.skipped();
        self.plies = tally.into_plies();
        self.selection = traits.selection;
        self.complete = traits.complete;
        self.perspective = traits.perspective;
        self.index_base = traits.index_base;
        self.order = traits.order;
        self.columns = traits.columns;
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
    store: &Store,
    source: &Source<'_>,
    format: DatasetFormat,
    file: &mut ManifestedFile,
    tally: &mut Tally,
) -> Result<Traits, AbortReason> {
    let schema = Schema::new(game, source.wanted.all_moves);
    let columns = Some(schema.names());
    let mut writer = DatasetWriter::new(format, schema, file)?;
    store.positions(source, game, |known| {
        writer.row(game, known)?;
        tally.count(known.position.ply().0, known.value.outcome);
        Ok(())
    })?;
    writer.finish()?;
    Ok(Traits {
        selection: source.images(),
        complete: None,
        index_base: Some(1),
        order: store.order(),
        columns,
        perspective: "side to move",
    })
}

//! `analyze export --format`: the stored positions in one file, with its manifest.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use super::{Format, Wanted, lines};
use crate::cli::failure::Failure;
use crate::cli::options::with_game;
use crate::cli::session::Session;
use crate::cli::text;
use crate::control::{Control, Stopped};
use crate::database::{Database, DatabaseError, GameId, PositionRow};
use crate::export::{
    DatasetFormat, DatasetWriter, Manifest, ManifestPly, ManifestedFile, Schema, rules,
};
use crate::game::Outcome;
use crate::games::line::{AnyGame, LineGame, Stones};
use crate::registry::Study;
use crate::statistics::grouped;

/// Plies asked for, as ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Plies(Vec<(u8, u8)>);

impl Plies {
    pub fn contains(&self, ply: u8) -> bool {
        self.0.iter().any(|&(first, last)| (first..=last).contains(&ply))
    }

    /// The one ply asked for, if it is one.
    pub fn single(&self) -> Option<u8> {
        let mut plies = (0..=u8::MAX).filter(|&ply| self.contains(ply));
        plies.next().filter(|_| plies.next().is_none())
    }
}

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.parse::<u8>() {
            Ok(ply) if ply <= 64 && text.bytes().all(|b| b.is_ascii_digit()) => Ok(ply),
            _ => Err(format!("'{text}' is no ply: write 8, 0-8 or 4,6-8")),
        };
        let range = |part: &str| match part.split_once('-') {
            None => number(part).map(|ply| (ply, ply)),
            Some((first, last)) => match (number(first)?, number(last)?) {
                (first, last) if first <= last => Ok((first, last)),
                _ => Err(format!("'{part}' has no ply: the lower one comes first")),
            },
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self)
    }
}

/// Why an export ended early.
pub(super) enum AbortReason {
    Database(DatabaseError),
    File(io::Error),
    Stopped,
    Refused(Failure),
}

impl From<DatabaseError> for AbortReason {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<Stopped> for AbortReason {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<io::Error> for AbortReason {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Rows written so far, by ply and outcome.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<ManifestPly>);

impl Tally {
    pub fn count(&mut self, ply: u8, outcome: Outcome) {
        if self.0.last().is_none_or(|last| last.ply != ply) {
            self.0.push(ManifestPly { ply, ..ManifestPly::default() });
        }
        let last = self.0.last_mut().expect("just made");
        last.rows += 1;
        match outcome {
            Outcome::Win => last.wins += 1,
            Outcome::Draw => last.draws += 1,
            Outcome::Loss => last.losses += 1,
        }
    }

    pub fn rows(&self) -> u64 {
        self.0.iter().map(|ply| ply.rows).sum()
    }
}

/// What a format says of its file besides the rows.
pub(super) struct Traits {
    pub selection: &'static str,
    pub complete: Option<bool>,
    pub index_base: Option<u8>,
    pub order: &'static str,
    pub columns: Option<Vec<String>>,
    pub perspective: &'static str,
}

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
    lines::check(args, format, &id)?;
    let out = args.out.clone().unwrap_or_else(|| default_name(args, format));
    let session = Session::start(&args.running)?;
    let mut file = ManifestedFile::create(&out).map_err(Failure::runtime)?;
    let mut tally = Tally::default();
    // Rows come from one connection, in order: one thread does it all.
    let written = session.work("exporting", "positions", |control| {
        control.start(0);
        let source = Source { database, id: &id, wanted: args, control };
        match format {
            Format::Uci => lines::uci(&source, &mut file, &mut tally),
            Format::Pons => lines::pons(&source, &mut file, &mut tally),
            Format::Boeck => lines::boeck(&source, &mut file, &mut tally),
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
        plies: tally.0,
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

/// Where the rows come from.
pub(super) struct Source<'s> {
    pub database: Database,
    pub id: &'s GameId,
    pub wanted: &'s Wanted,
    pub control: &'s Control,
}

impl Source<'_> {
    pub fn wants(&self, ply: u8) -> bool {
        self.wanted.plies.as_ref().is_none_or(|plies| plies.contains(ply))
    }

    /// The position of a row.
    pub fn position<G: LineGame>(
        &self,
        game: &G,
        row: &PositionRow,
    ) -> Result<Stones, AbortReason> {
        let position = game.position_of(row.key).filter(|position| position.ply() == row.ply);
        position.ok_or_else(|| self.no_position(row))
    }

    pub fn no_position(&self, row: &PositionRow) -> AbortReason {
        AbortReason::Refused(Failure::Mismatch(format!(
            "{}: key {} at ply {} is no position of {}; `analyze verify` lists what is wrong",
            self.database.path().display(),
            row.key.0,
            row.ply,
            self.id
        )))
    }

    /// Counts a row, and stops if that is asked for.
    pub fn advance(&self) -> Result<(), AbortReason> {
        self.control.advance(1);
        Ok(self.control.check()?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_numbers_and_ranges() {
        let plies: Plies = "4,6-8".parse().unwrap();
        let contained: Vec<u8> = (0..20).filter(|&ply| plies.contains(ply)).collect();
        assert_eq!(contained, [4, 6, 7, 8]);
        assert_eq!(plies.single(), None);
        assert_eq!("8".parse::<Plies>().unwrap().single(), Some(8));
        for wrong in ["", "x", "8-", "-8", "8-4", "65", "+8", "1,,2", "1.5"] {
            assert!(wrong.parse::<Plies>().is_err(), "{wrong}");
        }
    }
}

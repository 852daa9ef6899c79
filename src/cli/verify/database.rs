//! `analyze verify` on a database.

use std::path::Path;

use serde::Serialize;

use super::Args;
use super::document::{AgainstDocument, Document, SampleDocument};
use super::resolver::Resolver;
use super::study;
use crate::cli::failure::Failure;
use crate::cli::game_filter;
use crate::cli::options::with_game;
use crate::cli::session::Session;
use crate::cli::text;
use crate::connect_four::formats::{InterchangeError, MissingChoice, ValueFile};
use crate::control::{Control, Stopped};
use crate::database::{Database, DatabaseError};
use crate::game::GameId;
use crate::game::Ply;
use crate::games::line::{ConnectFour, LineGame};
use crate::registry::Registry;
use crate::statistics::grouped;
use crate::verify::{
    self, Against, Disagreement, Published, RecordedValue, Sample, VerifyError, exact_counts,
};

/// Positions to solve anew where no number is given.
const SAMPLE: usize = 100;

/// The findings about a game of the file.
#[derive(Serialize)]
#[serde(untagged)]
enum GameFindings {
    Lines(Box<Document>),
    Rows(study::RowsDocument),
}

impl GameFindings {
    fn outcome(&self) -> Result<(), Failure> {
        match self {
            Self::Lines(document) => document.outcome(),
            Self::Rows(document) => document.outcome(),
        }
    }
}

/// The games of a file that holds several.
#[derive(Serialize)]
struct Documents {
    file: String,
    games: Vec<GameFindings>,
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let database = Database::open(&args.file).map_err(of_database)?;
    database.check().map_err(of_database)?;
    let games = match args.against {
        None => args.game.all(&database)?,
        // The other file is about one board.
        Some(_) => vec![args.game.choose(&database)?],
    };
    let mut checked = Vec::new();
    for (i, id) in games.iter().enumerate() {
        let (found, text) = check_game(id, &database, args, registry, games.len() == 1)?;
        if !args.running.json {
            text::print(if i == 0 { "" } else { "\n" })?;
            text::print(&text)?;
        }
        checked.push(found);
    }
    let wrong: Vec<Failure> = checked.iter().filter_map(|found| found.outcome().err()).collect();
    let several = games.len() > 1;
    if args.running.json && several {
        let file = args.file.display().to_string();
        text::print_json(&Documents { file, games: checked })?;
    } else if args.running.json {
        text::print_json(&checked[0])?;
    }
    match wrong.len() {
        0 => Ok(()),
        n if several => {
            let (wrong, all) = (grouped(n as u64), games.len());
            Err(Failure::Mismatch(format!("disagreements in {wrong} of {all} games")))
        }
        _ => wrong.into_iter().next().map_or(Ok(()), Err),
    }
}

/// Checks a game; returns the findings, and the same in words.
fn check_game(
    id: &GameId,
    database: &Database,
    args: &Args,
    registry: &Registry,
    alone: bool,
) -> Result<(GameFindings, String), Failure> {
    let start = game_filter::stored(id, registry)?;
    let Some((game, _)) = start.lines() else {
        let options = [("--sample", args.sample.is_some()), ("--against", args.against.is_some())];
        let given = options.into_iter().find(|(_, given)| *given && alone);
        if let Some((option, _)) = given {
            let name = &id.name;
            return Err(Failure::Usage(format!(
                "{option}: {name} is not a game of stones and lines"
            )));
        }
        let document = study::verified(database, start.as_ref())?;
        let text = document.text();
        return Ok((GameFindings::Rows(document), text));
    };
    let (document, text) = with_game!(game, game => check_lines(game, database, args))?;
    Ok((GameFindings::Lines(Box::new(document)), text))
}

/// The failure of a database: damage inside is a mismatch, an unreadable file is not.
fn of_database(error: DatabaseError) -> Failure {
    match error {
        error @ DatabaseError::Damaged { .. } => Failure::Mismatch(error.to_string()),
        error => Failure::runtime(error),
    }
}

/// The reason why a step ended early.
enum AbortReason {
    Failure(Failure),
    Stopped,
}

impl From<Failure> for AbortReason {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Stopped> for AbortReason {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<VerifyError> for AbortReason {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Database(error) => Self::Failure(of_database(error)),
            VerifyError::Stopped(_) => Self::Stopped,
        }
    }
}

impl From<InterchangeError> for AbortReason {
    fn from(error: InterchangeError) -> Self {
        match error {
            InterchangeError::Stopped(_) => Self::Stopped,
            error @ InterchangeError::Io { .. } => Self::Failure(Failure::runtime(error)),
            error => Self::Failure(of_other_file(&error)),
        }
    }
}

fn check_lines<G: LineGame>(
    game: G,
    database: &Database,
    args: &Args,
) -> Result<(Document, String), Failure> {
    let other = match &args.against {
        None => None,
        Some(path) => Some(other_file(&game, path, args)?),
    };
    let resolver = Resolver::new(game, args.running.threads())?;
    let session = Session::start(&args.running)?;
    let document =
        verified(&game, database, other.as_ref(), &resolver, args, &session).map_err(|reason| {
            match reason {
                AbortReason::Failure(failure) => failure,
                AbortReason::Stopped => session.interrupted(""),
            }
        })?;
    let text = document.text(&game, &session);
    Ok((document, text))
}

/// The failure of the file to compare with.
fn of_other_file(error: &InterchangeError) -> Failure {
    let option = match error {
        InterchangeError::Ambiguous { missing: MissingChoice::Format, .. } => {
            " (--against-format FORMAT)"
        }
        InterchangeError::Ambiguous { missing: MissingChoice::Board, .. } => " (--size WxH)",
        _ => "",
    };
    Failure::Usage(format!("--against: {error}{option}"))
}

/// The file to compare with, and the rules to read it by.
fn other_file<G: LineGame>(
    game: &G,
    path: &Path,
    args: &Args,
) -> Result<(ValueFile, ConnectFour), Failure> {
    if game.name() != "connect4" {
        return Err(Failure::usage("--against: the files of others are about Connect Four"));
    }
    let rules = ConnectFour::new(game.size()).map_err(Failure::usage)?;
    let file = ValueFile::open(path, args.against_format, &rules).map_err(|error| match error {
        error @ InterchangeError::Io { .. } => Failure::runtime(error),
        error => of_other_file(&error),
    })?;
    Ok((file, rules))
}

fn verified<G: LineGame>(
    game: &G,
    database: &Database,
    other: Option<&(ValueFile, ConnectFour)>,
    resolver: &Resolver<G>,
    args: &Args,
    session: &Session,
) -> Result<Document, AbortReason> {
    let mut disagreements = Vec::new();
    let name = args.against.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let mut against = match other {
        None => None,
        Some((file, rules)) => {
            Some(session.work("reading the other file", "records", |control| {
                control.start(0);
                Against::read(file, &name, rules, control, &mut disagreements)
            })?)
        }
    };
    let mut sample = Sample::new(args.sample.unwrap_or(SAMPLE), args.seed);
    let mut checked = session.on_this_thread("checking rows", "positions", |control| {
        control.start(0);
        verify::check(database, game, &mut sample, against.as_mut(), control)
    })?;
    disagreements.append(&mut checked.disagreements);
    let deepest = checked.plies.last().map_or(Ply(0), |ply| Ply(ply.ply));
    let exact =
        session.work("counting", "profiles", |control| exact_counts(game, deepest, control))?;
    let published = Published::of(game);
    for ply in &mut checked.plies {
        let exact = exact.iter().find(|counts| counts.ply.0 == ply.ply);
        let published = published.iter().find(|counts| counts.ply.0 == ply.ply);
        ply.compare(exact, published, &mut disagreements);
    }
    let rows = checked.sample;
    let wrong = session.work("solving the sample", "positions", |control: &Control| {
        control.start(rows.len() as u64);
        verify::resolve(game, &rows, resolver, control)
    })?;
    let sample = SampleDocument {
        seed: args.seed,
        solved: rows.len() as u64,
        agreements: (rows.len() - distinct(&wrong)) as u64,
    };
    disagreements.extend(wrong);
    let against = match (against, other) {
        (Some(against), Some((file, _))) => {
            let chosen = args.search.map(|most| chosen(against.not_stored(), most, args.seed));
            let mut wrong = Vec::new();
            if let Some(chosen) = &chosen {
                wrong = session.work("solving the others", "positions", |control: &Control| {
                    control.start(chosen.len() as u64);
                    verify::resolve_records(game, chosen, &name, resolver, control)
                })?;
            }
            let searched = chosen.map(|chosen| chosen.len() as u64);
            let search_agreements = searched.map(|n| n - wrong.len() as u64);
            disagreements.extend(wrong);
            Some(AgainstDocument {
                file: name,
                format: file.format().name(),
                counts: against.counts(),
                searched,
                search_agreements,
            })
        }
        _ => None,
    };
    let size = game.size();
    Ok(Document {
        file: args.file.display().to_string(),
        game: game.name().to_owned(),
        board: size.board(),
        line: size.line,
        rows: checked.rows,
        plies: checked.plies,
        sample,
        against,
        disagreements,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    })
}

/// Positions with a disagreement.
fn distinct(found: &[Disagreement]) -> usize {
    let mut subjects: Vec<&str> = found.iter().map(|found| found.subject.as_str()).collect();
    subjects.dedup();
    subjects.len()
}

/// At most `most` of the records, drawn at random.
fn chosen(records: Vec<RecordedValue>, most: u64, seed: u64) -> Vec<RecordedValue> {
    match usize::try_from(most) {
        Ok(most) if most < records.len() => {
            let indices = Sample::indices(most, seed, records.len());
            indices.into_iter().map(|index| records[index]).collect()
        }
        _ => records,
    }
}

//! `analyze verify` on a database.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::{AgainstDocument, Document, SampleDocument};
use super::{Args, SAMPLE, solved_anew, verifier};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::{game_filter, text};
use everyply_connect_four::formats::{InterchangeError, ValueFile};
use everyply_core::game::{GameId, Ply};
use everyply_core::games::line::{ConnectFour, LineGame};
use everyply_core::statistics::grouped;
use everyply_registry::registry::{Position, Registry};
use everyply_results::database::{Database, DatabaseError};
use everyply_results::export::GameFields;
use everyply_results::verify::{self, Against, RowFindings, Sample, VerifyError};

/// The games of a file that holds several.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SeveralGames")]
pub(in crate::cli) struct Documents {
    file: String,
    games: Vec<Document>,
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let database = Database::open(&args.file).map_err(of_database)?;
    if args.values_only { database.check_structure() } else { database.check() }
        .map_err(of_database)?;
    let games = match args.against {
        None => args.game.all(&database, registry)?,
        // The other file is about one board.
        Some(_) => vec![args.game.choose(&database, registry)?],
    };
    let mut documents = Vec::new();
    for (i, id) in games.iter().enumerate() {
        let (document, text) = check_game(id, &database, args, registry)?;
        if !args.running.json {
            text::print(if i == 0 { "" } else { "\n" })?;
            text::print(&text)?;
        }
        documents.push(document);
    }
    let wrong: Vec<Failure> = documents.iter().filter_map(|found| found.outcome().err()).collect();
    let several = games.len() > 1;
    if args.running.json && several {
        let file = args.file.display().to_string();
        text::print_json(&Documents { file, games: documents })?;
    } else if args.running.json {
        text::print_json(&documents[0])?;
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
) -> Result<(Document, String), Failure> {
    let start = game_filter::stored(id, registry)?;
    let start = start.as_ref();
    let other = args.against.as_ref().map(|path| other_file(start, path, args)).transpose()?;
    let session = Session::start(&args.running)?;
    let found = verified(start, database, other.as_ref(), args, &session);
    let document = found.map_err(|error| match error {
        _ if session.control.is_asked_to_stop() => session.interrupted(""),
        VerifyError::Database(error) => of_database(error),
        VerifyError::OtherFile(error) => of_other_file(error),
        error => Failure::runtime(error),
    })?;
    let text = document.text(start, &session);
    Ok((document, text))
}

/// The failure of a database: damage inside is a mismatch, an unreadable file is not.
fn of_database(error: DatabaseError) -> Failure {
    match error {
        error @ DatabaseError::Damaged { .. } => Failure::Mismatch(error.to_string()),
        error => Failure::runtime(error),
    }
}

/// The failure of the file to compare with.
fn of_other_file(error: InterchangeError) -> Failure {
    let option = match error {
        error @ InterchangeError::Io { .. } => return Failure::runtime(error),
        InterchangeError::Ambiguous(..) => " (--against-format FORMAT)",
        _ => "",
    };
    Failure::Usage(format!("--against: {error}{option}"))
}

/// The file to compare with, and the rules to read it by.
fn other_file(start: &dyn Position, path: &Path, args: &Args) -> Result<Against, Failure> {
    let Some((game, _)) = start.lines().filter(|(game, _)| game.rules().stones_fall()) else {
        return Err(Failure::usage("--against: the files of others are about Connect Four"));
    };
    let game = ConnectFour::new(game.size()).map_err(Failure::usage)?;
    let file = ValueFile::open(path, args.against_format, &game).map_err(of_other_file)?;
    Ok(Against { file, name: path.display().to_string(), game })
}

fn verified(
    start: &dyn Position,
    database: &Database,
    other: Option<&Against>,
    args: &Args,
    session: &Session,
) -> Result<Document, VerifyError> {
    let (size, limit) = match (args.sample, other) {
        (Some(size), _) => (size, None),
        (None, None) => (SAMPLE.0, Some(SAMPLE.1)),
        (None, Some(_)) => (0, None),
    };
    let mut disagreements = Vec::new();
    let mut sample = Sample::new(size, args.seed);
    let mut found = RowFindings::default();
    let mut against = None;
    // First, so that a file that cannot be read is refused before the other checks.
    if let Some(other) = other {
        let compared = session.on_this_thread("comparing", "records and positions", |control| {
            other.compare(database, start, control)
        })?;
        disagreements = compared.disagreements;
        found.rows.positions = compared.stored;
        against = Some(AgainstDocument {
            file: other.name.clone(),
            format: other.file.format().name(),
            counts: compared.counts,
        });
    }
    if !args.values_only {
        found = session.on_this_thread("checking rows", "positions", |control| {
            verify::check(database, start, &mut sample, control)
        })?;
    }
    disagreements.append(&mut found.disagreements);
    let exact = match found.plies.last() {
        Some(ply) => session
            .work("counting", "profiles", |control| start.count_tiers(Ply(ply.ply), control))?,
        None => Vec::new(),
    };
    verify::compare_counts(start, &mut found.plies, &exact, &mut disagreements);
    let (oracle, rows) = (verifier(), found.sample);
    let resolved = solved_anew(session, "solving the sample", rows.len(), limit, |controls| {
        verify::resolve(start, &rows, &oracle, controls)
    })?;
    let sample = SampleDocument::new(args.seed, &resolved);
    disagreements.extend(resolved.disagreements);
    Ok(Document {
        file: args.file.display().to_string(),
        game: GameFields::of(start),
        rows: found.rows,
        plies: found.plies,
        sample,
        against,
        values_only: args.values_only,
        disagreements,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    })
}

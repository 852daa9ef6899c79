//! `analyze verify` on an opening book.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::SampleDocument;
use super::{Args, SAMPLE, solved_anew, verifier};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::text;
use crate::connect_four::OpeningBook;
use crate::export::GameFields;
use crate::game::Game;
use crate::games::line::AnyGame;
use crate::oracle::OracleError;
use crate::registry::study_of;
use crate::statistics::{counted, grouped};
use crate::verify::{self, Disagreement, Sample};

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "BookCheck")]
pub(in crate::cli) struct Document {
    #[serde(flatten)]
    game: GameFields,
    /// The last ply of the book.
    plies: u8,
    /// Positions up to symmetry.
    positions: u64,
    /// Positions whose values follow from those of their moves: all before the last ply.
    proved: u64,
    sample: SampleDocument,
    disagreements: Vec<Disagreement>,
    elapsed_s: f64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let file = args.file.display();
    let book = OpeningBook::open(&args.file).map_err(|error| {
        let said = format!("{file}: {error}");
        // Damage inside is a mismatch, an unreadable file is not.
        match error.kind() {
            std::io::ErrorKind::InvalidData => Failure::Mismatch(said),
            _ => Failure::Runtime(anyhow::anyhow!(said)),
        }
    })?;
    let game = AnyGame::from(*book.board().game());
    let start = study_of(&game, game.initial());
    let session = Session::start(&args.running)?;
    let (size, limit) = args.sample.map_or((SAMPLE.0, Some(SAMPLE.1)), |size| (size, None));
    let mut sample = Sample::new(size, args.seed);
    let found = session.work("checking the book", "positions", |control| {
        verify::check_book(&book, &mut sample, control)
    });
    let mut found = found.map_err(|_| session.interrupted(""))?;
    let (rows, oracle) = (sample.drawn(), verifier());
    let resolved = solved_anew(&session, "solving the sample", rows.len(), limit, |controls| {
        verify::resolve(start.as_ref(), &rows, &oracle, controls)
    });
    let resolved = resolved.map_err(|error| match error {
        OracleError::Stopped(_) => session.interrupted(""),
        error => Failure::runtime(error),
    })?;
    let sample = SampleDocument::new(args.seed, &resolved);
    found.disagreements.extend(resolved.disagreements);
    let document = Document {
        game: GameFields::of(start.as_ref()),
        plies: book.plies().0,
        positions: found.positions,
        proved: found.proved,
        sample,
        disagreements: found.disagreements,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    text::print_result(args.running.json, &document, || {
        let mut text = format!(
            "{file}: {}, opening book to ply {}\n\
             checksum   as it was written\n\
             positions  {}, up to symmetry, whose game goes on\n\
             values     {} follow from those of their moves; ply {} is the last one\n\
             sample     {} of {} solved anew agree (seed {}){}\n",
            start.title(),
            document.plies,
            grouped(document.positions),
            grouped(document.proved),
            document.plies,
            grouped(document.sample.agreements),
            counted(document.sample.solved, "position"),
            args.seed,
            document.sample.unsolved_words(),
        );
        for wrong in &document.disagreements {
            let _ = writeln!(text, "{wrong}");
        }
        let _ = writeln!(text, "{}", text::time(document.elapsed_s, session.threads));
        text
    })?;
    match document.disagreements.len() as u64 {
        0 => Ok(()),
        found => Err(Failure::Mismatch(counted(found, "disagreement"))),
    }
}

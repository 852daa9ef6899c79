//! `analyze verify --against`: the rows of a database beside another program's values.

use super::Args;
use super::document::{AgainstDocument, Document};
use crate::cli::options::refused_size;
use crate::cli::prelude::*;
use everyply_connect_four::formats::{InterchangeError, ValueFile};
use everyply_core::games::line::on_board;
use everyply_results::verify::{Against, RowCounts};

pub(super) fn open(start: &dyn Position, path: &Path, args: &Args) -> Result<Against, Failure> {
    let Some(board @ (rules, size)) = start.lines() else {
        return Err(usage!(
            "--against: the files of other programs are about Connect Four and tic-tac-toe"
        ));
    };
    let file = on_board!(rules, size, |game| ValueFile::open(path, args.against_format, &game));
    let file = file.map_err(refused_size)?.map_err(failed)?;
    Ok(Against { file, name: path.display().to_string(), board })
}

pub(super) fn compare(
    other: &Against,
    file: &StoredFile,
    start: &dyn Position,
    document: &mut Document,
    session: &Session,
) -> Result<(), Failure> {
    let compared = session
        .work("comparing", "records and positions", |control| other.compare(file, start, control));
    let compared = compared.map_err(|error| super::failed(error, session, ""))?;
    document.disagreements = compared.disagreements;
    document.rows = Some(RowCounts { positions: compared.stored, ..RowCounts::default() });
    document.against = Some(AgainstDocument {
        file: other.name.clone(),
        format: other.file.format().name(),
        counts: compared.counts,
    });
    Ok(())
}

pub(super) fn failed(error: InterchangeError) -> Failure {
    let option = match error {
        error @ InterchangeError::Io { .. } => return error.into(),
        InterchangeError::Ambiguous(..) => " (--against-format FORMAT)",
        _ => "",
    };
    usage!("--against: {error}{option}")
}

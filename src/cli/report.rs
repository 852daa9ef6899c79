//! `analyze report`: a page of charts from results.

use super::prelude::*;
use crate::report::{ReportError, gather, page};

/// Page of charts from databases, solution files and comparisons
///
/// Writes one HTML page that needs no network and no other file, prints well, and follows the
/// reader's choice of light or dark. The title states the result. Every chart has its numbers
/// beside it, as a table and as CSV, and buttons that save it as SVG or PNG.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze report everyply.db
  analyze report everyply.db 5x5.solution tables/compare.csv -o report.html")]
pub(super) struct ReportArgs {
    /// Databases, solution files, and compare.csv files of `analyze compare --csv`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The page
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    #[command(flatten)]
    running: Running,
}

/// The file written.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(super) struct ReportDocument {
    file: String,
    figures: usize,
}

pub(super) fn run(args: &ReportArgs, registry: &Registry, command: &str) -> Result<(), Failure> {
    let session = Session::start(&args.running)?;
    let file = NewFile::create(&args.out)?;
    let gathered = session.work("reading", "", |control| gather(&args.files, registry, control));
    let sections = gathered.map_err(|error| match error {
        ReportError::Pass(_) if session.control.is_asked_to_stop() => session.interrupted(""),
        error @ ReportError::Game { .. } => Failure::usage(error),
        error @ ReportError::Unknown { .. } => {
            runtime!("{error} (`analyze GAME`, `solve` and `compare --csv`)")
        }
        error => error.into(),
    })?;
    let html = page(command, &sections);
    output::write_file(file, |file| Ok(file.write_all(html.as_bytes())?))?;
    let figures = sections.iter().map(|section| section.figures.len()).sum();
    let document = ReportDocument { file: args.out.display().to_string(), figures };
    text::print_result(args.running.json, &document, || {
        format!("{}: {}\n", document.file, counted(figures as u64, "figure"))
    })
}

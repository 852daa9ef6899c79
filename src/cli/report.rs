//! `analyze report`: a page of pictures from results.

use std::io::Write;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::options::Running;
use super::session::{Session, memory};
use super::{output, text};
use crate::disk::NewFile;
use crate::registry::Registry;
use crate::report::{Figure, ReportError, Section, gather, page};
use crate::statistics::counted;

/// Page of pictures from databases, solution files, strategies and comparisons
///
/// Writes one HTML page that needs no network and no other file, prints well, and follows the
/// reader's choice of light or dark. The title states the result. Every picture has its numbers
/// beside it, as a table and as CSV, and buttons that save it as SVG or PNG. A strategy becomes a
/// poster of its whole tree. With a page called FILE.svg the only picture of the files is written
/// alone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze report everyply.db
  analyze report everyply.db 5x5.solution tables/compare.csv -o report.html
  analyze report 7x6.strategy -o poster.svg
  analyze report compare-1.csv compare-4.csv --svg pictures")]
pub(super) struct Args {
    /// Databases, solution files, strategies, and compare.csv files of `analyze compare --csv`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The page, or FILE.svg for the only picture, such as the poster of a strategy
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Write each picture into this directory as well; made if it is missing
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Worker threads [default: all]
    #[arg(long, value_name = "N", value_parser = super::options::threads())]
    threads: Option<usize>,
    /// Write one JSON document to stdout, and nothing else
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// The files written.
#[derive(JsonSchema, Serialize)]
pub(super) struct Document {
    /// The page, or the only picture.
    file: String,
    figures: usize,
    /// Figures with a picture.
    pictures: usize,
    /// The pictures written beside the page.
    svg: Vec<String>,
}

pub(super) fn run(args: &Args, registry: &Registry, command: &str) -> Result<(), Failure> {
    let Args { threads, json, quiet, .. } = *args;
    let session = Session::start(&Running { threads, json, quiet, ..Running::default() })?;
    let file = NewFile::create(&args.out).map_err(Failure::runtime)?;
    let registry = &registry.with_many_moves();
    let gathered = session.work("reading", "", |control| gather(&args.files, registry, control));
    let mut sections = gathered.map_err(|error| match error {
        ReportError::Pass(_) if session.control.is_asked_to_stop() => session.interrupted(""),
        error @ ReportError::Game { .. } => Failure::usage(error),
        error @ ReportError::Unknown { .. } => Failure::Runtime(anyhow::anyhow!(
            "{error} (`analyze GAME`, `solve` and `compare --csv`)"
        )),
        error => Failure::runtime(error),
    })?;
    if args.out.extension().is_some_and(|ending| ending == "svg") {
        return picture(args, file, &sections);
    }
    name_apart(&mut sections);
    let html = page(&facts(command, session.threads), &sections);
    write(file, &html)?;
    let pictures: Vec<&Figure> =
        sections.iter().flat_map(|section| &section.figures).filter(|f| f.is_drawn()).collect();
    let file = args.out.display().to_string();
    let figures = sections.iter().map(|section| section.figures.len()).sum();
    let mut document = Document { file, figures, pictures: pictures.len(), svg: Vec::new() };
    let mut said = format!(
        "{}: {}, {} of them with a picture\n",
        args.out.display(),
        counted(figures as u64, "figure"),
        pictures.len()
    );
    if let Some(directory) = &args.svg {
        let [] = crate::disk::in_directory(directory, []).map_err(Failure::runtime)?;
        for figure in &pictures {
            let path = directory.join(format!("{}.svg", figure.id));
            let file = NewFile::create(&path).map_err(Failure::runtime)?;
            document.svg.push(path.display().to_string());
            write(file, &figure.svg().unwrap_or_default())?;
        }
        said.push_str(&format!(
            "{}: {}\n",
            directory.display(),
            counted(pictures.len() as u64, "picture")
        ));
    }
    text::print_result(args.json, &document, || said)
}

/// Writes the only picture of the files.
fn picture(args: &Args, file: NewFile, sections: &[Section]) -> Result<(), Failure> {
    let pictures = sections.iter().flat_map(|section| &section.figures);
    let pictures: Vec<&Figure> = pictures.filter(|figure| figure.is_drawn()).collect();
    let [figure] = pictures[..] else {
        return Err(Failure::usage(format!(
            "invalid value '{}' for '--out': there are {}, and such a file holds one; write a page \
             with --out FILE.html, and its pictures with --svg DIR",
            args.out.display(),
            counted(pictures.len() as u64, "picture"),
        )));
    };
    write(file, &figure.svg().unwrap_or_default())?;
    let file = args.out.display().to_string();
    let document = Document { file, figures: 1, pictures: 1, svg: Vec::new() };
    text::print_result(args.json, &document, || {
        format!("{}: {}\n", args.out.display(), figure.title)
    })
}

fn write(file: NewFile, text: &str) -> Result<(), Failure> {
    output::write_file(file, |file| Ok(file.write_all(text.as_bytes())?))
}

/// Figures of files with the same name get numbers.
fn name_apart(sections: &mut [Section]) {
    let mut seen = std::collections::HashMap::new();
    for figure in sections.iter_mut().flat_map(|section| &mut section.figures) {
        let times = seen.entry(figure.id.clone()).or_insert(0u32);
        *times += 1;
        if *times > 1 {
            figure.id = format!("{}-{times}", figure.id);
        }
    }
}

/// The facts about the making of a page.
fn facts(command: &str, threads: usize) -> Vec<(String, String)> {
    let memory = memory().map_or_else(String::new, |system| {
        format!(", {} of memory", text::bytes(system.total_memory() as f64))
    });
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("made by", format!("everyply {}", env!("CARGO_PKG_VERSION"))),
        fact("command", command.to_owned()),
        fact("on", format!("{}{memory}, {}", text::threads(threads), std::env::consts::ARCH)),
    ]
}

//! `analyze verify` on strategies.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Instant;

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::strategy::{Document, summary};
use crate::cli::text;
use crate::connect_four::strategy::{self, Fault};

/// True if a file begins as those of strategies do.
pub(super) fn is_strategy(path: &Path) -> bool {
    let begins = || -> io::Result<bool> {
        let mut text = [0; 18];
        zstd::Decoder::new(File::open(path)?)?.read_exact(&mut text)?;
        Ok(&text == b"everyply strategy ")
    };
    begins().unwrap_or(false)
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let failed = |error: anyhow::Error| {
        Failure::Runtime(error.context(format!("{} cannot be read", args.file.display())))
    };
    let file = File::open(&args.file).map_err(|error| failed(error.into()))?;
    let bytes = file.metadata().map_err(|error| failed(error.into()))?.len();
    let strategies = strategy::read(file).map_err(|error| failed(error.into()))?;
    let session = Session::start(&args.running)?;
    let mut documents = Vec::new();
    for strategy in &strategies {
        let begun = Instant::now();
        let checked =
            session.work("checking", "positions", |control| strategy::check(strategy, control));
        let checked = checked.map_err(|fault| match fault {
            Fault::Stopped(_) => session.interrupted(""),
            fault => Failure::Mismatch(format!("{}: {fault}", args.file.display())),
        })?;
        documents.push(Document::new(strategy, checked, begun.elapsed()));
    }
    if args.running.json {
        return text::print_json(&summary::Json::new(&documents, bytes, &session));
    }
    text::print(&summary::text(&documents, &args.file, bytes, &session))
}

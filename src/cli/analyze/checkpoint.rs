//! `--checkpoint`: a search that continues after it was stopped or killed.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use crate::cli::interrupt;
use crate::cli::prelude::*;
use everyply_connect_four::solver::{Checkpoint, CheckpointError, SolverWord};
use everyply_core::games::line::Stones;
use everyply_files::disk::FileError;
use everyply_files::reading::open_regular;

/// The options of a search that may be interrupted.
#[derive(Debug, Default, clap::Args)]
pub(super) struct CheckpointOptions {
    /// Store the state of the search in this file, and continue from it if it exists, with any
    /// number of threads: however a run ends, no more than the time of --every is lost. Ctrl-C
    /// and --timeout write it too
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "input"])]
    pub checkpoint: Option<PathBuf>,
    /// Time between two checkpoints
    #[arg(long, value_name = "SECONDS", requires = "checkpoint", default_value_t = 600.0, value_parser = seconds)]
    every: f64,
}

pub(super) struct CheckpointFile<'a> {
    path: &'a Path,
    every: Duration,
    /// The state that earlier runs reached.
    pub earlier: Option<Checkpoint>,
}

impl<'a> CheckpointFile<'a> {
    /// Opens the checkpoint that the options name, if any. If the file exists, the solver learns it;
    /// if it cannot be written, this fails before the work.
    pub fn open<W: SolverWord>(
        options: &'a CheckpointOptions,
        solver: &mut Solver<W>,
        root: Stones<W>,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = options.checkpoint.as_deref() else { return Ok(None) };
        drop(NewFile::create(path).map_err(|error| refused(&error))?);
        let named =
            |error: &dyn std::fmt::Display| format!("--checkpoint {}: {error}", path.display());
        let read = || -> io::Result<Vec<u8>> {
            let mut file = open_regular(path)?;
            let mut bytes = Vec::new();
            if file.metadata()?.len() <= Checkpoint::MOST_BYTES {
                file.read_to_end(&mut bytes)?;
            }
            Ok(bytes)
        };
        let earlier = match read() {
            // A larger file is no checkpoint and is read as an empty one.
            Ok(bytes) => {
                Some(solver.resume(root, &bytes).map_err(|error| unusable(&error, named(&error)))?)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(runtime!(named(&error))),
        };
        interrupt::allow_writing();
        Ok(Some(Self { path, every: Duration::from_secs_f64(options.every), earlier }))
    }

    pub fn write<W: SolverWord>(
        &self,
        solver: &Solver<W>,
        root: Stones<W>,
        run: Checkpoint,
    ) -> Result<(), Failure> {
        let mut so_far = run;
        if let Some(earlier) = self.earlier {
            so_far.nodes = so_far.nodes.saturating_add(earlier.nodes);
            so_far.elapsed = so_far.elapsed.saturating_add(earlier.elapsed);
        }
        let write = || -> io::Result<()> {
            let mut file = NewFile::create(self.path).map_err(io::Error::other)?;
            file.write_all(&solver.checkpoint(root, &so_far))?;
            file.commit().map_err(io::Error::other)
        };
        write().map_err(|error| runtime!("{error}; the checkpoint written before stays"))
    }

    /// Runs work, and writes a checkpoint at intervals.
    pub fn during<T>(
        &self,
        write: &(dyn Fn() -> Result<(), Failure> + Sync),
        work: impl FnOnce() -> T,
    ) -> T {
        // The writer ends when the other end of its channel is dropped, also if the work panics.
        let (running, ended) = channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while ended.recv_timeout(self.every) == Err(RecvTimeoutError::Timeout) {
                    if let Err(Failure::Runtime(error)) = write() {
                        warn(&format!("warning: {error}; the next checkpoint is tried"));
                    }
                }
            });
            let _running = running;
            work()
        })
    }
}

fn refused(error: &FileError) -> Failure {
    match error {
        FileError::Directory(_) | FileError::NotAFile(_) | FileError::NotADirectory(_) => {
            usage!("--checkpoint: {error}")
        }
        _ => runtime!("--checkpoint: {error}"),
    }
}

fn unusable(error: &CheckpointError, named: String) -> Failure {
    match error {
        CheckpointError::Damaged(_) => runtime!(named),
        CheckpointError::Table(_) => {
            usage!("{named}: leave out --table-size, or give as much")
        }
        _ => Failure::Usage(named),
    }
}

//! One run's writer: a thread of its own behind a bounded channel.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;

pub(super) use self::haste::Haste;
use self::thread::Writer;
use super::{BoundRow, DatabaseError, Ending, PositionRow, RunId, Task, WriteSummary};
use crate::control::Control;
use crate::statistics::{Iteration, PlyCounts, RootMove};

mod haste;
pub(super) mod records;
mod thread;

/// Batches on their way to the writer; a sender that is further ahead waits.
const BATCHES_IN_FLIGHT: usize = 16;

/// A run that has begun waits longer for another process than one that could still be refused.
const PATIENCE: Duration = Duration::from_secs(60);

/// The writer has ended, by an error that [`RunWriter::finish`] returns, or because it was
/// finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the database takes no more from this run")]
pub struct WriterStopped;

enum Message {
    Positions(Vec<PositionRow>),
    Bounds(Vec<BoundRow>),
    PlyCounts(Vec<PlyCounts>),
    Iterations(Vec<Iteration>),
    RootMoves(Vec<RootMove>),
    End(Ending),
}

/// Writes one run. [`finish`](Self::finish) it; dropping it instead commits what was sent and
/// marks the run as failed.
#[derive(Debug)]
pub struct RunWriter {
    run: RunId,
    path: PathBuf,
    /// What the run heeds, once it does.
    control: Arc<OnceLock<Arc<Control>>>,
    sender: SyncSender<Message>,
    /// `None` once joined.
    thread: Option<JoinHandle<Result<WriteSummary, DatabaseError>>>,
}

/// Where workers send the positions they have proven. Clones lead to the same run.
#[derive(Clone, Debug)]
pub struct PositionSink(SyncSender<Message>);

impl PositionSink {
    /// Hands over proven positions, in any order; a few thousand at a time are best. Waits while
    /// the writer is behind.
    ///
    /// # Errors
    /// If the writer has ended: [`RunWriter::finish`] tells why.
    pub fn send(&self, rows: Vec<PositionRow>) -> Result<(), WriterStopped> {
        self.0.send(Message::Positions(rows)).map_err(|_| WriterStopped)
    }
}

impl RunWriter {
    pub(super) fn begin(
        connection: Connection,
        path: PathBuf,
        begun: &records::Begun<'_>,
    ) -> Result<Self, DatabaseError> {
        let (game_id, run) = records::begin(&connection, begun)
            .and_then(|ids| connection.busy_timeout(PATIENCE).map(|()| ids))
            .map_err(|error| DatabaseError::of_sqlite(&path, error))?;
        let (sender, receiver) = sync_channel(BATCHES_IN_FLIGHT);
        let control = Arc::default();
        let haste = Haste::of(Arc::clone(&control));
        let writer = Writer { path: path.clone(), game: begun.game.clone(), game_id, run, haste };
        let thread = Builder::new()
            .name("database".to_owned())
            .spawn(move || writer.work(connection, receiver))
            .map_err(|source| DatabaseError::Io { path: path.clone(), source })?;
        Ok(Self { run, path, control, sender, thread: Some(thread) })
    }

    /// The run's number.
    #[must_use]
    pub fn run_id(&self) -> RunId {
        self.run
    }

    /// Gives up, a moment after this control is asked to stop, what was sent and is not in the
    /// file yet: millions of positions may be on their way to it. What is committed stays. Only
    /// the first control counts.
    pub fn heed(&self, control: Arc<Control>) {
        let _ = self.control.set(control);
    }

    /// A handle for one more worker.
    #[must_use]
    pub fn sink(&self) -> PositionSink {
        PositionSink(self.sender.clone())
    }

    /// Stores counts per ply. Plies that this run stored before are replaced.
    ///
    /// # Errors
    /// If the writer has ended: [`finish`](Self::finish) tells why.
    pub fn ply_counts(&self, counts: &[PlyCounts]) -> Result<(), WriterStopped> {
        self.send(Message::PlyCounts(counts.to_vec()))
    }

    /// Stores iterations of the search. Depths that this run stored before are replaced.
    ///
    /// # Errors
    /// If the writer has ended: [`finish`](Self::finish) tells why.
    pub fn iterations(&self, iterations: &[Iteration]) -> Result<(), WriterStopped> {
        self.send(Message::Iterations(iterations.to_vec()))
    }

    /// Stores what is known of the root's moves. Moves that this run stored before are replaced.
    ///
    /// # Errors
    /// If the writer has ended: [`finish`](Self::finish) tells why.
    pub fn root_moves(&self, moves: &[RootMove]) -> Result<(), WriterStopped> {
        self.send(Message::RootMoves(moves.to_vec()))
    }

    /// Stores what is proven of positions without a value, joined to what is stored of them.
    ///
    /// # Errors
    /// If the writer has ended: [`finish`](Self::finish) tells why.
    pub fn bounds(&self, bounds: &[BoundRow]) -> Result<(), WriterStopped> {
        self.send(Message::Bounds(bounds.to_vec()))
    }

    fn send(&self, message: Message) -> Result<(), WriterStopped> {
        self.sender.send(message).map_err(|_| WriterStopped)
    }

    /// Commits everything sent so far, marks the run as ended and closes the file, so that it
    /// stands alone, without `-wal` and `-shm` (unless another process has it open). What sinks
    /// send afterwards is refused.
    ///
    /// # Errors
    /// What went wrong since the run began: [`DatabaseError::Conflict`],
    /// [`DatabaseError::DiskFull`], and so on. The run is then marked as failed, if that could
    /// still be written; what was committed stays.
    pub fn finish(mut self, ending: Ending) -> Result<WriteSummary, DatabaseError> {
        self.end(ending)
    }

    fn end(&mut self, ending: Ending) -> Result<WriteSummary, DatabaseError> {
        let lost = || DatabaseError::WriterLost(self.path.clone());
        let thread = self.thread.take().ok_or_else(lost)?;
        // Fails if the writer has ended by an error, which joining it brings to light.
        let _ = self.sender.send(Message::End(ending));
        thread.join().unwrap_or_else(|_| Err(lost()))
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        if self.thread.is_some() {
            // Whoever drops a run without finishing it has an error of his own to report.
            let _ = self.end(Ending::Failed);
        }
    }
}

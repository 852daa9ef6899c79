//! The writer of a run: a thread of its own behind a bounded channel.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::error::At;
use super::run_file::{RunFile, StopControl};
use super::{BoundRow, Database, DatabaseError, Ending, PositionRow, RunId, WriteSummary};
use everyply_core::control::Control;
use everyply_core::game::GameId;
use everyply_core::statistics::PlyCounts;

mod records;
mod thread;

/// Batches on their way to the writer; a sender that is further ahead waits.
const BATCHES_IN_FLIGHT: usize = 16;

/// The time that a run waits for another process: longer than one that could still be refused.
const PATIENCE: Duration = Duration::from_secs(60);

/// Refusal of a writer that has ended, by an error that [`RunWriter::finish`] returns, or because
/// it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the database takes no more from this run")]
pub struct WriterStopped;

enum Message {
    Positions(Vec<PositionRow>),
    Bounds(Vec<BoundRow>),
    PlyCounts(Vec<PlyCounts>),
    End(Ending),
}

/// The writer of one run. [`finish`](Self::finish) it; dropping it instead commits the rows sent
/// and marks the run as failed.
///
/// # Errors
/// A writer that has ended refuses rows and counts: [`finish`](Self::finish) returns the reason.
#[derive(Debug)]
pub struct RunWriter {
    run: RunId,
    path: PathBuf,
    control: StopControl,
    sender: SyncSender<Message>,
    /// `None` once joined.
    thread: Option<JoinHandle<Result<WriteSummary, DatabaseError>>>,
}

/// A handle to send proven positions to a run. Clones lead to the same run.
#[derive(Clone, Debug)]
pub struct PositionSink(SyncSender<Message>);

impl PositionSink {
    /// Sends proven positions, in any order; a few thousand at a time are best. Waits while the
    /// writer is behind.
    ///
    /// # Errors
    /// If the writer has ended: [`RunWriter::finish`] returns the reason.
    pub fn send(&self, rows: Vec<PositionRow>) -> Result<(), WriterStopped> {
        self.0.send(Message::Positions(rows)).map_err(|_| WriterStopped)
    }
}

impl RunWriter {
    pub(super) fn begin(
        Database { connection, path }: Database,
        game: &GameId,
        command: &str,
        threads: usize,
    ) -> Result<Self, DatabaseError> {
        let (game_id, run) = records::begin(&connection, game, command, threads)
            .and_then(|ids| connection.busy_timeout(PATIENCE).map(|()| ids))
            .at(&path)?;
        let (sender, receiver) = sync_channel(BATCHES_IN_FLIGHT);
        let control = StopControl::default();
        let stop = Arc::clone(&control);
        let file = RunFile { connection, path: path.clone(), game: game.clone(), game_id, run };
        let thread = Builder::new()
            .name("database".to_owned())
            .spawn(move || thread::work(file, receiver, stop))
            .map_err(|source| DatabaseError::Io { path: path.clone(), source })?;
        Ok(Self { run, path, control, sender, thread: Some(thread) })
    }

    pub fn run_id(&self) -> RunId {
        self.run
    }

    /// Sets the control that can stop the run. A moment after the stop, positions sent but not in
    /// the file yet are dropped, perhaps millions; committed ones stay. Only the first control
    /// counts.
    pub fn stop_by(&self, control: Arc<Control>) {
        let _ = self.control.set(control);
    }

    /// Returns a handle for one more worker.
    pub fn sink(&self) -> PositionSink {
        PositionSink(self.sender.clone())
    }

    /// Stores counts per ply. Plies that this run stored before are replaced.
    pub fn ply_counts(&self, counts: &[PlyCounts]) -> Result<(), WriterStopped> {
        self.send(Message::PlyCounts(counts.to_vec()))
    }

    /// Stores bounds of positions without a proven value, intersected with the stored ones.
    pub fn bounds(&self, bounds: &[BoundRow]) -> Result<(), WriterStopped> {
        self.send(Message::Bounds(bounds.to_vec()))
    }

    fn send(&self, message: Message) -> Result<(), WriterStopped> {
        self.sender.send(message).map_err(|_| WriterStopped)
    }

    /// Commits everything sent so far, marks the run as ended and closes the file, so that it
    /// stands alone, without `-wal` and `-shm` (unless another process has it open). Later sends
    /// are refused.
    ///
    /// # Errors
    /// The first error since the run began: [`DatabaseError::Conflict`],
    /// [`DatabaseError::DiskFull`], and so on. The run is then marked as failed, if that could
    /// still be written; committed rows stay.
    pub fn finish(mut self, ending: Ending) -> Result<WriteSummary, DatabaseError> {
        self.end(ending)
    }

    fn end(&mut self, ending: Ending) -> Result<WriteSummary, DatabaseError> {
        let lost = || DatabaseError::WriterLost(self.path.clone());
        let thread = self.thread.take().ok_or_else(lost)?;
        // This fails if the writer has ended by an error, which joining it returns.
        let _ = self.sender.send(Message::End(ending));
        thread.join().unwrap_or_else(|_| Err(lost()))
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        if self.thread.is_some() {
            // The caller that drops a run without finishing it has an error of its own to report.
            let _ = self.end(Ending::Failed);
        }
    }
}

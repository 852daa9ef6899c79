//! The thread that writes: messages in, transactions out.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::super::bounds::write_bounds;
use super::super::error::At;
use super::super::positions::PositionWriter;
use super::super::run_file::{RunFile, StopControl};
use super::super::{DatabaseError, Ending, PositionRow, WriteSummary};
use super::{Message, records};

/// Positions in one transaction, at most: the more there are, the more of them share a page of a
/// large table. 4 Mi rows, held twice while they are written, take 256 MiB.
const COMMIT_ROWS: usize = 1 << 22;

/// The longest a position waits for its commit while positions keep coming.
const COMMIT_INTERVAL: Duration = Duration::from_secs(1);

/// The longest a position waits while few or no others come: a commit of few rows costs little,
/// and they may have taken long to prove.
const IDLE: Duration = Duration::from_millis(100);

/// The most positions that count as few.
const FEW: usize = 4096;

pub(super) fn work(
    file: RunFile,
    receiver: Receiver<Message>,
    control: StopControl,
) -> Result<WriteSummary, DatabaseError> {
    let result = receive(&file, &receiver, control);
    // From here on senders are refused instead of waiting for room.
    drop(receiver);
    let RunFile { connection, path, run, .. } = file;
    if result.is_err() {
        // Both may fail for the same reason as the error itself, which is the one to report.
        let rolled_back = match connection.is_autocommit() {
            true => Ok(()),
            false => connection.execute_batch("ROLLBACK"),
        };
        let _ = rolled_back.and_then(|()| {
            let transaction = connection.unchecked_transaction()?;
            records::end(&transaction, run, Ending::Failed)?;
            transaction.commit()
        });
    }
    let closed = close(connection).at(&path);
    let summary = result?;
    closed.map(|()| summary)
}

/// Writes messages up to the end of the run: in each transaction the gathered positions, and then
/// any other message.
fn receive(
    file: &RunFile,
    receiver: &Receiver<Message>,
    control: StopControl,
) -> Result<WriteSummary, DatabaseError> {
    let mut positions = PositionWriter::new(file, control).at(&file.path)?;
    let mut gathered = Gathered::default();
    loop {
        let message = match gathered.since {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => receiver.recv_timeout(IDLE),
        };
        let message = match message {
            Ok(Message::Positions(rows)) => {
                gathered.add(rows);
                if !gathered.is_due() {
                    continue;
                }
                None
            }
            Err(RecvTimeoutError::Timeout) => None,
            Ok(message) => Some(message),
            // Every sender is gone, so no end can come.
            Err(RecvTimeoutError::Disconnected) => Some(Message::End(Ending::Failed)),
        };
        let ends = matches!(message, Some(Message::End(_)));
        file.connection.execute_batch("BEGIN IMMEDIATE").at(&file.path)?;
        // All together and in the order of the table: every page is touched once.
        positions.write(&mut std::mem::take(&mut gathered).batches.concat())?;
        if let Some(message) = message {
            write(file, message, positions.summary.left_out)?;
        }
        file.connection.execute_batch("COMMIT").at(&file.path)?;
        if ends {
            return Ok(positions.summary);
        }
    }
}

/// Writes a message other than positions; `left_out` is true if a stop left out some positions.
fn write(file: &RunFile, message: Message, left_out: bool) -> Result<(), DatabaseError> {
    let RunFile { connection, path, game, game_id, run } = file;
    let written = match message {
        Message::Positions(_) => Ok(()),
        Message::Bounds(mut rows) => write_bounds(connection, *game_id, game, &mut rows),
        Message::PlyCounts(counts) => match records::ply_counts(connection, *run, &counts) {
            Err(rusqlite::Error::ToSqlConversionFailure(_)) => {
                return Err(DatabaseError::TooLarge(path.clone()));
            }
            written => written,
        },
        // The stop may have come after the work, while its positions were written.
        Message::End(Ending::Finished) if left_out => {
            records::end(connection, *run, Ending::Interrupted)
        }
        Message::End(ending) => records::end(connection, *run, ending),
    };
    written.at(path)
}

/// Batches of positions for one transaction, in the order they came.
#[derive(Default)]
struct Gathered {
    batches: Vec<Vec<PositionRow>>,
    rows: usize,
    /// The time when the first of them came.
    since: Option<Instant>,
}

impl Gathered {
    fn add(&mut self, rows: Vec<PositionRow>) {
        self.rows += rows.len();
        self.batches.push(rows);
        self.since.get_or_insert_with(Instant::now);
    }

    fn is_due(&self) -> bool {
        let most = if self.rows <= FEW { IDLE } else { COMMIT_INTERVAL };
        self.rows >= COMMIT_ROWS || self.since.is_some_and(|at| at.elapsed() >= most)
    }
}

/// Moves the log into the file and leaves write-ahead logging, which a reader on a read-only
/// medium could not open. If another process has the file open, its close does this.
fn close(connection: Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::ZERO)?;
    let left = connection.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()));
    let closed = connection.close().map_err(|(_, error)| error);
    match left {
        Err(error) if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) => Err(error),
        _ => closed,
    }
}

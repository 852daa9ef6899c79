//! The thread that writes: messages in, transactions out.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::super::bounds::BoundWriter;
use super::super::deadline::Deadline;
use super::super::positions::{PositionWriter, Rejection};
use super::super::{Conflict, DatabaseError, Ending, PositionRow, RunId, WriteSummary};
use super::{Message, records};
use everyply_core::game::GameId;

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

pub(super) struct Writer {
    pub(super) path: PathBuf,
    pub(super) game: GameId,
    pub(super) game_id: i64,
    pub(super) run: RunId,
    pub(super) deadline: Deadline,
}

impl Writer {
    /// Writes the run from its beginning to its end.
    pub(super) fn work(
        mut self,
        connection: Connection,
        receiver: Receiver<Message>,
    ) -> Result<WriteSummary, DatabaseError> {
        let deadline = std::mem::take(&mut self.deadline);
        let result = self.receive(&connection, &receiver, deadline);
        // From here on senders are refused instead of waiting for room.
        drop(receiver);
        if result.is_err() {
            // Both may fail for the same reason as the error itself, which is the one to report.
            let rolled_back = match connection.is_autocommit() {
                true => Ok(()),
                false => connection.execute_batch("ROLLBACK"),
            };
            let _ = rolled_back.and_then(|()| {
                let transaction = connection.unchecked_transaction()?;
                records::end(&transaction, self.run, Ending::Failed)?;
                transaction.commit()
            });
        }
        let closed = close(connection).map_err(|error| self.sqlite(error));
        let summary = result?;
        closed.map(|()| summary)
    }

    /// Writes messages up to the end of the run.
    fn receive(
        &self,
        connection: &Connection,
        receiver: &Receiver<Message>,
        deadline: Deadline,
    ) -> Result<WriteSummary, DatabaseError> {
        let of_sqlite = |error| self.sqlite(error);
        let mut positions = PositionWriter::new(connection, self.game_id, &self.game, deadline)
            .map_err(of_sqlite)?;
        let mut gathered = Gathered::default();
        loop {
            let message = match gathered.since {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => receiver.recv_timeout(IDLE),
            };
            let message = match message {
                Ok(Message::Positions(rows)) => {
                    gathered.add(rows);
                    if gathered.is_due() {
                        self.commit(connection, &mut gathered, &mut positions, |_, _| Ok(()))?;
                    }
                    continue;
                }
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => {
                    self.commit(connection, &mut gathered, &mut positions, |_, _| Ok(()))?;
                    continue;
                }
                // Every sender is gone, so no end can come.
                Err(RecvTimeoutError::Disconnected) => Message::End(Ending::Failed),
            };
            let ends = matches!(message, Message::End(_));
            self.commit(connection, &mut gathered, &mut positions, |connection, positions| {
                // A stop that comes after the work, while its positions are written, still leaves
                // out some of them.
                let message = match message {
                    Message::End(Ending::Finished) if positions.summary().left_out => {
                        Message::End(Ending::Interrupted)
                    }
                    message => message,
                };
                self.write(connection, message)
            })?;
            if ends {
                return Ok(positions.summary());
            }
        }
    }

    /// Commits one transaction: the positions gathered, and then something else.
    fn commit(
        &self,
        connection: &Connection,
        gathered: &mut Gathered,
        positions: &mut PositionWriter<'_>,
        and: impl FnOnce(&Connection, &PositionWriter<'_>) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let of_sqlite = |error| self.sqlite(error);
        connection.execute_batch("BEGIN IMMEDIATE").map_err(of_sqlite)?;
        // All together and in the order of the table: every page is touched once.
        let written = positions.write(&mut gathered.take().concat());
        written.map_err(|rejection| self.rejected(rejection))?;
        and(connection, positions)?;
        connection.execute_batch("COMMIT").map_err(of_sqlite)
    }

    /// Writes something other than positions.
    fn write(&self, connection: &Connection, message: Message) -> Result<(), DatabaseError> {
        match message {
            Message::Positions(_) => Ok(()),
            Message::Bounds(mut rows) => BoundWriter::new(connection, self.game_id, &self.game)
                .and_then(|mut bounds| bounds.write(&mut rows))
                .map_err(|error| self.sqlite(error)),
            Message::PlyCounts(counts) => records::ply_counts(connection, self.run, &counts)
                .map_err(|error| match error {
                    rusqlite::Error::ToSqlConversionFailure(_) => {
                        DatabaseError::TooLarge(self.path.clone())
                    }
                    error => self.sqlite(error),
                }),
            Message::End(ending) => {
                records::end(connection, self.run, ending).map_err(|error| self.sqlite(error))
            }
        }
    }

    fn sqlite(&self, error: rusqlite::Error) -> DatabaseError {
        DatabaseError::of_sqlite(&self.path, error)
    }

    fn rejected(&self, rejection: Rejection) -> DatabaseError {
        match rejection {
            Rejection::Sqlite(error) => self.sqlite(error),
            Rejection::Conflict { stored, offered } => {
                DatabaseError::Conflict(Box::new(Conflict {
                    path: self.path.clone(),
                    game: self.game.clone(),
                    stored,
                    offered,
                }))
            }
        }
    }
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

    fn take(&mut self) -> Vec<Vec<PositionRow>> {
        std::mem::take(self).batches
    }
}

/// Moves the log into the file and leaves write-ahead logging, which a reader on a read-only
/// medium could not open. With another process at work that process's closing does it.
fn close(connection: Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::ZERO)?;
    let left = connection.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()));
    let closed = connection.close().map_err(|(_, error)| error);
    match left {
        Err(error) if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) => Err(error),
        _ => closed,
    }
}

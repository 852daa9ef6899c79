//! The thread that writes: messages in, transactions out.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::super::positions::{PositionWriter, Rejection};
use super::super::{Conflict, DatabaseError, Ending, GameId, RunId, WriteSummary};
use super::{Message, records};

/// Positions in one transaction.
const COMMIT_ROWS: usize = 1 << 18;

/// The longest a position waits for its commit, and another process for the lock, while
/// positions keep coming.
const COMMIT_INTERVAL: Duration = Duration::from_secs(1);

/// The longest a transaction stays open while nothing comes.
const IDLE: Duration = Duration::from_millis(100);

/// What the writer's thread knows.
pub(super) struct Writer {
    pub(super) path: PathBuf,
    pub(super) game: GameId,
    pub(super) game_id: i64,
    pub(super) run: RunId,
}

impl Writer {
    /// The thread, from the beginning of the run to its end.
    pub(super) fn work(
        self,
        connection: Connection,
        receiver: Receiver<Message>,
    ) -> Result<WriteSummary, DatabaseError> {
        let result = self.receive(&connection, &receiver);
        // From here on senders are refused instead of waiting for room.
        drop(receiver);
        if let Err(error) = &result {
            // Both may fail for the reason of the error itself, which is what matters.
            let committed = match error {
                // Nothing is wrong with what came before the conflict.
                DatabaseError::Conflict(_) if !connection.is_autocommit() => {
                    connection.execute_batch("COMMIT")
                }
                _ if !connection.is_autocommit() => connection.execute_batch("ROLLBACK"),
                _ => Ok(()),
            };
            let _ = committed.and_then(|()| records::end(&connection, self.run, Ending::Failed));
        }
        let closed = close(connection).map_err(|error| self.sqlite(error));
        let summary = result?;
        closed.map(|()| summary)
    }

    /// Writes what comes until the run's end, and that too.
    fn receive(
        &self,
        connection: &Connection,
        receiver: &Receiver<Message>,
    ) -> Result<WriteSummary, DatabaseError> {
        let of_sqlite = |error| self.sqlite(error);
        let mut positions = PositionWriter::new(connection, self.game_id).map_err(of_sqlite)?;
        let mut transaction = Transaction { connection, opened: None, rows: 0 };
        loop {
            let message = match transaction.opened {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => receiver.recv_timeout(IDLE),
            };
            let message = match message {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => {
                    transaction.commit().map_err(of_sqlite)?;
                    continue;
                }
                // Every sender is gone without an end: so is whoever could have ended it.
                Err(RecvTimeoutError::Disconnected) => Message::End(Ending::Failed),
            };
            transaction.begin().map_err(of_sqlite)?;
            match message {
                Message::Positions(mut rows) => {
                    transaction.rows += rows.len();
                    positions.write(&mut rows).map_err(|rejection| self.rejected(rejection))?;
                }
                Message::PlyCounts(counts) => {
                    records::ply_counts(connection, self.run, &counts)
                        .map_err(|error| self.record(error, "a count per ply"))?;
                }
                Message::Iterations(iterations) => {
                    records::iterations(connection, self.run, &iterations)
                        .map_err(|error| self.record(error, "a counter of the search"))?;
                }
                Message::RootMoves(moves) => {
                    records::root_moves(connection, self.run, &moves)
                        .map_err(|error| self.record(error, "a count of nodes"))?;
                }
                Message::End(ending) => {
                    records::end(connection, self.run, ending).map_err(of_sqlite)?;
                    transaction.commit().map_err(of_sqlite)?;
                    return Ok(positions.summary());
                }
            }
            if transaction.is_due() {
                transaction.commit().map_err(of_sqlite)?;
            }
        }
    }

    fn sqlite(&self, error: rusqlite::Error) -> DatabaseError {
        DatabaseError::of_sqlite(&self.path, error)
    }

    /// An error of writing numbers about the run, `what` they are.
    fn record(&self, error: rusqlite::Error, what: &'static str) -> DatabaseError {
        match error {
            rusqlite::Error::ToSqlConversionFailure(_) => {
                DatabaseError::TooLarge { path: self.path.clone(), what }
            }
            error => self.sqlite(error),
        }
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

/// The transaction that positions are gathered in.
struct Transaction<'c> {
    connection: &'c Connection,
    /// When it began; `None` between transactions.
    opened: Option<Instant>,
    rows: usize,
}

impl Transaction<'_> {
    /// Begins it unless it has begun.
    fn begin(&mut self) -> rusqlite::Result<()> {
        if self.opened.is_none() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            self.opened = Some(Instant::now());
        }
        Ok(())
    }

    fn is_due(&self) -> bool {
        self.rows >= COMMIT_ROWS || self.opened.is_some_and(|at| at.elapsed() >= COMMIT_INTERVAL)
    }

    fn commit(&mut self) -> rusqlite::Result<()> {
        self.connection.execute_batch("COMMIT")?;
        self.opened = None;
        self.rows = 0;
        Ok(())
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

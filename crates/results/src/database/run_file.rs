//! The file that a run writes to, and the control that can stop the run.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use rusqlite::Connection;

use super::RunId;
use everyply_core::control::Control;
use everyply_core::game::GameId;

/// The file of a run, and its numbers there.
pub(super) struct RunFile {
    pub connection: Connection,
    pub path: PathBuf,
    pub game: GameId,
    pub game_id: i64,
    pub run: RunId,
}

/// The control that can stop a run, once there is one.
pub(super) type StopControl = Arc<OnceLock<Arc<Control>>>;

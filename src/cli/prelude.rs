//! The names that most commands use.

pub(super) use std::fmt::Write as _;
pub(super) use std::io::Write as _;
pub(super) use std::path::{Path, PathBuf};
pub(super) use std::sync::{Arc, Mutex, PoisonError};
pub(super) use std::time::{Duration, Instant};

pub(super) use schemars::JsonSchema;
pub(super) use serde::Serialize;

pub(super) use super::failure::{Failure, mismatch, runtime, usage, warn};
pub(super) use super::game_options::GameOptions;
pub(super) use super::options::{OutputOptions, Running, check_keys, number, seconds};
pub(super) use super::output::{self, Kept, Run};
pub(super) use super::session::{Session, available_memory};
pub(super) use super::text::{self, Table};
pub(super) use super::values::one_of;
pub(super) use everyply_connect_four::solver::{Goal, Solver};
pub(super) use everyply_core::control::{Control, Stopped};
pub(super) use everyply_core::exhaustive::SolveError;
pub(super) use everyply_core::game::{GameId, MoveSet, MoveStyle, Outcome, PartialValue};
pub(super) use everyply_core::games::line::{LineGame, Rules, Size};
pub(super) use everyply_core::statistics::{PlyCounts, counted, grouped};
pub(super) use everyply_files::disk::{NewFile, in_directory};
pub(super) use everyply_registry::registry::{Entry, Position, Registry};
pub(super) use everyply_results::database::{Database, DatabaseError, PositionRow, WriteSummary};
pub(super) use everyply_results::export::{GameFields, OfRun, PositionDocument};
pub(super) use everyply_results::oracle::{Oracle, OracleError, OracleFiles};
pub(super) use everyply_results::stored::{Content, StoredError, StoredFile};

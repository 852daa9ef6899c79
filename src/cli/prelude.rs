//! The names that most commands use.

pub(super) use std::path::{Path, PathBuf};

pub(super) use schemars::JsonSchema;
pub(super) use serde::Serialize;

pub(super) use super::failure::{Failure, mismatch, runtime, usage, warn};
pub(super) use super::game_options::GameOptions;
pub(super) use super::options::{OutputOptions, Running};
pub(super) use super::output::{self, Kept, Run};
pub(super) use super::session::Session;
pub(super) use super::text::{self, Table};
pub(super) use super::values::one_of;
pub(super) use everyply_core::control::Control;
pub(super) use everyply_core::statistics::{counted, grouped};
pub(super) use everyply_files::disk::NewFile;
pub(super) use everyply_registry::registry::{Position, Registry};

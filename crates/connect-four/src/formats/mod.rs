//! File formats of other programs, for Connect Four positions and their values.
//!
//! A [`LineFormat`] writes one position, with or without its value, on a line; [`Records`] reads a
//! file of such lines. [`bit_bully`] reads the binary books of BitBully. A [`ValueFile`] is a file
//! of values in any format. `docs/formats.md` describes every format and names its source.
//!
//! Readers are strict and never guess: a violation of the format is an error that names the file,
//! the line or record, its text and the remedy.
//!
//! Values read are for the side to move, whatever the perspective of the file.

pub mod bit_bully;
mod error;
mod line_format;
mod pons;
mod rows;
#[cfg(test)]
mod tests;
pub mod uci;
mod value_file;

pub use error::{InterchangeError, RecordError};
pub use line_format::{LineFormat, Records};
pub use pons::scored_moves;
pub use rows::Record;
pub use value_file::{RecordLocation, ValueFile, ValueFormat};

//! Other people's formats: positions and their values as files that already exist write them.
//!
//! A [`LineFormat`] is a way to write one position, with or without its value, on a line;
//! [`Records`] reads a file of them. [`bit_bully`] reads and writes the binary books of BitBully. A
//! [`ValueFile`] is any of the files that tell values. `docs/formats.md` describes every format and
//! names its source.
//!
//! Readers are strict: what a format does not allow is an error that names the file, the line or
//! record, what stands there and what to do. Nothing is guessed; above all not whether columns
//! are counted from 0 or from 1.
//!
//! All of it is about Connect Four. Values are for the side to move once they are read, whatever
//! the file's own perspective.

pub mod bit_bully;
mod boeck;
mod error;
mod kaggle;
mod key;
mod line_format;
mod open_spiel;
mod pons;
mod reader;
mod record;
mod rows;
#[cfg(test)]
mod tests;
pub mod uci;
mod value_file;

pub use boeck::{key_of as boeck_key, of_value as boeck_value, to_value as value_of_boeck};
pub use error::{InterchangeError, MissingChoice, RecordError};
pub use line_format::LineFormat;
pub use pons::to_value as value_of_pons;
pub use reader::Records;
pub use record::Record;
pub use value_file::{AbsentValue, RecordLocation, RecordUnit, ValueFile, ValueFormat};

//! Files that appear whole or not at all, bounded input, and stores of objects by name.

pub mod disk;
pub mod reading;
pub mod store;

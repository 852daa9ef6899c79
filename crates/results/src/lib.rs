//! Values of positions from any source, the machine as an opponent, the solved-position database,
//! its checks, and exports.
//!
//! The crate `everyply` shows this as its modules `database`, `export`, `opponent`, `oracle`,
//! `stored` and `verify`.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Shared code may be used by one feature alone; with all features, none may be unused.
#![cfg_attr(not(feature = "parquet"), allow(dead_code, unused_imports))]

#[cfg(feature = "database")]
pub mod database;
pub mod export;
pub mod opponent;
pub mod oracle;
pub mod stored;
#[cfg(feature = "database")]
pub mod verify;

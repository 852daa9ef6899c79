#[cfg(feature = "bucket")]
mod bucket;
mod chunks;
mod folder;
mod places;

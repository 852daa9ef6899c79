#[cfg(feature = "solutions")]
mod chunks;
mod folder;
mod places;

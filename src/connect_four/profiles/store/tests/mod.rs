mod chunks;
mod folder;
mod places;

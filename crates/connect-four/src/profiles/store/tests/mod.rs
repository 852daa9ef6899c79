mod chunks;
mod folder;

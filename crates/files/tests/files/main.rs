//! Files, the simulated disk and stores.

mod crashes;
mod folder;
mod leftovers;
mod new_file;
mod simulated;

use std::fs;
use std::path::Path;

fn entries(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

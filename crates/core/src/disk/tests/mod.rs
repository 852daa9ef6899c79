mod crashes;
mod leftovers;
mod new_file;
mod simulated;

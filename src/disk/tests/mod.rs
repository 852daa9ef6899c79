mod new_file;
mod simulated;

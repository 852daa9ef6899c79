//! The command line of everyply.
fn main() {}

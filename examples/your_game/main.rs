//! The whole command line for a game of your own: `analyze new NAME DIR` copies these files.

mod rules;

use rules::Treblecross;

fn main() -> std::process::ExitCode {
    everyply::cli::run(&everyply::registry::builtin().with::<Treblecross>())
}

#[cfg(test)]
mod values;

#[cfg(test)]
mod tests {
    use super::Treblecross;
    use everyply::game::{Chosen, Registered, laws};

    /// Keep this test when you change the rules; leave out `tiered` if play may be endless.
    #[test]
    fn the_laws_hold() {
        let game = Treblecross::choose(&Chosen::default()).unwrap();
        laws::game(&game);
        laws::symmetric(&game);
        laws::tiered(&game);
        laws::evaluate(&game);
        laws::notation(&game);
    }
}

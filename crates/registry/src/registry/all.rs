//! All games that come with the program.

use super::Registry;
use everyply_core::games::{
    Awari, Breakthrough, CylinderFour, Dao, Dobutsu, Dots, Gobblet, Hexapawn, Kalah, Misere,
    MisereFour, Morris, Neutreeko, Nim, Notakto, Othello, Pong, PopOut, Qubic, Teeko, WideQubic,
    Wild,
};

/// Creates a registry of the games of this crate.
pub fn builtin() -> Registry {
    Registry::new()
        .with::<Nim>()
        .with::<Hexapawn>()
        .with::<Dots>()
        .with_endless::<Pong>()
        .with_ranked::<Morris>()
        .with_ranked::<Neutreeko>()
        .with_ranked::<Dao>()
        .with_ranked::<Teeko>()
        .with::<Wild>()
        .with::<Misere>()
        .with::<Notakto>()
        .with_wide::<Qubic, WideQubic>()
        .with_endless::<PopOut>()
        .with::<CylinderFour>()
        .with::<MisereFour>()
        .with::<Breakthrough>()
        .with_wide::<Othello, Othello<u128>>()
        .with::<Kalah>()
        .with_ranked::<Awari>()
        .with_endless::<Dobutsu>()
        .with_ranked::<Gobblet>()
}

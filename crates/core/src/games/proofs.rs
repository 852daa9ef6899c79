//! What the search relies on in games of every kind. Proofs are compared with solutions in
//! `crates/registry/tests/search.rs`, over all games.

use super::tests::chosen;
use super::{
    Breakthrough, CylinderFour, Hexapawn, Kalah, Misere, MisereFour, Notakto, Othello, Qubic, Wild,
};
use crate::control::Control;
use crate::game::{Game, Keyed, Tiered, laws};
use crate::games::line::{ConnectFour, Mnk, Size};
use crate::search::{Aim, RootScores, Settings, SharedTable, prove, search};

#[test]
fn the_laws_of_wins_at_once_hold() {
    for (width, height, line) in [(3, 3, 3), (4, 2, 2), (4, 3, 3), (3, 3, 2), (3, 2, 4), (5, 5, 4)]
    {
        laws::urgent(&Mnk::new(Size::new(width, height, line).unwrap()).unwrap());
        laws::urgent(&ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap());
    }
    for rules in [&[][..], &["misere"]] {
        laws::urgent(&chosen::<CylinderFour>(Some((4, 3)), &[("line", 3)], rules));
        laws::urgent(&chosen::<Wild>(None, &[], rules));
        laws::urgent(&chosen::<Qubic>(None, &[], rules));
    }
    laws::urgent(&chosen::<MisereFour>(Some((3, 4)), &[("line", 3)], &[]));
    laws::urgent(&chosen::<Misere>(None, &[], &[]));
    laws::urgent(&chosen::<Notakto>(None, &[("boards", 1)], &[]));
    laws::urgent(&Hexapawn::new(4, 3).unwrap());
    laws::urgent(&chosen::<Breakthrough>(Some((2, 5)), &[], &[]));
    for rules in [&[][..], &["empty"], &["either"]] {
        laws::urgent(&chosen::<Kalah>(None, &[("pits", 3), ("seeds", 2)], rules));
    }
    laws::urgent(&chosen::<Othello>(Some((4, 4)), &[], &[]));
}

#[test]
fn a_table_serves_proofs_and_searches_to_a_depth() {
    let game = ConnectFour::new(Size::new(5, 4, 4).unwrap()).unwrap();
    let (control, table) = (Control::default(), SharedTable::new(1, game.key_bits()).unwrap());
    laws::random_positions(&game, 20, |position| {
        if game.result(position).is_some() || game.plies_left(position) > 14 {
            return;
        }
        let asked = (Aim::Value, RootScores::AllBest);
        let proof = prove(&game, position, asked, &table, &control, &mut |_| ());
        assert!(proof.bounds.proved().is_some(), "{position:?}");
        for depth in 1..=5.min(game.plies_left(position)) {
            let settings = Settings::to_depth(depth);
            let score = |table: Option<&SharedTable>| {
                search(&game, position, &settings, table, &control, &mut |_| ()).score
            };
            assert_eq!(score(Some(&table)), score(None), "{position:?} to depth {depth}");
        }
    });
}

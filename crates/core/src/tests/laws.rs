//! The laws over every game, refusals, and remarks.

use super::{choose, chosen, every_law};
use crate::game::{
    Drawn, Game, Notation, Outcome, Ranked, Registered, Shown, Tiered, laws, parse_moves,
};
use crate::games::ranks::choose as subsets;
use crate::games::{
    Awari, Breakthrough, CylinderFour, Dao, Dobutsu, Dots, Gobblet, Hexapawn, Kalah, Misere,
    MisereFour, Morris, Neutreeko, Nim, Notakto, Othello, PopOut, Qubic, Teeko, WideQubic, Wild,
};

#[test]
fn the_laws_hold_for_games_that_end() {
    fn tiered<G: Shown + Tiered>(games: impl IntoIterator<Item = G>) {
        for game in games {
            every_law(&game);
            laws::tiered(&game);
            laws::urgent(&game);
        }
    }
    for heaps in [&[1][..], &[3, 5, 7], &[1, 1, 1, 1], &[63], &[100], &[60, 60]] {
        tiered([false, true].map(|misere| Nim::new(heaps, misere).unwrap()));
    }
    tiered(["4x4", "10x3", "5x6"].map(chosen::<Hexapawn>));
    tiered(["3x3", "4x4", "5x4"].map(chosen::<Dots>));
    tiered(["4x6", "6x4", "6x6", "8x4"].map(chosen::<Othello>));
    tiered(["8x6", "8x8", "4x16"].map(chosen::<Othello<u128>>));
    let kalah = ["pits=5 seeds=2", "pits=6 seeds=4", "pits=3 seeds=9", "pits=1 seeds=29"];
    tiered(kalah.map(chosen::<Kalah>));
    tiered(["", "misere"].map(chosen::<Qubic>));
    tiered([chosen::<Notakto>("boards=3")]);
    tiered([chosen::<Wild>("3x2 misere")]);
    tiered([chosen::<Misere>("5x2 line=2")]);
    tiered([chosen::<MisereFour>("9x6")]);
}

/// Boards with too many symmetries of too many marks for all laws.
#[test]
fn the_laws_hold_for_large_boards_of_marks() {
    fn large<G: Shown + Tiered>(game: &G) {
        laws::game(game);
        laws::keyed(game);
        laws::tiered(game);
        laws::notation(game);
    }
    large(&chosen::<Notakto>("boards=7"));
    large(&chosen::<Wild>("8x4 line=4"));
    let qubic = chosen::<WideQubic>("side=4");
    large(&qubic);
    laws::urgent(&qubic);
}

#[test]
fn the_laws_hold_for_games_without_an_end() {
    for game in ["men=4 flying", "men=6", "men=7 flying"].map(chosen::<Morris>) {
        every_law(&game);
    }
    every_law(&chosen::<Neutreeko>(""));
    every_law(&chosen::<Dao>(""));
    every_law(&chosen::<Teeko>(""));
    every_law(&chosen::<Teeko>("advanced"));
    every_law(&Dobutsu::default());
    ["sizes=1", "sizes=2", ""].map(chosen::<Gobblet>).iter().for_each(every_law);
    ["7x6 cylinder", "31x1"].map(chosen::<PopOut>).iter().for_each(every_law);
}

/// Images of all ranks make up all ways to put the stones on the board.
#[test]
fn the_laws_hold_for_ranks() {
    let boards = |places: u32, [first, second]: [u32; 2]| {
        subsets(places, first) * subsets(places - first, second)
    };
    let morris = |men, flying| laws::ranked(&Morris::new(men, flying).unwrap());
    let (three, four) = (morris(3, false), morris(4, true));
    assert_eq!((three["3-3"], three["0-0+3-3"]), (boards(9, [3, 3]), 1));
    assert_eq!(three["1-2+2-1"], boards(9, [1, 2]));
    assert_eq!(four["2-2+2-2"], boards(16, [2, 2]));
    morris(6, false);
    assert_eq!(morris(7, true)["1-1+6-6"], boards(17, [1, 1]));
    assert_eq!(laws::ranked(&chosen::<Dao>("")).len(), 0);
    assert_eq!(laws::ranked(&chosen::<Neutreeko>("")).len(), 0);
    assert_eq!(laws::ranked(&chosen::<Teeko>(""))["3"], boards(25, [1, 2]));
    laws::ranked(&chosen::<Gobblet>("sizes=1"));
    for game in ["seeds=2 pits=2", "seeds=2", "pits=6 seeds=4", "pits=1 seeds=29"] {
        let game = chosen::<Awari>(game);
        every_law(&game);
        laws::ranked(&game);
    }
}

#[test]
fn the_laws_hold_for_nine_mens_morris() {
    let game = Morris::new(9, true).unwrap();
    let moving = game.tiers().into_iter().filter(|tier| tier.loops);
    assert_eq!(moving.map(|tier| tier.ranks).sum::<u64>(), 9_193_626_407);
    laws::game(&game);
    laws::symmetric(&game);
    laws::notation(&game);
    laws::random_positions(&game, 60, |p| {
        let (tier, rank) = game.rank(p).unwrap();
        let other = game.unrank(tier, rank).unwrap();
        assert_eq!(game.rank(other), Some((tier, rank)));
        assert_eq!(game.result(other), game.result(p));
    });
}

#[test]
fn choices_that_make_no_game_are_refused_with_the_rule() {
    fn refused<R: Registered>(all: &[&str]) {
        for words in all {
            assert!(choose::<R>(words).is_err(), "{} {words}", R::NAME);
        }
    }
    refused::<Hexapawn>(&["4x1", "8x4", "0x3", "255x255"]);
    refused::<Breakthrough>(&["4x3", "8x4"]);
    refused::<Dots>(&["5x5", "0x1", "255x255"]);
    refused::<Morris>(&["men=2", "men=8"]);
    refused::<PopOut>(&["8x7", "0x4", "4x0", "9x7", "4x4 line=0"]);
    refused::<Wild>(&["6x6", "3x3 line=4", "0x3 line=1"]);
    refused::<Misere>(&["3x3 line=0"]);
    refused::<Othello>(&["5x4", "2x6", "6x8", "0x4", "4x254"]);
    refused::<Othello<u128>>(&["5x4", "2x6", "8x10", "4x254"]);
    let sown =
        ["pits=0 seeds=1", "pits=1 seeds=0", "pits=7 seeds=1", "pits=6 seeds=5", "pits=1 seeds=30"];
    refused::<Kalah>(&sown);
    refused::<Awari>(&sown);
    let error = choose::<CylinderFour>("4x3 line=5").unwrap_err().to_string();
    assert!(error.contains("the longest that fits is 4"), "{error}");
    let nim = |heaps: &[u32]| Nim::new(heaps, false).unwrap_err().to_string();
    assert!(nim(&[]).contains("one heap to 8"));
    assert!(nim(&[0, 0]).contains("no heap has a stone"));
    assert!(nim(&[3, 256]).contains("heap 2 has 256 stones"));
    assert!(nim(&[1; 9]).contains("9 heaps"));
    let error = Nim::parse_heaps("3,x").unwrap_err().to_string();
    assert!(error.contains("heap 2 of '3,x', 'x'"), "{error}");
}

#[test]
fn texts_that_are_no_position_are_refused_with_the_place() {
    let game = chosen::<Hexapawn>("");
    let refusal = |text| parse_moves(&game, game.initial(), text).unwrap_err().to_string();
    assert!(refusal("a1a2,b3c2").contains("move 2, 'b3c2', is not possible there"));
    assert!(refusal("a1a2,,b3a2").contains("move 2 is empty"));
    assert_eq!(parse_moves(&game, game.initial(), ""), Ok(game.initial()));
    let over = refusal("a1a2,b3a2,b1a2,a3a2");
    assert!(over.contains("move 4") && over.contains("not possible"), "{over}");
    let dots = Dots::new(1, 1).unwrap();
    let error = parse_moves(&dots, dots.initial(), "1,2,3,4,1").unwrap_err().to_string();
    assert!(error.contains("one too many: the game is over after move 4"), "{error}");
    let nim = Nim::new(&[3, 5], false).unwrap();
    assert!(nim.parse_position("3,6").unwrap_err().to_string().contains("at most 5"));
    assert!(nim.parse_position("3").unwrap_err().to_string().contains("1 heaps, this game 2"));
    assert_eq!(nim.parse_position("0,5").map(|p| nim.picture(p)), Ok("0,5".to_owned()));
}

#[test]
fn games_remark_on_what_the_rules_show() {
    fn wins(game: &Nim, position: <Nim as Game>::Position) -> bool {
        match game.result(position) {
            Some(outcome) => outcome == Outcome::Win,
            None => game.moves(position).into_iter().any(|m| !wins(game, game.play(position, m))),
        }
    }
    for misere in [false, true] {
        let nim = Nim::new(&[1, 2, 3], misere).unwrap();
        laws::random_positions(&nim, 50, |position| {
            if nim.result(position).is_none() {
                let words = nim.remark(position).unwrap();
                let lost = words.contains("is 0:") || words.contains("is odd:");
                assert_eq!(wins(&nim, position), !lost, "{position:?} {words}");
            }
        });
    }
    fn remark<G: Drawn>(game: &G, text: &str) -> String {
        game.remark(game.parse_position(text).unwrap()).unwrap_or_default()
    }
    let pawns = chosen::<Hexapawn>("");
    assert_eq!(remark(&pawns, ""), "");
    assert_eq!(remark(&pawns, "a1a2,b3a2"), "O threatens to get across by a2a1 or a2b1.");
    let open = "X threatens to get across by b2a3 or b2b3 or b2c3. The way is free for O from a2.";
    assert_eq!(remark(&pawns, "a1a2,b3a2,b1b2"), open);
    let three = Morris::new(3, false).unwrap();
    assert_eq!(remark(&three, "a1"), "");
    assert_eq!(
        remark(&three, "a1,b2,a2,c1"),
        "X can close a mill on a3 and take a stone. O threatens a mill on a3."
    );
}

//! The board of a fuzzed text: chosen by its first four bytes.

use everyply::games::line::notation::{
    parse_moves, parse_picture, picture, some_moves_to, write_moves,
};
use everyply::games::line::{ConnectFour, LineGame, Mnk, Size, Standard, Stones, TicTacToe};

/// The work on a board of any size.
pub trait Check {
    fn check<G: LineGame>(&self, game: G);
}

/// Runs a check on the board that the first bytes choose; on none if there is no such board.
pub fn on_a_board(choice: [u8; 4], check: &impl Check) {
    let [game, width, height, line] = choice;
    // Mostly boards that exist; any size at all has to be answered without a panic.
    let (width, height) =
        if game & 4 == 0 { (width % 9 + 1, height % 8 + 1) } else { (width, height) };
    let line = if game & 8 == 0 { line % 6 + 1 } else { line };
    match (game & 3, Size::new(width, height, line)) {
        (0, _) => check.check(Standard::fixed()),
        (1, _) => check.check(TicTacToe::fixed()),
        (_, Err(_)) => {}
        (2, Ok(size)) => drop(ConnectFour::new(size).map(|game| check.check(game))),
        (_, Ok(size)) => drop(Mnk::new(size).map(|game| check.check(game))),
    }
}

/// A position that was accepted reads back from everything that is written of it.
pub fn round_trip<G: LineGame>(game: &G, position: Stones) {
    let moves = some_moves_to(game, position).expect("an accepted position can be reached");
    assert_eq!(parse_picture(game, &picture(game, position)), Ok((position, moves.clone())));
    assert_eq!(moves.len(), usize::from(position.ply().0));
    assert_eq!(parse_moves(game, &write_moves(game, &moves)), Ok(position));
    assert_eq!(game.position_of(game.key(position)), Some(position));
}

//! Published counts.

use crate::games::line::{LineGame, Rules};

/// Returns the numbers of positions of every ply by outcome for the first player, as lines of ply,
/// won, drawn and lost: for the 7x6 board (Böck 2025, arXiv 2507.05267), and empty for others.
pub fn plies_by_outcome<G: LineGame>(game: &G) -> &'static str {
    if game.rules() == Rules::ConnectFour && game.size() == Rules::ConnectFour.usual() {
        include_str!("../../../data/connect4-7x6-plies.csv")
    } else {
        ""
    }
}

//! Orderings that fill the board.

use super::{LineGame, Stones};

/// Histories under the rule that wins do not stop play: orderings that fill the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullBoard {
    /// Orderings that fill the board; `None` if there are 2^64 or more.
    pub leaves: Option<u64>,
    /// All move sequences, the empty one included; `None` if there are 2^64 or more.
    pub nodes: Option<u64>,
}

impl FullBoard {
    /// Counts exactly, from a position on.
    ///
    /// Under this rule the number of continuations depends on the occupied cells alone. If any cell
    /// may be played (m,n,k), e empty cells have e! / (e - i)! sequences of length i. If stones
    /// fall (Connect Four), only the numbers of cells left in the columns matter: the sequences of
    /// length i are the ways to interleave the columns, counted column by column: taking j of a
    /// column's cells into a sequence of length i + j chooses their places, C(i + j, j). Both are
    /// one recurrence over groups of cells, which for m,n,k have one cell.
    pub fn count<G: LineGame>(game: &G, root: Stones) -> Self {
        let mut sequences = vec![Some(1u128)];
        for group in groups(game, root) {
            let mut more = vec![Some(0u128); sequences.len() + group];
            for (i, &ways) in sequences.iter().enumerate() {
                for j in 0..=group {
                    let places = binomial(i + j, j);
                    let term = ways.zip(places).and_then(|(a, b)| a.checked_mul(b));
                    let sum = &mut more[i + j];
                    *sum = sum.zip(term).and_then(|(a, b)| a.checked_add(b));
                }
            }
            sequences = more;
        }
        let narrow = |n: Option<u128>| n.and_then(|n| u64::try_from(n).ok());
        let nodes = sequences.iter().try_fold(0u128, |sum, &n| sum.checked_add(n?));
        Self { leaves: narrow(sequences.last().copied().flatten()), nodes: narrow(nodes) }
    }
}

pub fn groups<G: LineGame>(game: &G, root: Stones) -> Vec<usize> {
    let mut groups = Vec::new();
    for m in game.moves(root) {
        let mut position = root;
        let mut cells = 0;
        while game.moves(position).contains(m) {
            position = game.play(position, m);
            cells += 1;
        }
        groups.push(cells);
    }
    groups
}

fn binomial(n: usize, k: usize) -> Option<u128> {
    (0..k as u128).try_fold(1u128, |c, i| Some(c.checked_mul(n as u128 - i)? / (i + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveSet};
    use crate::games::line::{ConnectFour, Mnk, Size, Standard, TicTacToe};

    fn full_board_by_walking<G: LineGame>(game: &G, position: Stones) -> FullBoard {
        let moves = game.moves(position);
        if moves == MoveSet::EMPTY {
            return FullBoard { leaves: Some(1), nodes: Some(1) };
        }
        let (mut leaves, mut nodes) = (0, 1);
        for m in moves {
            let below = full_board_by_walking(game, game.play(position, m));
            leaves += below.leaves.unwrap();
            nodes += below.nodes.unwrap();
        }
        FullBoard { leaves: Some(leaves), nodes: Some(nodes) }
    }

    #[test]
    fn filling_the_board_counts_every_ordering() {
        let game = TicTacToe::fixed();
        let full = FullBoard::count(&game, game.initial());
        assert_eq!(full, FullBoard { leaves: Some(362_880), nodes: Some(986_410) });
        assert_eq!(full, full_board_by_walking(&game, game.initial()));
        let game = ConnectFour::new(Size::new(3, 3, 3).unwrap()).unwrap();
        let one = game.play(game.initial(), crate::game::Move(1));
        for root in [game.initial(), one] {
            assert_eq!(FullBoard::count(&game, root), full_board_by_walking(&game, root));
        }
        // 42! / (6!)^7 = 1.4 x 10^31 orderings do not fit; 40! does not fit 128 bits either.
        let game = Standard::fixed();
        assert_eq!(FullBoard::count(&game, game.initial()).leaves, None);
        let game = Mnk::new(Size::new(8, 5, 4).unwrap()).unwrap();
        assert_eq!(FullBoard::count(&game, game.initial()).nodes, None);
    }
}

//! The heuristic evaluation of a position that is not over.

use super::{LineGame, Stones, Word};

/// Returns the points of a line with stones of one side alone, by the number missing. A line of
/// four scores 5 for one stone, 50 for two, 500 for three and 20,000 for all four.
const fn weight(missing: u32) -> i32 {
    match missing {
        0 => 20_000,
        1 => 500,
        2 => 50,
        _ => 5,
    }
}

/// Evaluates a position for the side to move, in points before the discount for stones: the sum
/// over the lines with stones of one side only, own minus the other side's.
///
/// All images of a position get the same points.
// Inlining it makes minimax take a quarter longer.
#[inline(never)]
pub fn evaluate<W: Word, G: LineGame<W>>(game: &G, position: Stones<W>) -> i32 {
    let lines = game.lines();
    if lines.length() == 4 {
        // Nearly all searches are of such boards. A game that is not over has no line of four.
        let points = [weight(3), weight(2), weight(1)];
        return lines.lead_in_fours(position.own, position.other, points);
    }
    // Lines without a stone give no points.
    let of = |missing, n| if missing == lines.length() { 0 } else { weight(missing) * n as i32 };
    let mut points = 0;
    lines.tally_open(position.own, position.other, |missing, n| points += of(missing, n));
    lines.tally_open(position.other, position.own, |missing, n| points -= of(missing, n));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Move};
    use crate::games::line::notation::parse_moves;
    use crate::games::line::{ConnectFour, Mnk, Size, Standard};

    #[test]
    fn points_worked_out_by_hand() {
        let game = Standard::fixed();
        assert_eq!(evaluate(&game, game.initial()), 0);
        // X on the bottom left corner: one line along each of three directions.
        let corner = game.play(game.initial(), Move(0));
        assert_eq!(evaluate(&game, corner), -15);
        // X a1, b1, c1 with O a2, b2: seen by O, to move. X's lines without a stone of O:
        // bottom row a-d (3 stones) 500, b-e (2) 50, c-f (1) 5; diagonals a1 falls to O's b2;
        // b1-e4 5, c1-f4 5; c1 rising left: none fits; c column c1-c4 5; a1, b1 columns blocked.
        // O's: row 2 a-d (2) 50, b-e (1) 5; a2-d5 5, b2-e5 5; columns a2-a5 5, b2-b5 5;
        // diagonals through a1 blocked by X at a1.
        let position = parse_moves(&game, "11223").unwrap();
        assert_eq!(evaluate(&game, position), 50 + 5 + 5 + 5 + 5 + 5 - 500 - 50 - 5 - 15);
    }

    /// Each line counts for one side at most, with one stone missing at least.
    fn outranked<W: Word>(game: &impl LineGame<W>) -> bool {
        game.lines().count() as i32 * weight(1) <= 100_000
    }

    #[test]
    fn an_evaluation_never_outranks_a_proof() {
        for width in 1..=32 {
            for height in 1..64 {
                for line in 1..=8 {
                    let size = Size::new(width, height, line).unwrap();
                    assert!(ConnectFour::new(size).map_or(true, |game| outranked(&game)));
                    assert!(Mnk::new(size).map_or(true, |game| outranked(&game)));
                }
            }
        }
    }
}

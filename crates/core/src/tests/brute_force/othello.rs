//! Othello on text.

use super::*;
use crate::games::Discs;

/// Othello: rows from the top, then the turn.
struct Turning {
    width: isize,
    height: isize,
}

impl Turning {
    fn start(&self) -> Text {
        let mut p = vec![b'.'; (self.width * self.height) as usize];
        let (x, y) = (self.width / 2, self.height / 2);
        for (dx, dy, disc) in [(1, 1, b'O'), (0, 0, b'O'), (1, 0, b'X'), (0, 1, b'X')] {
            p[((y - dy) * self.width + x - dx) as usize] = disc;
        }
        p.push(b'X');
        p
    }

    /// The board after a disc of a side in a cell; `None` if it turns nothing over.
    fn after(&self, p: &[u8], cell: usize, side: u8) -> Option<Text> {
        let mut next = p.to_vec();
        let (x, y) = (cell as isize % self.width, cell as isize / self.width);
        for step in (0..9).filter(|step| *step != 4) {
            let (dx, dy) = (step % 3 - 1, step / 3 - 1);
            let line = (1..)
                .map(|i| (x + i * dx, y + i * dy))
                .take_while(|(x, y)| (0..self.width).contains(x) && (0..self.height).contains(y));
            let line: Vec<usize> = line.map(|(x, y)| (y * self.width + x) as usize).collect();
            let turned = line.iter().take_while(|&&i| p[i] != b'.' && p[i] != side).count();
            if line.get(turned).is_some_and(|&i| p[i] == side) {
                line[..turned].iter().for_each(|&i| next[i] = side);
            }
        }
        let is_move = p[cell] == b'.' && next != p;
        next[cell] = side;
        is_move.then_some(next)
    }

    fn all(&self, p: &[u8], side: u8) -> Vec<Text> {
        (0..p.len() - 1).filter_map(|cell| self.after(p, cell, side)).collect()
    }
}

impl TextRules for Turning {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let (board, side) = (&p[..p.len() - 1], p[p.len() - 1]);
        let lead = count_of(board, side) - count_of(board, other_side(side));
        let is_over = self.all(p, side).is_empty();
        Outcome::from_sign(lead.signum().into()).filter(|_| is_over)
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let side = p[p.len() - 1];
        let other = other_side(side);
        let after = |mut next: Text| {
            let keeps = self.all(&next, other).is_empty() && !self.all(&next, side).is_empty();
            *next.last_mut().unwrap() = if keeps { side } else { other };
            (keeps, next)
        };
        self.all(p, side).into_iter().map(after).collect()
    }
}

/// Counts histories of a number of plies, a pass counted as one, and shorter ones that end the game.
fn with_passes(game: &Othello<u128>, p: Discs, plies: u32) -> u64 {
    if plies == 0 || game.result(p).is_some() {
        return 1;
    }
    let below = |(.., keeps_turn, next): (u32, u8, bool, Discs)| match (keeps_turn, plies) {
        (true, 2..) => with_passes(game, next, plies - 2),
        _ => with_passes(game, next, plies - 1),
    };
    branches(game, p).map(below).sum()
}

/// Published: the histories of 8x8, by plies.
const HISTORIES: [u64; 12] =
    [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];

fn has_published_histories(plies: std::ops::RangeInclusive<usize>) {
    let game = Othello::new(8, 8).unwrap();
    for plies in plies {
        let histories = with_passes(&game, game.initial(), plies as u32);
        assert_eq!(histories, HISTORIES[plies], "{plies} plies");
    }
}

#[test]
fn othello_8x8_has_the_published_histories() {
    has_published_histories(0..=7);
}

#[test]
#[ignore = "a quarter of a billion histories: half a minute with --release"]
fn othello_8x8_has_the_published_histories_of_more_plies() {
    has_published_histories(8..=11);
}

#[test]
fn wide_keys_are_the_same_numbers() {
    let (narrow, wide) = (Othello::<u64>::new(6, 6).unwrap(), Othello::<u128>::new(6, 6).unwrap());
    laws::random_positions(&narrow, 10, |p| {
        let (key, symmetry) = narrow.canonical(p);
        assert_eq!(wide.canonical(p), (Key(key.0.into()), symmetry));
    });
}

/// Published: the second player wins by 8 on 4x4.
#[test]
fn othello_has_the_values_of_a_brute_force() {
    let (game, rules) = (Othello::<u64>::new(4, 4).unwrap(), Turning { width: 4, height: 4 });
    assert_eq!(ends_as(&game, &rules, rules.start()).0, Outcome::Loss);
    assert_eq!(points(&game), -8);
}

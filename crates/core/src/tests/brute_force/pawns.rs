//! Games of pawns on text.

use super::*;
use crate::game::Registered;

/// Pawns: rows from the first player's side, then the turn.
struct Running {
    width: usize,
    height: usize,
    /// The rows that pawns fill, and whether they step to empty cells diagonally.
    rows: usize,
    slants: bool,
}

impl Running {
    fn start(&self) -> Text {
        let empty = vec![b'.'; self.height - 2 * self.rows];
        let rows = [vec![b'X'; self.rows], empty, vec![b'O'; self.rows]].concat();
        rows.into_iter().flat_map(|mark| vec![mark; self.width]).chain([b'X']).collect()
    }
}

impl TextRules for Running {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let last = p.len() - 1 - self.width;
        let crossed = match p[p.len() - 1] {
            b'O' => p[last..p.len() - 1].contains(&b'X'),
            _ => p[..self.width].contains(&b'O'),
        };
        (crossed || self.moves(p).is_empty()).then_some(Outcome::Loss)
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let own = p[p.len() - 1];
        let mut all = Vec::new();
        for from in (0..p.len() - 1).filter(|&from| p[from] == own) {
            for dx in [-1, 0, 1] {
                let row = from as isize / self.width as isize + if own == b'X' { 1 } else { -1 };
                let column = (from % self.width) as isize + dx;
                if !(0..self.height as isize).contains(&row)
                    || !(0..self.width as isize).contains(&column)
                {
                    continue;
                }
                let to = row as usize * self.width + column as usize;
                let may_step = if p[to] == b'.' { dx == 0 || self.slants } else { dx != 0 };
                if may_step && p[to] != own {
                    let mut next = p.to_vec();
                    (next[from], next[to]) = (b'.', own);
                    next[p.len() - 1] = other_side(own);
                    all.push((false, next));
                }
            }
        }
        all
    }
}

/// Published: the winner of hexapawn on three and four columns.
#[test]
fn games_of_pawns_have_the_values_of_a_brute_force() {
    for (width, height) in (1..=4).flat_map(|width| (2..=4).map(move |height| (width, height))) {
        let rules = Running { width, height, rows: 1, slants: false };
        let game = Hexapawn::of_parameters([width as u8, height as u8, 1]).unwrap();
        let (outcome, _) = ends_as(&game, &rules, rules.start());
        let published = match (width, height) {
            (3, 3 | 4) => Outcome::Loss,
            (4, 3 | 4) => Outcome::Win,
            _ => outcome,
        };
        assert_eq!(outcome, published, "{width}x{height}");
    }
    for (width, height) in [(1, 5), (2, 4), (3, 4), (2, 5), (2, 6)] {
        let rules = Running { width, height, rows: 2, slants: true };
        let game = Breakthrough::of_parameters([width as u8, height as u8, 1]).unwrap();
        ends_as(&game, &rules, rules.start());
    }
}

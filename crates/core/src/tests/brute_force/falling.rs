//! Connect Four by other rules on text.

use super::*;
use crate::game::Registered;

/// A board of stones that fall: rows from the bottom, then the turn.
#[derive(Clone, Copy)]
pub struct Falling {
    width: i32,
    height: i32,
    line: i32,
    cylinder: bool,
    misere: bool,
    pops: bool,
}

impl Falling {
    pub fn new((width, height): (u8, u8), line: u8) -> Self {
        let (width, height, line) = (width.into(), height.into(), line.into());
        Self { width, height, line, cylinder: false, misere: false, pops: false }
    }

    fn at(&self, p: &[u8], x: i32, y: i32) -> u8 {
        let x = if self.cylinder { x.rem_euclid(self.width) } else { x };
        let is_there = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if is_there { p[(y * self.width + x) as usize] } else { b' ' }
    }

    pub fn has_line(&self, p: &[u8], side: u8) -> bool {
        // A ring of the cylinder is a line only if it has as many cells.
        let fits = |dx: i32, dy: i32| dx == 0 || dy != 0 || self.line <= self.width;
        let cells = (0..self.width).flat_map(|x| (0..self.height).map(move |y| (x, y)));
        let mut runs =
            cells.flat_map(|from| [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|step| (from, step)));
        runs.any(|((x, y), (dx, dy))| {
            fits(dx, dy) && (0..self.line).all(|i| self.at(p, x + i * dx, y + i * dy) == side)
        })
    }

    fn start(&self) -> Text {
        let mut p = vec![b'.'; (self.width * self.height) as usize];
        p.push(b'X');
        p
    }
}

impl TextRules for Falling {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let own = p[p.len() - 1];
        let result = match (self.has_line(p, own), self.has_line(p, other_side(own))) {
            (_, true) => Outcome::Loss,
            (true, false) => Outcome::Win,
            (false, false) => return self.moves(p).is_empty().then_some(Outcome::Draw),
        };
        Some(if self.misere { -result } else { result })
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let (width, height) = (self.width as usize, self.height as usize);
        let own = p[width * height];
        let mut all = Vec::new();
        for x in 0..width {
            let mut column: Vec<u8> = (0..height).map(|y| p[y * width + x]).collect();
            let mut push = |column: &[u8]| {
                let mut next = p.to_vec();
                for y in 0..height {
                    next[y * width + x] = column[y];
                }
                next[width * height] = other_side(own);
                all.push((false, next));
            };
            if let Some(y) = column.iter().position(|&c| c == b'.') {
                column[y] = own;
                push(&column);
                column[y] = b'.';
            }
            if self.pops && column[0] == own {
                column.remove(0);
                column.push(b'.');
                push(&column);
            }
        }
        all
    }
}

#[test]
fn connect_four_by_other_rules_has_the_values_of_a_brute_force() {
    fn ends<R: Registered<Game: Symmetric<Key = Key> + Tiered>>(words: &str, rules: Falling) {
        ends_as(&chosen::<R>(words), &rules, rules.start());
    }
    for (size, line) in [((3, 3), 3), ((4, 3), 3), ((4, 3), 4), ((2, 5), 3), ((3, 4), 3)] {
        let words = format!("{}x{} line={line}", size.0, size.1);
        let round = Falling { cylinder: true, ..Falling::new(size, line) };
        ends::<CylinderFour>(&words, round);
        ends::<CylinderFour>(&format!("{words} misere"), Falling { misere: true, ..round });
        ends::<MisereFour>(&words, Falling { misere: true, ..Falling::new(size, line) });
    }
    for (size, line, words) in [
        ((3, 3), 3, ""),
        ((3, 3), 3, "misere"),
        ((3, 3), 3, "cylinder"),
        ((3, 3), 2, "misere cylinder"),
        ((4, 2), 3, ""),
        ((2, 4), 3, ""),
        ((2, 2), 4, ""),
    ] {
        let (cylinder, misere) = (words.contains("cylinder"), words.contains("misere"));
        let rules = Falling { cylinder, misere, pops: true, ..Falling::new(size, line) };
        let game = chosen::<PopOut>(&format!("{}x{} line={line} {words}", size.0, size.1));
        agree(&game, &retrograde(&game), &rules, rules.start());
    }
}

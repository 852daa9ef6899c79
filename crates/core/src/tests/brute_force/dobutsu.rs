//! Dōbutsu shōgi on text.

use super::*;

/// Dōbutsu shōgi for the side to move: rows from its own side, its animals as capitals, then the
/// animals in hand in order; the lesser of two mirror images.
struct Zoo;

impl Zoo {
    fn least(p: &[u8]) -> Text {
        let mut sorted = p.to_vec();
        sorted[12..].sort_unstable();
        let mirrored = sorted[..12].chunks(3).flat_map(|row| row.iter().rev()).chain(&sorted[12..]);
        let mirrored = mirrored.copied().collect();
        sorted.min(mirrored)
    }

    /// The board from the other side.
    fn turned(p: &[u8]) -> Text {
        let swap = |c: &u8| {
            if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
        };
        Self::least(&p[..12].iter().rev().chain(&p[12..]).map(swap).collect::<Text>())
    }

    /// The cells that an animal of the side to move reaches.
    fn reach(p: &[u8], from: usize) -> Vec<usize> {
        let steps: &[(i32, i32)] = match p[from] {
            b'L' => &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
            b'G' => &[(0, 1), (1, 0), (0, -1), (-1, 0)],
            b'E' => &[(1, 1), (1, -1), (-1, -1), (-1, 1)],
            b'C' => &[(0, 1)],
            b'H' => &[(0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)],
            _ => &[],
        };
        let (x, y) = (from as i32 % 3, from as i32 / 3);
        let there = steps.iter().map(|(dx, dy)| (x + dx, y + dy));
        let there = there.filter(|(x, y)| (0..3).contains(x) && (0..4).contains(y));
        there.map(|(x, y)| (y * 3 + x) as usize).filter(|&to| !p[to].is_ascii_uppercase()).collect()
    }

    fn takes_lion(p: &[u8]) -> bool {
        (0..12).any(|from| Self::reach(p, from).iter().any(|&to| p[to] == b'l'))
    }
}

impl TextRules for Zoo {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let is_taken = !p[..12].contains(&b'L');
        let has_arrived = p[..3].contains(&b'l') && !Self::takes_lion(p);
        (is_taken || has_arrived).then_some(Outcome::Loss)
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let mut all = Vec::new();
        for from in 0..12 {
            for to in Self::reach(p, from) {
                let mut next = p.to_vec();
                (next[from], next[to]) = (b'.', p[from]);
                match p[to] {
                    b'.' | b'l' => {}
                    b'h' => next.push(b'C'),
                    taken => next.push(taken.to_ascii_uppercase()),
                }
                if p[from] == b'C' && to >= 9 {
                    next[to] = b'H';
                }
                all.push((p[to] == b'l', next));
            }
        }
        for held in (12..p.len()).filter(|&held| p[held].is_ascii_uppercase()) {
            for to in (0..12).filter(|&to| p[to] == b'.') {
                let mut next = p.to_vec();
                next[to] = next.remove(held);
                all.push((false, next));
            }
        }
        if all.iter().any(|(takes, _)| *takes) {
            all.retain(|(takes, _)| *takes);
        }
        all.into_iter().map(|(_, next)| (false, Self::turned(&next))).collect()
    }
}

#[test]
fn dobutsu_has_the_values_of_a_brute_force() {
    for rows in
        [[".L.", "...", "...", ".l."], [".L.", ".C.", "...", ".l."], [".LG", "...", "...", ".l."]]
    {
        let game = Dobutsu::from_rows(rows);
        every_law(&game);
        let first = Zoo::least(rows.concat().as_bytes());
        assert_eq!(by_value(&game, &retrograde(&game), |_| 1), solved(&Zoo, first), "{rows:?}");
    }
}

#[test]
fn dobutsu_reaches_the_positions_of_a_brute_force() {
    let game = Dobutsu::default();
    let first = Zoo::least(b"ELG.C..c.gle");
    reaches(&game, |p| game.canonical(p).0, &Zoo, first, 7);
}

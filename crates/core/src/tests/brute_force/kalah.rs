//! Kalah on text.

use super::*;

/// Kalah: the first player's pits and store, the second player's, then the turn.
struct Sowing {
    pits: usize,
    rules: [bool; 2],
}

impl Sowing {
    fn start(&self, seeds: u8) -> Text {
        let side = [vec![seeds; self.pits], vec![0]].concat();
        [side.clone(), side, vec![0]].concat()
    }
}

impl TextRules for Sowing {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let (first, second) = p[..p.len() - 1].split_at(self.pits + 1);
        let turn = p[p.len() - 1];
        let (own, other) = if turn == 0 { (first, second) } else { (second, first) };
        let sum = |side: &[u8]| i64::from(side.iter().sum::<u8>());
        let has_none = |side: &[u8]| side[..self.pits].iter().all(|&seeds| seeds == 0);
        let is_over = has_none(own) || (self.rules[1] && has_none(other));
        Outcome::from_sign((sum(own) - sum(other)).signum()).filter(|_| is_over)
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let (ring, turn) = (2 * self.pits + 2, usize::from(p[p.len() - 1]));
        // The ring from the mover's first pit on, its store in the middle.
        let first = turn * (self.pits + 1);
        let mut all = Vec::new();
        for pit in (0..self.pits).filter(|pit| p[first + pit] > 0) {
            let mut holes: Vec<u8> = (0..ring).map(|i| p[(first + i) % ring]).collect();
            let (mut hand, mut at) = (std::mem::take(&mut holes[pit]), pit);
            while hand > 0 {
                at = (at + 1) % (ring - 1);
                holes[at] += 1;
                hand -= 1;
            }
            let opposite = (2 * self.pits).wrapping_sub(at);
            if at < self.pits && holes[at] == 1 && (self.rules[0] || holes[opposite] > 0) {
                holes[self.pits] += 1 + holes[opposite];
                (holes[at], holes[opposite]) = (0, 0);
            }
            let keeps = at == self.pits;
            let mut next: Text = (0..ring).map(|i| holes[(ring - first + i) % ring]).collect();
            next.push(if keeps { turn } else { 1 - turn } as u8);
            all.push((keeps, next));
        }
        all
    }
}

#[test]
fn kalah_has_the_values_of_a_brute_force() {
    for (pits, seeds) in [(1, 1), (1, 5), (2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (4, 1)] {
        for rules in [[false, false], [true, false], [false, true], [true, true]] {
            let game = Kalah::new(pits, seeds, rules).unwrap();
            let rules = Sowing { pits: pits.into(), rules };
            ends_as(&game, &rules, rules.start(seeds));
        }
    }
}

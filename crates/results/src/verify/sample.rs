//! A random sample.

use std::collections::BTreeMap;

use crate::database::PositionRow;
use everyply_core::games::line::{LineGame, Stones};
use everyply_core::random::Random;

/// Games that are played for every position of a sample: early plies have few different positions,
/// and few games are long.
const TRIES: u64 = 20;

/// A random sample of rows, whatever their number; the same rows for the same seed. A row of ply p
/// is drawn about (p + 1)² times as often as one of ply 0: the later a position, the quicker it is
/// solved.
#[derive(Clone, Debug)]
pub struct Sample {
    size: usize,
    random: Random,
    /// The weights of the rows offered.
    offered: u64,
    rows: Vec<PositionRow>,
}

impl Sample {
    pub const fn new(size: usize, seed: u64) -> Self {
        Self { size, random: Random::new(seed), offered: 0, rows: Vec::new() }
    }

    /// Offers a row to the sample (Chao's weighted form of Vitter's algorithm R).
    pub fn offer(&mut self, row: PositionRow) {
        let weight = (u64::from(row.ply.0) + 1).pow(2);
        self.offered += weight;
        if self.rows.len() < self.size {
            self.rows.push(row);
        } else if let Ok(place) = usize::try_from(self.random.below(self.offered) / weight)
            && place < self.size
        {
            self.rows[place] = row;
        }
    }

    /// The rows drawn, by ply and key.
    pub fn drawn(&self) -> Vec<PositionRow> {
        let mut rows = self.rows.clone();
        rows.sort_unstable_by_key(|row| (row.ply, row.key));
        rows
    }

    /// Positions that random games reach: the same number at every ply, as far as games are long
    /// enough and reach different positions; the same ones for the same seed. By ply and key.
    pub fn of_games<G: LineGame>(game: &G, size: usize, seed: u64) -> Vec<Stones> {
        let mut random = Random::new(seed);
        let plies = u64::from(game.size().cells()) + 1;
        let mut found = BTreeMap::new();
        for i in 0..TRIES * size as u64 {
            if found.len() == size {
                break;
            }
            let ply = i % plies;
            let mut position = game.initial();
            while u64::from(position.ply().0) < ply && game.result(position).is_none() {
                let moves = game.moves(position);
                let which = random.below(moves.into_iter().count() as u64) as usize;
                let chosen = moves.into_iter().nth(which).expect("a move that was counted");
                position = game.play(position, chosen);
            }
            if u64::from(position.ply().0) == ply && game.result(position).is_none() {
                found.insert((position.ply(), game.key(position)), position);
            }
        }
        found.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::game::{Key, Outcome, PartialValue, Ply};

    fn drawn(size: usize, plies: usize, seed: u64) -> Vec<PositionRow> {
        let mut sample = Sample::new(size, seed);
        for key in 0..1000 {
            let ply = Ply((key as usize * plies / 1000) as u8);
            let value = PartialValue::of_outcome(Outcome::Draw);
            sample.offer(PositionRow { key: Key(key), ply, value, best: None });
        }
        sample.drawn()
    }

    #[test]
    fn late_rows_are_drawn_more_often_than_early_ones() {
        let mut times = [0u32; 10];
        let rows = (0..2000).flat_map(|seed| drawn(20, 10, seed));
        rows.for_each(|row| times[row.ply.index()] += 1);
        // Weights 1, 4, 9, ..., 100 of 385 in all, of 40,000 drawn.
        for (ply, times) in times.into_iter().enumerate().skip(1) {
            let expected = (40_000 * (ply + 1).pow(2) / 385) as f64;
            assert!((0.75..1.25).contains(&(f64::from(times) / expected)), "{ply}: {times}");
        }
    }

    #[test]
    fn every_row_of_a_ply_is_as_likely_and_the_same_seed_draws_the_same() {
        assert_eq!(drawn(10, 1, 1), drawn(10, 1, 1));
        assert_ne!(drawn(10, 1, 1), drawn(10, 1, 2));
        let mut times = [0u32; 1000];
        let rows = (0..2000).flat_map(|seed| drawn(100, 1, seed));
        rows.for_each(|row| times[row.key.0 as usize] += 1);
        // 200 expected, standard deviation 13.4.
        assert!(times.iter().all(|&n| (120..280).contains(&n)), "{times:?}");
        assert_eq!(drawn(2000, 1, 1).len(), 1000);
    }
}

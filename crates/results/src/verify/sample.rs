//! A random sample.

use crate::database::PositionRow;
use crate::stored::{StoredError, StoredFile};
use everyply_core::control::Control;
use everyply_core::random::Random;
use everyply_registry::registry::{GameLength, Position, RandomGames};

/// A random sample of any number of rows; equal seeds draw equal rows. A row of ply p is drawn
/// about (p + 1)² times as often as one of ply 0: the later a position, the quicker it is solved.
#[derive(Clone, Debug)]
pub struct Sample {
    size: usize,
    seed: u64,
    random: Random,
    /// The sum of the weights of the rows offered.
    offered: u64,
    rows: Vec<PositionRow>,
}

impl Sample {
    pub const fn new(size: usize, seed: u64) -> Self {
        Self { size, seed, random: Random::new(seed), offered: 0, rows: Vec::new() }
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

    /// Returns the rows drawn, by ply and key.
    pub fn drawn(&self) -> Vec<PositionRow> {
        let mut rows = self.rows.clone();
        rows.sort_unstable_by_key(|row| (row.ply, row.key));
        rows
    }

    /// Returns rows of positions that random games reach, in a game that ends, given by its start,
    /// by ply and key. Tiers are equally likely, and equal seeds give equal rows.
    ///
    /// # Errors
    /// If the file cannot be read, or the control asks to stop.
    pub fn of_games(
        &self,
        file: &StoredFile,
        start: &dyn Position,
        control: &Control,
    ) -> Result<Vec<PositionRow>, StoredError> {
        let (mut games, mut reached) = (RandomGames::new(start, self.seed, true), Vec::new());
        let tiers: Vec<u8> = (0..start.plies_left().unwrap_or_default() as u8).collect();
        games.find(self.size, GameLength::Tiers(&tiers), control, &mut |position| {
            reached.push(position.boxed());
        })?;
        let row = |position: Box<dyn Position>| {
            let row = file.row(position.as_ref())?.zip(position.canonical());
            let (known, (key, _)) = row.expect("a position that a game leads to");
            Ok(PositionRow { key, ply: position.tier(), value: known.value, best: None })
        };
        let mut rows = reached.into_iter().map(row).collect::<Result<Vec<_>, StoredError>>()?;
        rows.sort_unstable_by_key(|row| (row.ply, row.key));
        Ok(rows)
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

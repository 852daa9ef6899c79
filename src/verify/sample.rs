//! A random sample, solved anew.

use std::collections::BTreeMap;

use super::rows::compare;
use super::{Disagreement, RecordedValue, name};
use crate::control::{Control, Stopped};
use crate::database::PositionRow;
use crate::game::{MoveSet, Outcome, PartialValue, Value};
use crate::games::line::{LineGame, Stones};
use crate::parallel;

/// Games that are played for every position of a sample: early plies have few different positions,
/// and few games are long.
const TRIES: u64 = 20;

/// A random sample of rows, uniform whatever their number; the same rows for the same seed.
#[derive(Clone, Debug)]
pub struct Sample {
    size: usize,
    state: u64,
    offered: u64,
    rows: Vec<PositionRow>,
}

impl Sample {
    /// A sample of `size` rows.
    #[must_use]
    pub const fn new(size: usize, seed: u64) -> Self {
        Self { size, state: seed, offered: 0, rows: Vec::new() }
    }

    /// Offers a row to the sample (Vitter's algorithm R).
    pub fn offer(&mut self, row: PositionRow) {
        self.offered += 1;
        if self.rows.len() < self.size {
            self.rows.push(row);
        } else if let Some(place) = usize::try_from(self.below(self.offered)).ok()
            && place < self.size
        {
            self.rows[place] = row;
        }
    }

    /// The rows drawn, by ply and key.
    #[must_use]
    pub fn drawn(&self) -> Vec<PositionRow> {
        let mut rows = self.rows.clone();
        rows.sort_unstable_by_key(|row| (row.ply, row.key));
        rows
    }

    /// Positions that random games reach: the same number at every ply, as far as games are long
    /// enough and reach different positions; the same ones for the same seed. By ply and key.
    #[must_use]
    pub fn of_games<G: LineGame>(game: &G, size: usize, seed: u64) -> Vec<Stones> {
        let mut random = Self::new(0, seed);
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

    /// A sample of `size` indices below `length`, ascending.
    #[must_use]
    pub fn indices(size: usize, seed: u64, length: usize) -> Vec<usize> {
        let mut random = Self::new(0, seed);
        let mut chosen: Vec<usize> = (0..length).collect();
        for i in 0..size.min(length) {
            let other = i + random.below((length - i) as u64) as usize;
            chosen.swap(i, other);
        }
        chosen.truncate(size);
        chosen.sort_unstable();
        chosen
    }

    /// A number below `n`, by SplitMix64 (Steele, Lea and Flood 2014).
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * u128::from(n)) >> 64) as u64
    }
}

/// Finds values from the rules alone.
pub trait Solve: Sync {
    /// The value of a position.
    ///
    /// # Errors
    /// If a stop is asked for.
    fn value(&self, position: Stones, control: &Control) -> Result<Value, Stopped>;

    /// The outcome of a position.
    ///
    /// # Errors
    /// If a stop is asked for.
    fn outcome(&self, position: Stones, control: &Control) -> Result<Outcome, Stopped>;

    /// All moves that attain its value; `None` if they are not searched.
    ///
    /// # Errors
    /// If a stop is asked for.
    fn best(
        &self,
        position: Stones,
        value: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped>;
}

/// Solves rows anew and reports those with another value. Counts work in rows.
///
/// # Errors
/// If a stop is asked for.
pub fn resolve<G: LineGame>(
    game: &G,
    rows: &[PositionRow],
    solver: &impl Solve,
    control: &Control,
) -> Result<Vec<Disagreement>, Stopped> {
    let check = |row: &PositionRow| {
        let position = game.position_of(row.key).expect("checked before");
        let solved = find(solver, position, row.value, control)?;
        let mut found = Vec::new();
        found.extend(compare(game, position, row, solved, "sample", "the solver"));
        let value = solved.on_board(game.plies_left(position));
        if let (Some(best), Some(value), [], None) =
            (row.best, value, &found[..], game.result(position))
            && let Some(attaining) = solver.best(position, value, control)?
            && attaining != best
        {
            let words = |moves: MoveSet| {
                moves.into_iter().map(|m| m.number().to_string()).collect::<Vec<_>>().join(" ")
            };
            found.push(Disagreement {
                check: "sample",
                subject: name(game, position),
                stored: format!("best moves {}", words(best)),
                other: format!("the solver says {}", words(attaining)),
            });
        }
        control.advance(1);
        Ok(found)
    };
    let found = parallel::map(rows.len(), &|i| check(&rows[i]));
    let found: Result<Vec<Vec<Disagreement>>, Stopped> = found.into_iter().collect();
    Ok(found?.into_iter().flatten().collect())
}

/// Solves positions of another file and reports those with another value there. Counts work in
/// positions.
///
/// # Errors
/// If a stop is asked for.
pub fn resolve_records<G: LineGame>(
    game: &G,
    records: &[RecordedValue],
    file: &str,
    solver: &impl Solve,
    control: &Control,
) -> Result<Vec<Disagreement>, Stopped> {
    let check = |record: &RecordedValue| {
        let position = game.position_of(record.key).expect("read from a position");
        let solved = find(solver, position, record.value, control)?;
        control.advance(1);
        Ok((!solved.agrees(record.value)).then(|| Disagreement {
            check: "against",
            subject: name(game, position),
            stored: format!("nothing, solved as {solved}"),
            other: format!("{file}, {} says {}", record.place, record.value),
        }))
    };
    let found = parallel::map(records.len(), &|i| check(&records[i]));
    let found: Result<Vec<Option<Disagreement>>, Stopped> = found.into_iter().collect();
    Ok(found?.into_iter().flatten().collect())
}

/// Solves a position anew: with its distance if the value to compare has one.
fn find(
    solver: &impl Solve,
    position: Stones,
    told: PartialValue,
    control: &Control,
) -> Result<PartialValue, Stopped> {
    if told.is_exact() {
        solver.value(position, control).map(PartialValue::from)
    } else {
        solver.outcome(position, control).map(PartialValue::of_outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Key, Ply};

    #[test]
    fn every_row_is_as_likely_and_the_same_seed_draws_the_same() {
        let row = |key| PositionRow {
            key: Key(key),
            ply: Ply(0),
            value: PartialValue::of_outcome(Outcome::Draw),
            best: None,
        };
        let drawn = |seed| {
            let mut sample = Sample::new(10, seed);
            (0..100).for_each(|key| sample.offer(row(key)));
            sample.drawn().iter().map(|row| row.key.0 as usize).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let mut times = [0u32; 100];
        (0..2000).flat_map(drawn).for_each(|key| times[key] += 1);
        // 200 expected, standard deviation 13.4.
        assert!(times.iter().all(|&n| (120..280).contains(&n)), "{times:?}");
        let mut few = Sample::new(10, 1);
        (0..3).for_each(|key| few.offer(row(key)));
        assert_eq!(few.drawn().len(), 3);

        let mut times = [0u32; 100];
        for seed in 0..2000 {
            let chosen = Sample::indices(10, seed, 100);
            assert!(chosen.len() == 10 && chosen.is_sorted_by(|a, b| a < b));
            chosen.into_iter().for_each(|index| times[index] += 1);
        }
        assert!(times.iter().all(|&n| (120..280).contains(&n)), "{times:?}");
        assert_eq!(Sample::indices(5, 1, 3), [0, 1, 2]);
    }
}

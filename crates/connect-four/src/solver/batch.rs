//! The values of many positions.

use std::ops::ControlFlow;

use super::{Solved, Solver, SolverWord};
use crate::control::{Control, Stopped};
use crate::games::line::Stones;
use crate::search::in_order::each_in_order;

/// The least number of positions for each thread at which every position is solved by one thread.
/// Fewer positions are solved one after the other by all threads.
pub const MIN_POSITIONS_PER_THREAD: usize = 4;

impl<W: SolverWord> Solver<W> {
    /// Solves many positions exactly, and calls `consume` with their values in the order of the
    /// positions, as early as that order allows.
    pub fn values(
        &self,
        positions: &[Stones<W>],
        threads: usize,
        control: &Control,
        mut consume: impl FnMut(Solved),
    ) -> Result<(), Stopped> {
        if positions.len() < MIN_POSITIONS_PER_THREAD * threads {
            for &position in positions {
                consume(self.value(position, control)?);
            }
            return Ok(());
        }
        // Neighbours in a sorted list share much of their trees: each worker takes one position
        // at a time, so that all of them use the same entries of the table.
        let mut positions = positions.iter();
        let next = || positions.next().copied();
        let work = |position, inner: &Control| self.value(position, inner);
        control.start(0);
        each_in_order(threads, control, next, work, |solved| {
            solved.into_iter().for_each(&mut consume);
            ControlFlow::Continue(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::{Size, Standard, notation::parse_moves};

    #[test]
    fn values_come_in_the_order_of_the_positions() {
        let solver = Solver::new(Size::new(7, 6, 4).unwrap(), 1).unwrap();
        let texts = ["44455554221", "444444", "2252576253462244111563365343671351441", "", "4453"];
        let read = |text: &&str| parse_moves(&Standard::fixed(), text).unwrap();
        let positions: Vec<Stones> = texts.iter().map(read).collect();
        let control = Control::default();
        let one = |position| solver.value(position, &control).unwrap().value;
        let expected: Vec<_> = positions.iter().map(|&position| one(position)).collect();
        // One thread alone with each, and all with one after the other.
        for threads in [1, 2] {
            let mut values = Vec::new();
            solver.values(&positions, threads, &control, |s| values.push(s.value)).unwrap();
            assert_eq!(values, expected, "{threads} threads");
        }
        control.stop();
        assert_eq!(solver.values(&positions, 1, &control, |_| ()), Err(Stopped));
    }
}

//! Exact counts of positions by tier, if they take little memory.

use super::position::Position;
use everyply_connect_four::profiles::{self, Board, Extent, Memory, PassError};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::SolveError;
use everyply_core::game::Ply;
use everyply_core::games::line::{Rules, Size};
use everyply_core::statistics::PlyCounts;

/// Bytes that counting may take.
const ROOM: f64 = (1u64 << 30) as f64;

/// The most positions that are solved to be counted.
const MOST_SOLVED: u64 = 1 << 20;

impl dyn Position + '_ {
    /// Counts the positions of every tier from the start of the game up to `last`, or up to the
    /// last tier that takes little memory; empty if that is too much work.
    ///
    /// # Errors
    /// If the control asks to stop.
    pub fn count_tiers(&self, last: Ply, control: &Control) -> Result<Vec<PlyCounts>, Stopped> {
        match self.lines() {
            Some(lines) => of_board(lines, self.start().as_ref(), last, control),
            None => of_solution(self.start().as_ref(), last, control),
        }
    }
}

/// Counts the positions of a board of stones and lines up to a ply, with 0 at unreached plies.
fn of_board(
    (rules, size): (Rules, Size),
    start: &dyn Position,
    last: Ply,
    control: &Control,
) -> Result<Vec<PlyCounts>, Stopped> {
    if rules.stones_fall()
        && let Ok(board) = Board::new(size)
    {
        let fits = |plies: &u8| (board.estimate(usize::from(*plies)).count as f64) < ROOM / 16.0;
        let Some(plies) = (0..=last.0).rev().find(fits) else { return Ok(Vec::new()) };
        return match profiles::count(&board, Extent::Plies(plies), &Memory::new(), control) {
            Ok(counts) => Ok(with_empty_plies(counts.plies, Ply(plies))),
            Err(PassError::Stopped(stopped)) => Err(stopped),
            // Counts are one check of several.
            Err(_) => Ok(Vec::new()),
        };
    }
    let estimate = |plies: u8| start.count_estimate(plies.into());
    let fits = |plies: &u8| estimate(*plies).is_some_and(|estimate| estimate.bytes < ROOM);
    let Some(plies) = (0..=last.0).rev().find(fits) else { return Ok(Vec::new()) };
    match start.count(u32::from(plies), u64::MAX, control) {
        Ok(counts) => Ok(with_empty_plies(counts.counts, Ply(plies))),
        Err(SolveError::Stopped(stopped)) => Err(stopped),
        Err(_) => Ok(Vec::new()),
    }
}

/// Counts the positions after a start by solving them, if they are few.
fn of_solution(
    start: &dyn Position,
    last: Ply,
    control: &Control,
) -> Result<Vec<PlyCounts>, Stopped> {
    let solved = match start.solve(MOST_SOLVED, control) {
        Ok(solved) => solved,
        Err(SolveError::Stopped(stopped)) => return Err(stopped),
        Err(_) => return Ok(Vec::new()),
    };
    let mut counts = with_empty_plies(Vec::new(), last);
    let mut moves = Vec::new();
    start.rows(&solved, &mut |rows| {
        for row in rows {
            let Some(counts) = counts.get_mut(row.ply.index()) else { continue };
            let Some(at) = start.look_at_key(row.key, &mut moves) else { continue };
            let add = |count: &mut Option<u64>, n| *count = count.map(|count| count + n);
            add(&mut counts.canonical, 1);
            add(&mut counts.positions, at.images);
            add(&mut counts.terminal, if at.state.result.is_some() { at.images } else { 0 });
        }
    });
    Ok(counts)
}

/// Pads counts with zeros up to a ply that no game reaches.
fn with_empty_plies(mut counts: Vec<PlyCounts>, last: Ply) -> Vec<PlyCounts> {
    let none = Some(0);
    let plies = counts.len() as u8;
    counts.extend((plies..=last.0).map(|ply| PlyCounts {
        ply: Ply(ply),
        positions: none,
        canonical: none,
        terminal: none,
        ..PlyCounts::default()
    }));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions::tests::games;
    use everyply_core::game::Chosen;

    #[test]
    fn plies_that_no_game_reaches_have_no_positions() {
        let none_at = |counts: Vec<PlyCounts>, ply: u8| {
            assert!(counts.iter().map(|counts| counts.ply.0).eq(0..=ply));
            assert_eq!(counts[usize::from(ply)].canonical, Some(0));
        };
        let control = Control::default();
        for (name, size, last) in [("connect4", (5, 4), 20), ("ttt", (3, 3), 9)] {
            let numbers = vec![("line".to_owned(), 2)];
            let chosen = Chosen { size: Some(size), numbers, ..Chosen::default() };
            let start = games().find(name).unwrap().choose(&chosen).unwrap();
            none_at(start.count_tiers(Ply(last), &control).unwrap(), last);
        }
    }

    #[test]
    fn a_solution_counts_what_a_walk_over_the_plies_counts() {
        for (name, size) in [("ttt", None), ("dots", Some((2, 2)))] {
            let chosen = Chosen { size, ..Chosen::default() };
            let start = games().find(name).unwrap().choose(&chosen).unwrap();
            let control = Control::default();
            let plies = start.count(u32::MAX, u64::MAX, &control).unwrap().counts;
            let last = Ply(plies.len() as u8 - 1);
            let counted = of_solution(start.as_ref(), last, &control).unwrap();
            assert_eq!(counted.len(), plies.len());
            for (a, b) in counted.iter().zip(&plies) {
                assert_eq!(a.canonical, b.canonical, "{name}, ply {}", a.ply);
                assert_eq!(a.positions, b.positions, "{name}, ply {}", a.ply);
                assert_eq!(a.terminal, b.terminal, "{name}, ply {}", a.ply);
            }
        }
    }
}

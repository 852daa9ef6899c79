//! Counting.
use rayon::prelude::*;

use super::board::{Board, Geometry, Profile};
use super::forward::{Reached, forward};
use super::lane::Lane;
use super::tier::Tier;
use crate::control::{Control, Stopped};
use crate::game::Ply;
use crate::statistics::PlyCounts;

/// Counts.
///
/// # Errors
/// If stopped.
pub fn count(board: &Board, control: &Control) -> Result<Vec<PlyCounts>, Stopped> {
    let mut tier = Tier::first(board);
    let mut bits = vec![Lane::ZERO; tier.lanes()];
    bits[0].0[0] = 1;
    let mut spare: Vec<Lane> = Vec::new();
    let mut counts = vec![PlyCounts { positions: Some(1), terminal: Some(0), ..PlyCounts::default() }];
    while tier.ply < board.cells() {
        let next = tier.next(board);
        spare.resize(next.lanes(), Lane::ZERO);
        let mut rest = &mut spare[..];
        let mut jobs = Vec::new();
        for (i, &profile) in next.profiles.iter().enumerate() {
            let (out, more) = rest.split_at_mut(next.starts[i + 1] - next.starts[i]);
            rest = more;
            jobs.push((profile, out));
        }
        let reached = jobs
            .into_par_iter()
            .map(|(profile, out)| {
                let geometry = Geometry::new(board, profile);
                let before =
                    |column: usize| tier.slice(&bits, 1, Profile(profile.0 - board.powers[column]));
                forward(board, geometry, before, control, out)
            })
            .reduce(Reached::default, |mut a, b| {
                a.add(b);
                a
            });
        control.check()?;
        std::mem::swap(&mut bits, &mut spare);
        tier = next;
        counts.push(PlyCounts {
            ply: Ply(tier.ply as u8),
            positions: Some(reached.positions),
            terminal: Some(reached.positions - reached.without_line),
            ..PlyCounts::default()
        });
    }
    Ok(counts)
}

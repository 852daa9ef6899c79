//! Counting.
use rayon::prelude::*;

use super::backward::{Histogram, backward};
use super::board::{Board, Geometry, Profile};
use super::code::Codes;
use super::forward::{Reached, forward};
use super::lane::Lane;
use super::tier::Tier;
use crate::control::{Control, Stopped};
use crate::game::Ply;
use crate::statistics::PlyCounts;

fn zeroed(lanes: usize) -> Box<[Lane]> {
    bytemuck::zeroed_slice_box(lanes)
}

fn jobs<'a>(tier: &Tier, planes: usize, mut rest: &'a mut [Lane]) -> Vec<(usize, &'a mut [Lane])> {
    let mut jobs = Vec::new();
    for i in 0..tier.profiles.len() {
        let (out, more) = rest.split_at_mut((tier.starts[i + 1] - tier.starts[i]) * planes);
        rest = more;
        jobs.push((i, out));
    }
    jobs
}

/// Counts.
///
/// # Errors
/// If stopped.
pub fn count(board: &Board, values: bool, control: &Control) -> Result<Vec<PlyCounts>, Stopped> {
    let mut tiers = vec![Tier::first(board)];
    let mut bits = vec![zeroed(tiers[0].lanes())];
    bits[0][0].0[0] = 1;
    let mut counts = vec![PlyCounts { positions: Some(1), terminal: Some(0), ..PlyCounts::default() }];
    for ply in 1..=board.cells() {
        let tier = &tiers[ply - 1];
        let before = &bits[ply - 1];
        let next = tier.next(board);
        let mut array = zeroed(next.lanes());
        let reached = jobs(&next, 1, &mut array)
            .into_par_iter()
            .map(|(i, out)| {
                let profile = next.profiles[i];
                let geometry = Geometry::new(board, profile);
                let before =
                    |column: usize| tier.slice(before, 1, Profile(profile.0 - board.powers[column]));
                forward(board, geometry, before, control, out)
            })
            .reduce(Reached::default, |mut a, b| {
                a.add(b);
                a
            });
        control.check()?;
        if !values {
            bits[ply - 1] = zeroed(0);
        }
        bits.push(array);
        tiers.push(next);
        counts.push(PlyCounts {
            ply: Ply(ply as u8),
            positions: Some(reached.positions),
            terminal: Some(reached.positions - reached.without_line),
            ..PlyCounts::default()
        });
    }
    if values {
        let codes = Codes::new(board);
        let planes = codes.planes();
        let mut after = zeroed(0);
        for ply in (0..=board.cells()).rev() {
            let tier = &tiers[ply];
            let mut array = zeroed(tier.lanes() * planes);
            let histogram = jobs(tier, planes, &mut array)
                .into_par_iter()
                .map(|(i, out)| {
                    let profile = tier.profiles[i];
                    let geometry = Geometry::new(board, profile);
                    let alive = tier.slice(&bits[ply], 1, profile);
                    let source = |column: usize| {
                        tiers[ply + 1].slice(&after, planes, Profile(profile.0 + board.powers[column]))
                    };
                    backward(board, geometry, codes, source, alive, control, out)
                })
                .reduce(Histogram::default, |mut a, b| {
                    a.add(&b);
                    a
                });
            control.check()?;
            after = array;
            bits[ply] = zeroed(0);
            let c = &mut counts[ply];
            let (mut w, mut d, mut l) = (0, 0, c.terminal.unwrap());
            for code in 0..1usize << planes {
                let n = histogram.0[code];
                match codes.value(Ply(ply as u8), code as u8).outcome {
                    crate::game::Outcome::Win => w += n,
                    crate::game::Outcome::Draw => d += n,
                    crate::game::Outcome::Loss => l += n,
                }
            }
            c.wins = Some(w);
            c.draws = Some(d);
            c.losses = Some(l);
            if ply == 0 {
                let code = histogram.0.iter().position(|&n| n == 1).unwrap();
                #[allow(clippy::print_stdout)]
                {println!("{}", codes.value(Ply(0), code as u8));}
            }
        }
    }
    Ok(counts)
}

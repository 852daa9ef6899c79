//! The backward pass: the value of every position, from the values one ply later.

use super::board::{Board, Geometry};
use super::code::{Codes, MAX_PLANES};
use super::lane::{Lane, Machine, gather, on_processor};
use super::mirror::View;
use super::storage::StorageError;
use super::traversal::{Block, Source, Sources, Traversal, Visitor};
use crate::control::Control;

/// Non-terminal positions, and drawn ones on the full board, by code.
#[derive(Clone, Debug)]
pub(super) struct Histogram(pub(super) [u64; 1 << MAX_PLANES]);

impl Default for Histogram {
    fn default() -> Self {
        Self([0; 1 << MAX_PLANES])
    }
}

impl Histogram {
    /// Adds what was found in one of `alike` equal profiles.
    pub(super) fn add(&mut self, other: &Self, alike: u64) {
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += alike * count;
        }
    }
}

/// Computes the codes of all colourings of a profile.
///
/// `after` finds the codes of the profile with one stone more in a column; `non_terminal` holds the
/// positions of this profile to count. Codes of colourings that are no reachable positions are
/// meaningless, and nothing that is meant depends on them: what a reachable position leads to is
/// reachable.
pub(super) fn backward<'t>(
    board: &Board,
    geometry: Geometry,
    codes: Codes,
    after: impl Fn(usize) -> Result<View<'t>, StorageError>,
    non_terminal: &[Lane],
    control: &Control,
    out: &mut [Lane],
) -> Result<Histogram, StorageError> {
    let traversal = Traversal::new(board, geometry, Sources::After);
    let views = traversal.views(after)?;
    let arrays: Vec<&[Lane]> = views.iter().map(|view| &**view).collect();
    macro_rules! run {
        ($($planes:literal)*) => {
            match codes.planes() {
                $($planes => {
                    let pass = Backward::<$planes> { traversal: &traversal, arrays, codes, non_terminal };
                    traversal.run(&pass, control, out).histogram
                })*
                planes => unreachable!("codes of {planes} bits"),
            }
        };
    }
    let histogram = run!(2 3 4 5 6 7);
    View::give_back(views, board);
    Ok(histogram)
}

struct Backward<'a, const P: usize> {
    traversal: &'a Traversal<'a>,
    arrays: Vec<&'a [Lane]>,
    codes: Codes,
    non_terminal: &'a [Lane],
}

#[derive(Default)]
struct Tally {
    histogram: Histogram,
    /// Blocks of sources after bits were taken out, one behind the other.
    gathered: Vec<Lane>,
}

impl<const P: usize> Visitor for Backward<'_, P> {
    type Tally = Tally;
    const PLANES: usize = P;

    fn block(&self, block: &Block<'_>, tally: &mut Tally, out: &mut [Lane]) {
        on_processor!(
            self.traversal.board.processor,
            evaluate::<P>,
            (
                this: &Backward<'_, P> = self,
                b: &Block<'_> = block,
                t: &mut Tally = tally,
                o: &mut [Lane] = out
            ) -> ()
        );
    }

    fn merge(into: &mut Tally, from: Tally) {
        into.histogram.add(&from.histogram, 1);
    }
}

/// The lesser of two numbers at each bit place, over planes from the lowest digit up.
#[inline(always)]
fn min<const P: usize>(a: &mut [Lane; P], b: &[Lane; P]) {
    // less = a < b, decided by the highest digit that differs.
    let mut less = Lane::ZERO;
    for p in 0..P {
        let (x, y) = (a[p], b[p]);
        less = (!x & y) | (!(x ^ y) & less);
    }
    for p in 0..P {
        a[p] = (less & a[p]) | (!less & b[p]);
    }
}

/// The kernel: complement of the least source, except where the game has ended.
#[inline(always)]
fn evaluate<M: Machine, const P: usize>(
    this: &Backward<'_, P>,
    block: &Block<'_>,
    tally: &mut Tally,
    out: &mut [Lane],
) {
    let Traversal { board, geometry, sources, lines, last, .. } = this.traversal;
    let (length, size, ply) = (geometry.block, out.len() / P, geometry.n);
    let lost = this.codes.loss(ply);
    let (out, _) = out.as_chunks_mut::<P>();
    if block.ended {
        out.fill(constant(lost));
        return;
    }
    if sources.is_empty() {
        out.fill(constant(this.codes.draw(ply)));
    }
    let gathered = sources.iter().filter(|s| s.low).count() * size * P;
    if tally.gathered.len() < gathered {
        tally.gathered.resize(gathered, Lane::ZERO);
    }
    let mut at = 0;
    let mover = last.other();
    for (i, &Source { bit, low, .. }) in sources.iter().enumerate().filter(|(_, s)| s.low) {
        debug_assert!(low);
        let ones = block.ones + mover.ones();
        let longer = board.sizes.lanes(length + 1, length + 1, ones);
        let mask = board.patterns.get(length + 1, ones, longer, bit, mover);
        let source = &this.arrays[i][block.offsets[i] * P..][..longer * P];
        for plane in 0..P {
            gather::<M>(&mut tally.gathered[at..at + size * P], source, mask, plane, P);
        }
        at += size * P;
    }
    let mut at = 0;
    for (i, &Source { low, .. }) in sources.iter().enumerate() {
        let source = if low {
            at += size * P;
            &tally.gathered[at - size * P..at]
        } else {
            &this.arrays[i][block.offsets[i] * P..][..size * P]
        };
        let (source, _) = source.as_chunks::<P>();
        if i == 0 {
            out.copy_from_slice(source);
        } else {
            for (lane, out) in out.iter_mut().enumerate() {
                min(out, &source[lane]);
            }
        }
    }
    let non_terminal = &this.non_terminal[block.at..][..size];
    let counts = &mut tally.histogram.0;
    let invert = if sources.is_empty() { Lane::ZERO } else { Lane::ONES };
    let loss = constant::<P>(lost);
    for (i, out) in out.iter_mut().enumerate() {
        let non_terminal = non_terminal[i];
        let mut ended = Lane::ZERO;
        let mut active = block.lines;
        while active != 0 {
            let line = &lines[active.trailing_zeros() as usize];
            active &= active - 1;
            ended = ended
                | line.low_bits.iter().fold(Lane::ONES, |ended, &bit| {
                    ended & board.patterns.get(length, block.ones, size, bit.into(), *last)[i]
                });
        }
        for p in 0..P {
            out[p] = ((out[p] ^ invert) & !ended) | (loss[p] & ended);
        }
        if non_terminal != Lane::ZERO {
            tabulate(out, non_terminal, counts);
        }
    }
}

/// A number at every bit place.
#[inline(always)]
fn constant<const P: usize>(number: u8) -> [Lane; P] {
    std::array::from_fn(|p| if number >> p & 1 == 1 { Lane::ONES } else { Lane::ZERO })
}

/// Adds up how often each number occurs where `non_terminal` has ones.
#[inline(always)]
fn tabulate<const P: usize>(
    planes: &[Lane; P],
    non_terminal: Lane,
    counts: &mut [u64; 1 << MAX_PLANES],
) {
    // The upper digits select `non_terminal`, the lower ones are looked at under each choice.
    let (lower_planes, upper_planes) = planes.split_at(P / 2);
    for upper in 0..1usize << upper_planes.len() {
        let selected = choose(upper_planes, non_terminal, upper);
        if selected == Lane::ZERO {
            continue;
        }
        for lower in 0..1usize << lower_planes.len() {
            let number = upper << lower_planes.len() | lower;
            counts[number] += choose(lower_planes, selected, lower).count_ones();
        }
    }
}

/// The bit places of `among` at which the planes hold a number.
#[inline(always)]
fn choose(planes: &[Lane], among: Lane, number: usize) -> Lane {
    planes.iter().enumerate().fold(among, |chosen, (p, &plane)| {
        chosen & if number >> p & 1 == 1 { plane } else { !plane }
    })
}

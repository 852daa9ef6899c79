//! The backward pass: the value of every position, from the values one ply later.

use super::board::Profile;
use super::code::{Codes, MAX_PLANES};
use super::lane::{Lane, Machine, gather, on_processor};
use super::mirror::View;
use super::piece::Neighbour;
use super::traversal::{Block, Traversal, Visitor};
use everyply_core::control::Control;

/// The numbers of non-terminal positions, and drawn full boards, by code.
#[derive(Clone, Debug)]
pub(super) struct Histogram(pub(super) [u64; 1 << MAX_PLANES]);

impl Default for Histogram {
    fn default() -> Self {
        Self([0; 1 << MAX_PLANES])
    }
}

impl Histogram {
    /// Adds the counts of one of `alike` equal pieces for all of them.
    pub(super) fn add(&mut self, other: &Self, alike: u64) {
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += alike * count;
        }
    }
}

/// A code and its first occurrence: profile and colouring.
pub(super) type Example = (u8, Profile, u64);

/// The counts of a unit by the backward pass, without positions that have a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    pub(super) histogram: Histogram,
    pub(super) slowest: [Option<Example>; 2],
}

impl Evaluation {
    pub(super) fn add(&mut self, codes: Codes, other: &Self) {
        self.histogram.add(&other.histogram, 1);
        for (best, new) in self.slowest.iter_mut().zip(other.slowest) {
            let slower = |a: Example, b: Example| codes.is_slower(a.0, b.0);
            if new.is_some_and(|new| best.is_none_or(|best| slower(new, best))) {
                *best = new;
            }
        }
    }

    pub(super) fn to_summary(&self) -> Vec<u64> {
        let mut summary = self.histogram.0.to_vec();
        for example in self.slowest {
            let (code, profile, bits) =
                example.map_or((u64::MAX, 0, 0), |(c, p, b)| (u64::from(c), p.0, b));
            summary.extend([code, profile, bits]);
        }
        summary
    }

    pub(super) fn from_summary(summary: &[u64]) -> Option<Self> {
        let (counts, examples) = summary.split_first_chunk()?;
        let &[win, p, b, loss, q, c] = examples else { return None };
        let example = |code, profile, bits| {
            (code != u64::MAX).then_some((code as u8, Profile(profile), bits))
        };
        Some(Self {
            histogram: Histogram(*counts),
            slowest: [example(win, p, b), example(loss, q, c)],
        })
    }
}

/// Computes the codes of all colourings of a piece.
///
/// `after` holds the codes of the profiles with one stone more; `non_terminal` the positions of
/// this piece whose values are computed. All other colourings get the code of a loss at this ply:
/// colourings with a finished line have that value, and no position depends on unreachable
/// colourings, since every child of a reachable position is reachable. So a finished line needs no
/// test of its own, and unreachable colourings compress to almost nothing.
pub(super) fn backward(
    traversal: &Traversal<'_>,
    codes: Codes,
    after: &[View<'_>],
    non_terminal: &[Lane],
    control: &Control,
    out: &mut [Lane],
) -> Histogram {
    let arrays: Vec<&[Lane]> = after.iter().map(|view| &**view).collect();
    macro_rules! run {
        ($($planes:literal)*) => {
            match codes.planes() {
                $($planes => {
                    let pass = Backward::<$planes> { traversal, arrays, codes, non_terminal };
                    traversal.run(&pass, control, out).histogram
                })*
                planes => unreachable!("codes of {planes} bits"),
            }
        };
    }
    run!(2 3 4 5 6 7)
}

struct Backward<'a, const P: usize> {
    traversal: &'a Traversal<'a>,
    arrays: Vec<&'a [Lane]>,
    codes: Codes,
    non_terminal: &'a [Lane],
}

#[derive(Default)]
struct BackwardFindings {
    histogram: Histogram,
    /// Blocks of sources with bits taken out, one after the other.
    gathered: Vec<Lane>,
}

impl<const P: usize> Visitor for Backward<'_, P> {
    type Findings = BackwardFindings;
    const PLANES: usize = P;

    fn block(&self, block: &Block<'_>, findings: &mut BackwardFindings, out: &mut [Lane]) {
        on_processor!(
            self.traversal.board.processor,
            evaluate::<P>,
            (
                this: &Backward<'_, P> = self,
                b: &Block<'_> = block,
                t: &mut BackwardFindings = findings,
                o: &mut [Lane] = out
            ) -> ()
        );
    }

    fn merge(into: &mut BackwardFindings, from: BackwardFindings) {
        into.histogram.add(&from.histogram, 1);
    }
}

/// Sets `a` to the lesser of two numbers at each bit place, over planes from the lowest digit up.
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

/// Computes a block, the kernel of the pass: the complement of the least source at the positions, a
/// loss everywhere else.
#[inline(always)]
fn evaluate<M: Machine, const P: usize>(
    this: &Backward<'_, P>,
    block: &Block<'_>,
    findings: &mut BackwardFindings,
    out: &mut [Lane],
) {
    let Traversal { board, geometry, sources, last, .. } = this.traversal;
    let (length, size, ply) = (geometry.block, out.len() / P, geometry.n);
    let lost = constant::<P>(this.codes.loss(ply));
    let non_terminal = &this.non_terminal[block.at..][..size];
    let (out, _) = out.as_chunks_mut::<P>();
    if non_terminal.iter().all(|&lane| lane == Lane::ZERO) {
        out.fill(lost);
        return;
    }
    if sources.is_empty() {
        out.fill(constant(this.codes.draw(ply)));
    }
    let gathered = sources.iter().filter(|s| s.low).count() * size * P;
    if findings.gathered.len() < gathered {
        findings.gathered.resize(gathered, Lane::ZERO);
    }
    let mut at = 0;
    let mover = last.other();
    for (i, &Neighbour { bit, low, .. }) in sources.iter().enumerate().filter(|(_, s)| s.low) {
        debug_assert!(low);
        let ones = block.ones + mover.ones();
        let longer = board.sizes.lanes(length + 1, length + 1, ones);
        let mask = board.patterns.get(length + 1, ones, longer, bit, mover);
        let source = &this.arrays[i][block.offsets[i] * P..][..longer * P];
        for plane in 0..P {
            gather::<M>(&mut findings.gathered[at..at + size * P], source, mask, plane, P);
        }
        at += size * P;
    }
    let mut at = 0;
    for (i, &Neighbour { low, .. }) in sources.iter().enumerate() {
        let source = if low {
            at += size * P;
            &findings.gathered[at - size * P..at]
        } else {
            &this.arrays[i][block.offsets[i] * P..][..size * P]
        };
        let (source, _) = source.as_chunks::<P>();
        if i == 0 {
            out.copy_from_slice(source);
        } else {
            for (lane, out) in out.iter_mut().enumerate() {
                if non_terminal[lane] != Lane::ZERO {
                    min(out, &source[lane]);
                }
            }
        }
    }
    let counts = &mut findings.histogram.0;
    let invert = if sources.is_empty() { Lane::ZERO } else { Lane::ONES };
    for (out, &non_terminal) in out.iter_mut().zip(non_terminal) {
        if non_terminal == Lane::ZERO {
            *out = lost;
            continue;
        }
        for p in 0..P {
            out[p] = ((out[p] ^ invert) & non_terminal) | (lost[p] & !non_terminal);
        }
        tabulate(out, non_terminal, counts);
    }
}

/// Returns planes that hold this number at every bit place.
#[inline(always)]
fn constant<const P: usize>(number: u8) -> [Lane; P] {
    let mut planes = [Lane::ZERO; P];
    for (p, plane) in planes.iter_mut().enumerate() {
        if number >> p & 1 == 1 {
            *plane = Lane::ONES;
        }
    }
    planes
}

/// Counts how often each number occurs at the ones of `non_terminal`.
#[inline(always)]
fn tabulate<const P: usize>(
    planes: &[Lane; P],
    non_terminal: Lane,
    counts: &mut [u64; 1 << MAX_PLANES],
) {
    // The upper digits select places of `non_terminal`; the lower digits are counted in each
    // selection.
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

/// Returns the bit places of `among` at which the planes hold a number.
#[inline(always)]
fn choose(planes: &[Lane], among: Lane, number: usize) -> Lane {
    planes.iter().enumerate().fold(among, |chosen, (p, &plane)| {
        chosen & if number >> p & 1 == 1 { plane } else { !plane }
    })
}

//! The traversal of a piece of a profile down to its blocks, in step with the profiles it depends
//! on.
//!
//! The passes compute every block of a profile from one block of each neighbouring profile (its
//! *sources*): for each column, the profile with one stone less or more there. While the index bits
//! of the profile are decided from the highest down, the traversal updates the place in each source:
//! deciding a bit as 1 skips the source's range that begins with 0. The effect of each bit on the
//! sources is computed once per profile:
//!
//! ```text
//! one stone less, bit p:  above p the source has the same bits, one place lower; bit p itself
//!                         must have the colour of the last mover, or the source is excluded;
//!                         below p both have the same bits
//! one stone more, bit p:  above p the source has the same bits, one place higher; before bit
//!                         p - 1 is decided the source decides its bit p by itself, to the colour
//!                         of the side to move; below both have the same bits
//! ```
//!
//! If p lies inside the blocks, a block of the source is longer or shorter by one bit, and the
//! kernels move bits (`spread_or`, `gather`); otherwise blocks correspond lane by lane.

use super::board::Board;
use super::combinadic::{Colour, Row};
use super::lane::Lane;
use super::piece::{Direction, Geometry, InputPiece, Neighbour, Piece};
use everyply_core::control::Control;
use everyply_core::parallel;

/// The number of output lanes above which a subtree is split between threads.
const SPLIT_LANES: usize = 4096;

/// A set of lines of [`Traversal::lines`], one bit each. At most 13 lines of four go through each
/// of up to 12 columns; boards with shorter lines or more columns have fewer than 128 as well.
pub(super) type LineSet = u128;

/// The tables of a piece of a profile, computed before its open bits are decided.
pub(super) struct Traversal<'a> {
    pub(super) board: &'a Board,
    pub(super) geometry: Geometry,
    pub(super) piece: Piece,
    pub(super) sources: Vec<Neighbour>,
    /// The input from each source; `None` if the piece needs none.
    pub(super) inputs: Vec<Option<InputPiece>>,
    /// Lines that the last mover may have completed, through the top stone of a column: the index
    /// bits of each inside blocks. Empty in the backward pass.
    pub(super) lines: Vec<Vec<u8>>,
    direction: Direction,
    pub(super) last: Colour,
    /// Per bit from `block` up, per source: the row of lanes that a 1 at this bit skips.
    skips: Vec<Row>,
    /// Number of bits left, source and row of skipped lanes, for each source that decides a bit of
    /// its own as 1 at that point.
    arrivals: Vec<(usize, usize, Row)>,
    /// Per bit from `block` up: lines that need the last mover's colour at this bit.
    through: Vec<LineSet>,
    /// Per number of bits left, from `block` up: lines all of whose bits are decided.
    decided: Vec<LineSet>,
}

pub(super) struct Block<'a> {
    /// The first lane of the block in the piece.
    pub(super) at: usize,
    pub(super) ones: usize,
    /// Per source, the first lane of the corresponding block in the input.
    pub(super) offsets: &'a [usize],
    /// The sources that are not excluded, one bit each.
    pub(super) live: u32,
    /// The lines whose higher bits all have the last mover's colour.
    pub(super) lines: LineSet,
    /// True if one of these lines has no lower bits: the game is over in the whole block.
    pub(super) ended: bool,
}

/// The work of a pass in the blocks.
pub(super) trait Visitor: Sync {
    /// The counts over a set of blocks; also working memory.
    type Findings: Default + Send;
    /// The number of output lanes per lane of the piece.
    const PLANES: usize;

    fn block(&self, block: &Block<'_>, findings: &mut Self::Findings, out: &mut [Lane]);
    fn merge(into: &mut Self::Findings, from: Self::Findings);
}

#[derive(Clone, Copy)]
struct Descent {
    /// Bits left, ones left.
    left: usize,
    ones: usize,
    at: usize,
    live: u32,
    lines: LineSet,
    ended: bool,
}

impl<'a> Traversal<'a> {
    pub(super) fn new(board: &'a Board, piece: Piece, direction: Direction) -> Self {
        let geometry = Geometry::new(board, piece.profile);
        let (n, block) = (geometry.n, geometry.block);
        let sources = Neighbour::all(board, &geometry, direction);
        let inputs = sources
            .iter()
            .map(|source| InputPiece::new(board, n, &piece, direction, source))
            .collect();
        let mut traversal = Self {
            board,
            geometry,
            piece,
            inputs,
            lines: Vec::new(),
            direction,
            last: Board::to_move(n).other(),
            skips: Vec::with_capacity((n - block) * sources.len()),
            arrivals: Vec::new(),
            through: vec![0; n - block],
            decided: vec![0; n - block + 1],
            sources,
        };
        traversal.plan_sources();
        // In the backward pass, the non-terminal positions show which games have ended.
        if direction == Direction::Before {
            traversal.plan_lines();
        }
        traversal
    }

    fn plan_sources(&mut self) {
        let board = self.board;
        let (n, block, sizes) = (self.geometry.n, self.geometry.block, &board.sizes);
        for b in block..n {
            for source in &self.sources {
                let row = match self.direction {
                    Direction::Before if b == source.bit => sizes.zero_row(board.low_cells),
                    Direction::Before if b > source.bit => sizes.row(
                        block - usize::from(source.low),
                        b - 1,
                        -(self.last.ones() as isize),
                    ),
                    Direction::After if b >= source.bit => sizes.row(
                        block + usize::from(source.low),
                        b + 1,
                        self.last.other().ones() as isize,
                    ),
                    _ => sizes.row(block, b, 0),
                };
                self.skips.push(row);
            }
        }
        if self.direction == Direction::After && self.last == Colour::SECOND {
            for (i, source) in self.sources.iter().enumerate().filter(|(_, s)| !s.low) {
                self.arrivals.push((source.bit, i, sizes.row(block, source.bit, 1)));
            }
        }
    }

    fn plan_lines(&mut self) {
        let board = self.board;
        let heights = &self.geometry.heights;
        for line in &board.lines {
            let stands = line.iter().all(|&(c, r)| usize::from(heights[c]) > r);
            let at_top = line.iter().any(|&(c, r)| usize::from(heights[c]) == r + 1);
            if !stands || !at_top {
                continue;
            }
            let one = 1 << self.lines.len();
            let mut low_bits = Vec::new();
            let mut lowest = self.geometry.n;
            for &(column, row) in line {
                let bit = self.geometry.below(board, board.place(column), row);
                if bit < self.geometry.block {
                    low_bits.push(bit as u8);
                } else {
                    self.through[bit - self.geometry.block] |= one;
                }
                lowest = lowest.min(bit);
            }
            if lowest >= self.geometry.block {
                for decided in &mut self.decided[..=lowest - self.geometry.block] {
                    *decided |= one;
                }
            }
            self.lines.push(low_bits);
        }
        assert!(self.lines.len() <= LineSet::BITS as usize, "more lines than a line set holds");
    }

    /// Visits every block in order; `out` is the output of the whole piece.
    ///
    /// Large pieces are split between threads. If the control asks to stop, the visit ends early
    /// and leaves the remaining blocks as they were.
    pub(super) fn run<V: Visitor>(
        &self,
        visitor: &V,
        control: &Control,
        out: &mut [Lane],
    ) -> V::Findings {
        let mut findings = V::Findings::default();
        let k = self.sources.len();
        let mut offsets = vec![0; (self.geometry.n - self.geometry.block + 1) * k];
        let mut node = Descent {
            left: self.geometry.n,
            ones: self.geometry.ones(),
            at: 0,
            live: if k == 32 { !0 } else { (1 << k) - 1 },
            lines: if self.lines.len() == 128 { !0 } else { (1 << self.lines.len()) - 1 },
            ended: false,
        };
        for &(_, i, row) in self.arrivals.iter().filter(|a| a.0 == node.left) {
            offsets[i] += self.board.sizes.at(row, node.ones);
        }
        if self.piece.left < node.left {
            self.enter(&mut node, &mut offsets);
        }
        self.descend(visitor, control, node, &mut offsets, &mut findings, out);
        findings
    }

    /// Descends to the piece; from there, places are counted from the first lane of the piece.
    fn enter(&self, node: &mut Descent, offsets: &mut [usize]) {
        let k = self.sources.len();
        while node.left > self.piece.left {
            let colour = Colour((self.piece.prefix >> (node.left - 1) & 1) as u8);
            *node = self.decide(*node, colour, offsets);
            offsets.copy_within(k..2 * k, 0);
        }
        node.at = 0;
        for (i, input) in self.inputs.iter().enumerate() {
            match input {
                Some(InputPiece { seen, .. }) => {
                    let geometry = Geometry::new(self.board, seen.profile);
                    offsets[i] -= seen.lane(self.board, &geometry);
                }
                None => node.live &= !(1 << i),
            }
        }
    }

    fn descend<V: Visitor>(
        &self,
        visitor: &V,
        control: &Control,
        mut node: Descent,
        offsets: &mut [usize],
        findings: &mut V::Findings,
        out: &mut [Lane],
    ) {
        if out.is_empty() {
            return;
        }
        if self.direction == Direction::Before && node.live == 0 {
            out.fill(Lane::ZERO);
            return;
        }
        let depth = node.left - self.geometry.block;
        node.ended |= node.lines & self.decided[depth] != 0;
        let k = self.sources.len();
        if depth == 0 {
            let block = Block {
                at: node.at,
                ones: node.ones,
                offsets: &offsets[..k],
                live: node.live,
                lines: node.lines,
                ended: node.ended,
            };
            return visitor.block(&block, findings, out);
        }
        let zero = self.board.sizes.lanes(self.geometry.block, node.left - 1, node.ones);
        let parallel = out.len() > SPLIT_LANES * V::PLANES;
        let (out0, out1) = out.split_at_mut(zero * V::PLANES);
        if parallel {
            if control.is_stopped() {
                return;
            }
            let mut forked = offsets.to_vec();
            let mut other = V::Findings::default();
            parallel::join(
                &mut || {
                    let child = self.decide(node, Colour::SECOND, offsets);
                    self.descend(visitor, control, child, &mut offsets[k..], findings, out0);
                },
                &mut || {
                    if !out1.is_empty() {
                        let child = self.decide(node, Colour::FIRST, &mut forked);
                        let below = &mut forked[k..];
                        self.descend(visitor, control, child, below, &mut other, out1);
                    }
                },
            );
            V::merge(findings, other);
        } else {
            if !out0.is_empty() {
                let child = self.decide(node, Colour::SECOND, offsets);
                self.descend(visitor, control, child, &mut offsets[k..], findings, out0);
            }
            if !out1.is_empty() {
                let child = self.decide(node, Colour::FIRST, offsets);
                self.descend(visitor, control, child, &mut offsets[k..], findings, out1);
            }
        }
    }

    /// Returns the child node, with the highest open bit decided, and writes its offsets after the
    /// offsets of the node.
    #[inline(always)]
    fn decide(&self, node: Descent, colour: Colour, offsets: &mut [usize]) -> Descent {
        let sizes = &self.board.sizes;
        let k = self.sources.len();
        let bit = node.left - 1;
        let index = bit - self.geometry.block;
        let (here, below) = offsets.split_at_mut(k);
        let below = &mut below[..k];
        let mut child = Descent { left: bit, ..node };
        if colour == Colour::FIRST {
            let skips = &self.skips[index * k..][..k];
            for ((below, here), &row) in below.iter_mut().zip(here).zip(skips) {
                *below = *here + sizes.at(row, node.ones);
            }
            child.ones -= 1;
            child.at += sizes.lanes(self.geometry.block, bit, node.ones);
        } else {
            below.copy_from_slice(here);
        }
        for &(_, i, row) in self.arrivals.iter().filter(|a| a.0 == bit) {
            below[i] += sizes.at(row, child.ones);
        }
        if colour != self.last {
            child.lines &= !self.through[index];
            if self.direction == Direction::Before {
                for (i, _) in self.sources.iter().enumerate().filter(|(_, s)| s.bit == bit) {
                    child.live &= !(1 << i);
                }
            }
        }
        child
    }
}

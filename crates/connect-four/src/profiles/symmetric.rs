//! Positions that are their own mirror image, from which canonical positions are counted.

use super::board::Board;
use super::geometry::Geometry;
use super::mirror::View;
use super::traversal::Traversal;

/// The number of reachable positions of a piece that equal their mirror image.
///
/// `before` holds the inputs of the piece from the profiles with one stone less. The number of
/// candidates is about the square root of the number of colourings, so each is looked up on its
/// own: it is reachable if taking back a top stone of the last mover leads to a non-terminal
/// position.
pub(super) fn symmetric(traversal: &Traversal<'_>, before: &[View<'_>]) -> u64 {
    let Traversal { board, geometry, piece, .. } = traversal;
    let heights = &geometry.heights[..board.width];
    if !heights.iter().eq(heights.iter().rev()) {
        return 0;
    }
    if geometry.n == 0 {
        return 1;
    }
    // The sets of index bits that must be equal, the highest first: mirrored cells, or a cell of
    // the middle column.
    let mut orbits = Vec::new();
    for row in (0..board.height).rev() {
        for place in (0..board.width).step_by(2).rev() {
            if usize::from(heights[board.places[place]]) > row {
                let bit = geometry.below(board, place, row);
                let alone = place + 1 == board.width;
                orbits.push(if alone { 1u64 << bit } else { 3 << bit });
            }
        }
    }
    let last = Board::to_move(geometry.n).other();
    // Mirrored columns have mirrored sources, so one of the two profiles suffices.
    let sources: Vec<_> = traversal
        .sources
        .iter()
        .zip(&traversal.inputs)
        .zip(before)
        .filter_map(|((source, input), array)| {
            let seen = input.filter(|o| o.seen.profile == o.stored.profile)?.seen;
            let geometry = Geometry::new(board, seen.profile);
            Some((source.bit, geometry.block, seen.lane(board, &geometry), array))
        })
        .collect();
    let reached = |bits: u64| {
        sources.iter().any(|&(bit, block, first, array)| {
            let lower = (1 << bit) - 1;
            let source = bits & lower | bits >> 1 & !lower;
            (bits >> bit & 1) as usize == last.ones() && {
                let n = geometry.n - 1;
                let (lane, bit) = board.sizes.locate(&board.binomials, block, n, source);
                array[lane - first].0[bit as usize / 64] >> (bit % 64) & 1 == 1
            }
        })
    };
    let decided = !((1 << piece.left) - 1);
    count(&orbits, geometry.ones() as u32, 0, (piece.prefix, decided), &reached)
}

/// The number of reachable unions of orbits with `ones` more ones that agree with the decided bits
/// of a prefix.
fn count(
    orbits: &[u64],
    ones: u32,
    bits: u64,
    (prefix, decided): (u64, u64),
    reached: &impl Fn(u64) -> bool,
) -> u64 {
    if ones == 0 {
        return u64::from(bits & decided == prefix && reached(bits));
    }
    let Some((&orbit, rest)) = orbits.split_first() else { return 0 };
    let here = orbit & decided;
    let mut sum = 0;
    // An orbit has at most two bits.
    if prefix & here == 0 && 2 * rest.len() as u32 >= ones {
        sum += count(rest, ones, bits, (prefix, decided), reached);
    }
    if prefix & here == here
        && let Some(left) = ones.checked_sub(orbit.count_ones())
    {
        sum += count(rest, left, bits | orbit, (prefix, decided), reached);
    }
    sum
}

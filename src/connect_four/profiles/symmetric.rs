//! Positions that are their own mirror image: what canonical positions are counted from.

use super::board::{Board, Geometry, Profile};
use super::lane::Lane;

/// The number of reachable positions of a profile that equal their mirror image.
///
/// `before` finds the bit array of a canonical profile with one stone less. There are about
/// as many candidates as the square root of the profile's colourings, so each is looked up by
/// itself: it is reached if taking back a top stone of the last mover leads to a
/// non-terminal position.
pub(super) fn symmetric<'t>(
    board: &Board,
    profile: Profile,
    before: impl Fn(Profile) -> &'t [Lane],
) -> u64 {
    let geometry = Geometry::new(board, profile);
    let heights = &geometry.heights[..board.width];
    if !heights.iter().eq(heights.iter().rev()) {
        return 0;
    }
    if geometry.n == 0 {
        return 1;
    }
    // The sets of index bits that must be equal: mirrored cells, or a cell of the middle column.
    let mut orbits = Vec::new();
    for row in 0..board.height {
        for place in (0..board.width).step_by(2) {
            if usize::from(heights[board.places[place]]) > row {
                let bit = geometry.below(board, place, row);
                let alone = place + 1 == board.width;
                orbits.push(if alone { 1u64 << bit } else { 3 << bit });
            }
        }
    }
    let last = Board::to_move(geometry.n).other();
    // What a mirrored column leads from is the mirror image: one of the two profiles is enough.
    let source = |column: usize| Profile(profile.0 - board.powers[column]);
    let sources: Vec<_> = (0..board.width)
        .filter(|&column| heights[column] > 0 && board.canonical(source(column)) == source(column))
        .map(|column| {
            let source = source(column);
            let row = usize::from(heights[column]) - 1;
            let bit = geometry.below(board, board.place(column), row);
            (bit, Geometry::new(board, source).block, before(source))
        })
        .collect();
    let reached = |bits: u64| {
        sources.iter().any(|&(bit, block, array)| {
            let lower = (1 << bit) - 1;
            let source = bits & lower | bits >> 1 & !lower;
            (bits >> bit & 1) as usize == last.ones() && {
                let n = geometry.n - 1;
                let (lane, bit) = board.sizes.locate(&board.binomials, block, n, source);
                array[lane].0[bit as usize / 64] >> (bit % 64) & 1 == 1
            }
        })
    };
    let ones = geometry.ones() as u32;
    count(&orbits, ones, 0, &reached)
}

/// The number of unions of orbits with `ones` more ones that are reached.
fn count(orbits: &[u64], ones: u32, bits: u64, reached: &impl Fn(u64) -> bool) -> u64 {
    if ones == 0 {
        return u64::from(reached(bits));
    }
    let Some((&orbit, rest)) = orbits.split_first() else { return 0 };
    let without = if orbits_hold(rest, ones) { count(rest, ones, bits, reached) } else { 0 };
    match ones.checked_sub(orbit.count_ones()) {
        Some(left) => without + count(rest, left, bits | orbit, reached),
        None => without,
    }
}

/// True if the orbits have at least `ones` bits.
fn orbits_hold(orbits: &[u64], ones: u32) -> bool {
    2 * orbits.len() as u32 >= ones
}

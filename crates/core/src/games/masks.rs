//! Tools for games on boards of up to 64 places: sets of places as masks, their images, and
//! pictures. For games of your own too.

use crate::game::{MoveSet, Urgent, Word};

/// Returns the places of a set, ascending.
pub fn places(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        place
    })
}

/// Maps both sides; inlined in the loops of engines, unlike an array's `map`.
#[inline(always)]
pub fn both<T, U>([first, second]: [T; 2], of: impl Fn(T) -> U) -> [U; 2] {
    [of(first), of(second)]
}

/// Maps every place of a set.
pub fn moved(mask: u64, to: impl Fn(u32) -> u32) -> u64 {
    places(mask).fold(0, |image, place| image | 1 << to(place))
}

/// The steps along rows, columns and diagonals of a plane, then those through the layers of space.
pub(super) const STEPS: [[i32; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [1, -1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// Returns a place as column, row and layer; `None` if a board of this size does not have it.
pub(super) fn on_board(size: [u32; 3], at: [i32; 3]) -> Option<[u32; 3]> {
    let fits = at.iter().zip(size).all(|(&at, length)| at >= 0 && (at as u32) < length);
    fits.then(|| at.map(|at| at as u32))
}

/// Returns the sets of `length` places in a row, each once. `place` gives the bit of a cell.
pub(super) fn lines(
    size: [u32; 3],
    length: u32,
    steps: &[[i32; 3]],
    place: impl Fn([i32; 3]) -> Option<u32>,
) -> Vec<u64> {
    let [width, height, layers] = size.map(|length| length as i32);
    let mut lines = Vec::new();
    for [dx, dy, dz] in steps {
        for n in 0..width * height * layers {
            let (x, y, z) = (n % width, n / width % height, n / (width * height));
            let bit = |i| place([x + i * dx, y + i * dy, z + i * dz]).map(|place| 1u64 << place);
            let line = (0..length as i32).map(bit).try_fold(0, |line, bit| Some(line | bit?));
            // A ring that is shorter than a line comes back to its own places.
            lines.extend(line.filter(|line| line.count_ones() == length));
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Returns the mirror image of a cell in its row; cells are counted row by row.
pub const fn mirrored(cell: u32, width: u32) -> u32 {
    cell - cell % width + (width - 1 - cell % width)
}

/// Returns the places that complete one of these lines.
#[inline(always)]
pub(super) fn completing(lines: &[u64], own: u64) -> u64 {
    let missing = lines.iter().map(|line| line & !own);
    missing.filter(|missing| missing.is_power_of_two()).fold(0, |all, missing| all | missing)
}

/// Returns the immediate wins in a game in which a line wins. A side may take one of the `open` places,
/// each of which stays open until it is taken; the moves that take them are in their order.
#[inline(always)]
pub(super) fn urgent(lines: &[u64], [own, other]: [u64; 2], open: u64) -> Urgent {
    if completing(lines, own) & open != 0 {
        return Urgent::Win;
    }
    match completing(lines, other) & open {
        0 => Urgent::ALL,
        one if one.is_power_of_two() => Urgent::Only(MoveSet(1 << (open & (one - 1)).count_ones())),
        _ => Urgent::Loss,
    }
}

/// Names a cell by the letter of its column and the number of its row, `a1`, `b1`; cells are
/// counted row by row.
pub fn cell_name(cell: u32, width: u32) -> String {
    format!("{}{}", char::from(b'a' + (cell % width) as u8), cell / width + 1)
}

/// Returns rows of characters from the top, as for [`picture`](crate::game::Notation::picture).
pub fn picture(width: u32, height: u32, mark: impl Fn(u32, u32) -> char) -> String {
    let mut text = String::with_capacity(((width + 1) * height) as usize);
    for y in 0..height {
        if y > 0 {
            text.push('/');
        }
        text.extend((0..width).map(|x| mark(x, y)));
    }
    text
}

/// Returns the mark of a place in a picture: `X` of the first player, `O` of the second.
pub fn mark(sides: [impl Into<u64>; 2], place: u32) -> char {
    match sides.map(|side| side.into() >> place & 1) {
        [1, _] => 'X',
        [_, 1] => 'O',
        _ => '.',
    }
}

/// Returns the sides of a board in a picture; `place` maps a character's place to a cell, or none.
pub fn sides_of(
    text: &str,
    (width, height): (u32, u32),
    place: impl Fn(u32, u32) -> Option<u32>,
) -> Option<[u64; 2]> {
    let mut sides = [0; 2];
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != height as usize {
        return None;
    }
    for (y, row) in (0..).zip(rows) {
        if row.chars().count() != width as usize {
            return None;
        }
        for (x, mark) in (0..).zip(row.chars()) {
            match (mark, place(x, y)) {
                ('X', Some(at)) => sides[0] |= 1 << at,
                ('O', Some(at)) => sides[1] |= 1 << at,
                ('.', Some(_)) | (_, None) => {}
                _ => return None,
            }
        }
    }
    Some(sides)
}

/// Reads the sides of a picture that ends with the side to move: `:X`, which is 0, or `:O`.
pub fn sides_and_turn(
    text: &str,
    size: (u32, u32),
    place: impl Fn(u32, u32) -> Option<u32>,
) -> Option<([u64; 2], usize)> {
    let (board, turn, rest) = board_and_turn(text)?;
    Some((sides_of(board, size, place).filter(|_| rest.is_empty())?, turn))
}

/// Returns the board of a picture, the side to move after it, and the rest.
pub fn board_and_turn(text: &str) -> Option<(&str, usize, &str)> {
    let (board, rest) = text.split_once(':')?;
    let turn = ["X", "O"].iter().position(|side| rest.starts_with(side))?;
    Some((board, turn, &rest[1..]))
}

/// The images of sets under the symmetries of a board, eight places at a time.
#[derive(Debug)]
pub struct Images(Vec<Vec<[u64; 256]>>);

impl Images {
    /// Creates the images on a board of `places` places; a symmetry moves them by `to`.
    pub fn new(places: u32, symmetries: u8, to: impl Fn(u32, u8) -> u32) -> Self {
        let byte = |first: u32, symmetry: u8| {
            let mut images = [0; 8];
            for (image, place) in images.iter_mut().zip(first..places) {
                *image = 1 << to(place, symmetry);
            }
            sums(images)
        };
        let image = |s| (0..places).step_by(8).map(|first| byte(first, s)).collect();
        Self((0..symmetries).map(image).collect())
    }

    /// Creates the images on a board: left and right mirrored if bit 0 is set, top and bottom if bit 1
    /// is, and after that columns for rows if bit 2 is (squares only).
    pub(super) fn of_rectangle(width: u32, height: u32) -> Self {
        let symmetries = if width == height { 8 } else { 4 };
        Self::new(width * height, symmetries, |cell, symmetry| {
            let (mut x, mut y) = (cell % width, cell / width);
            x = if symmetry & 1 != 0 { width - 1 - x } else { x };
            y = if symmetry & 2 != 0 { height - 1 - y } else { y };
            if symmetry & 4 != 0 { x * width + y } else { y * width + x }
        })
    }

    pub fn symmetries(&self) -> u8 {
        self.0.len() as u8
    }

    #[inline(always)]
    pub fn of(&self, mask: u64, symmetry: u8) -> u64 {
        let bytes = self.0[usize::from(symmetry)].iter().enumerate();
        bytes.fold(0, |image, (i, byte)| image | byte[(mask >> (8 * i) & 255) as usize])
    }

    #[inline(always)]
    pub fn of_place(&self, place: u8, symmetry: u8) -> u8 {
        self.of(1 << place, symmetry).trailing_zeros() as u8
    }
}

/// Returns the sum of every set of eight words, each from a set with one word less, since every start
/// of the program makes the tables of all games.
fn sums<W: Word>(words: [W; 8]) -> [W; 256] {
    let mut sums = [W::ZERO; 256];
    for set in 1..256usize {
        sums[set] = sums[set & (set - 1)].wrapping_add(words[set.trailing_zeros() as usize]);
    }
    sums
}

/// Keys of images: the cells as digits of a base-3 number, the first cell the lowest; 0 empty, 1 the
/// first side's, 2 the second's.
#[derive(Debug)]
pub(super) struct TernaryKeys<W = u64> {
    bytes: usize,
    /// `[symmetry * bytes + b][v]`: the sum of 3^(image of cell) over the cells of byte b whose bit is
    /// set in v. A key is the sum over the bytes of the first side's cells plus twice the sum over
    /// the second's, in whichever image.
    weights: Vec<[W; 256]>,
}

impl<W: Word> TernaryKeys<W> {
    pub fn new(images: &Images, cells: u32) -> Self {
        let powers =
            std::iter::successors(Some(W::ONE), |&power| Some(power.wrapping_add(power << 1)));
        let powers: Vec<W> = powers.take(cells as usize).collect();
        let mut weights = Vec::new();
        for symmetry in 0..images.symmetries() {
            for first in (0..cells).step_by(8) {
                let mut digits = [W::ZERO; 8];
                for (weight, cell) in digits.iter_mut().zip(first..cells) {
                    *weight = powers[usize::from(images.of_place(cell as u8, symmetry))];
                }
                weights.push(sums(digits));
            }
        }
        Self { bytes: cells.div_ceil(8) as usize, weights }
    }

    #[inline(always)]
    pub fn key(&self, [first, second]: [u64; 2], symmetry: u8) -> W {
        let from = usize::from(symmetry) * self.bytes;
        let bytes = self.weights[from..from + self.bytes].iter().enumerate();
        bytes.fold(W::ZERO, |key, (byte, weights)| {
            // Written out: an array's `map` is not inlined.
            let shift = 8 * byte;
            key.wrapping_add(weights[(first >> shift & 255) as usize])
                .wrapping_add(weights[(second >> shift & 255) as usize] << 1)
        })
    }

    /// Returns the sides of the board of a key, unless the key is too large.
    #[inline(always)]
    pub fn sides(mut key: W, cells: u32) -> Option<[u64; 2]> {
        let mut sides = [0, 0];
        for cell in 0..cells {
            let (rest, digit) = key.thirds();
            key = rest;
            match digit {
                1 => sides[0] |= 1 << cell,
                2 => sides[1] |= 1 << cell,
                _ => {}
            }
        }
        (key == W::ZERO).then_some(sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_by_bytes_are_images_place_by_place() {
        for size in [1u32, 7, 8, 9, 31, 57, 64] {
            let to = |place: u32, symmetry: u8| {
                if symmetry == 0 { place } else { size - 1 - place }
            };
            let images = Images::new(size, 2, to);
            assert_eq!(images.symmetries(), 2);
            for seed in 1..100u64 {
                let mask = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - size);
                assert_eq!(images.of(mask, 0), mask);
                assert_eq!(images.of(mask, 1), moved(mask, |place| to(place, 1)), "{size}");
            }
        }
        assert_eq!(places(1 << 63 | 5).collect::<Vec<_>>(), [0, 2, 63]);
        assert_eq!(picture(2, 2, |x, y| if x == y { 'X' } else { '.' }), "X./.X");
    }
}

//! The edges of a rectangle of boxes, as bits: for games on edges.

use super::masks::{self, Images};

/// A rectangle of boxes. Edges are bits: the horizontal ones row by row from the top left, then
/// the vertical ones:
///
/// ```text
///  +  0  +  1  +
///  6     7     8
///  +  2  +  3  +      2x2 boxes
///  9    10    11
///  +  4  +  5  +
/// ```
///
/// Symmetry s mirrors left and right if bit 0 is set, top and bottom if bit 1 is, and after that
/// swaps columns and rows if bit 2 is (squares only).
#[derive(Debug)]
pub struct Lattice {
    pub width: u32,
    pub height: u32,
    pub images: Images,
    /// The boxes, as the sets of their edges.
    pub boxes: Vec<u64>,
    /// Pairs of edges on the border, of one box each. If each pair in turn replaces its second edge by
    /// the first, unless that is drawn, the first edges of each box are drawn.
    pub borders: Vec<[u64; 2]>,
    edges: Vec<Place>,
    beside: Vec<[u64; 2]>,
}

/// A place of the drawing, as column and row from 0: dots have two even numbers, boxes two odd
/// ones, edges one of each.
type Place = (u32, u32);

impl Lattice {
    /// Creates a rectangle of at most 64 edges.
    pub fn new(width: u32, height: u32) -> Self {
        let (right, bottom) = (2 * width, 2 * height);
        let every_other = |x, y| {
            let rows = (y..=bottom).step_by(2);
            rows.flat_map(move |y| (x..=right).step_by(2).map(move |x| (x, y)))
        };
        let edges: Vec<Place> = every_other(1, 0).chain(every_other(0, 1)).collect();
        let edge = |at: Place| edges.iter().position(|place| *place == at).expect("an edge") as u32;
        let around = |(x, y)| [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)].map(edge);
        let whole = |at| around(at).iter().fold(0, |mask, edge| mask | 1 << edge);
        let boxes: Vec<u64> = every_other(1, 1).map(whole).collect();
        let beside = |edge: usize| {
            let mut cells = boxes.iter().copied().filter(|cell| cell >> edge & 1 == 1);
            [(); 2].map(|()| cells.next().unwrap_or(u64::MAX))
        };
        let is_border = |edge: &u32| beside(*edge as usize)[1] == u64::MAX;
        let mut borders = Vec::new();
        for &cell in &boxes {
            let border: Vec<u64> =
                masks::places(cell).filter(is_border).map(|edge| 1 << edge).collect();
            // A round of neighbours for each edge but one sorts them.
            let round = || border.windows(2).map(|pair| [pair[0], pair[1]]);
            borders.extend(border.iter().skip(1).flat_map(|_| round()));
        }
        let image = |at: u32, symmetry: u8| {
            let (x, y) = edges[at as usize];
            let x = if symmetry & 1 == 0 { x } else { right - x };
            let y = if symmetry & 2 == 0 { y } else { bottom - y };
            edge(if symmetry & 4 == 0 { (x, y) } else { (y, x) })
        };
        let symmetries = if width == height { 8 } else { 4 };
        let images = Images::new(edges.len() as u32, symmetries, image);
        let beside = (0..edges.len()).map(beside).collect();
        Self { width, height, images, boxes, borders, edges, beside }
    }

    #[inline(always)]
    pub fn edges(&self) -> u32 {
        self.edges.len() as u32
    }

    /// Returns the boxes on both sides of an edge, as the sets of their edges; a box off the board
    /// is a set that is never complete.
    #[inline(always)]
    pub fn beside(&self, edge: u8) -> [u64; 2] {
        self.beside[usize::from(edge)]
    }

    /// Returns the place of an edge in the drawing, as column and row from 0.
    pub fn place_of(&self, edge: u8) -> (u32, u32) {
        self.edges[usize::from(edge)]
    }

    /// Returns the number of boxes with all their edges in a set.
    pub fn complete(&self, edges: u64) -> u32 {
        self.boxes.iter().filter(|&&cell| edges & cell == cell).count() as u32
    }

    /// Draws dots, the edges of a set, and boxes, in rows separated by `/`.
    pub fn picture(&self, edges: u64) -> String {
        let drawn = |at: Place| {
            let edge = self.edges.iter().position(|place| *place == at);
            edge.is_some_and(|edge| edges >> edge & 1 == 1)
        };
        masks::picture(2 * self.width + 1, 2 * self.height + 1, |x, y| match (x % 2, y % 2) {
            (0, 0) => '+',
            (1, 0) if drawn((x, y)) => '-',
            (0, 1) if drawn((x, y)) => '|',
            _ => '.',
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_counted_as_drawn() {
        let lattice = Lattice::new(2, 2);
        assert_eq!(lattice.edges(), 12);
        assert_eq!(lattice.beside(0), [1 << 0 | 1 << 2 | 1 << 6 | 1 << 7, u64::MAX]);
        assert_eq!(lattice.beside(7)[1], 1 << 1 | 1 << 3 | 1 << 7 | 1 << 8);
        assert_eq!(lattice.complete(1 << 0 | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 8), 1);
        assert_eq!(lattice.complete((1 << 12) - 1), 4);
        assert_eq!(lattice.picture(1 << 1 | 1 << 6), "+.+-+/|..../+.+.+/...../+.+.+");
        // Left and right, top and bottom, columns and rows.
        let to = [1, 2, 4].map(|s| lattice.images.of(1, s).trailing_zeros());
        assert_eq!(to, [1, 4, 6]);
        assert_eq!(Lattice::new(2, 1).images.symmetries(), 4);
    }
}

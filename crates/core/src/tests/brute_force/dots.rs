//! Dots and boxes on text.

use super::*;

/// Dots and boxes as they are drawn, row by row: `.` is an edge that is not drawn, a space a box; then
/// the lead of the side to move.
struct Drawing {
    width: usize,
    height: usize,
}

impl Drawing {
    fn start(&self) -> Text {
        let cells =
            (0..2 * self.height + 1).flat_map(|y| (0..2 * self.width + 1).map(move |x| (x, y)));
        let mark = |(x, y): (usize, usize)| [b'+', b'.', b' '][x % 2 + y % 2];
        cells.map(mark).chain([0]).collect()
    }
}

impl TextRules for Drawing {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let lead = p[p.len() - 1] as i8;
        Outcome::from_sign(lead.signum().into()).filter(|_| !p.contains(&b'.'))
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let row = 2 * self.width + 1;
        let draw = |edge: usize| {
            let mut next = p.to_vec();
            next[edge] = b'#';
            let around = |at: usize| [at - row, at - 1, at + 1, at + row];
            let boxes = [edge.wrapping_sub(row), edge.wrapping_sub(1), edge + 1, edge + row];
            let is_full = |at: &&usize| {
                next.get(**at) == Some(&b' ') && around(**at).iter().all(|&i| next[i] == b'#')
            };
            let made = boxes.iter().filter(is_full).count() as i8;
            let lead = p[p.len() - 1] as i8;
            next[p.len() - 1] = if made > 0 { lead + made } else { -lead } as u8;
            (made > 0, next)
        };
        (0..p.len() - 1).filter(|&edge| p[edge] == b'.').map(draw).collect()
    }
}

/// Published: the boxes by which the first player wins.
#[test]
fn dots_have_the_values_and_the_points_of_a_brute_force() {
    for (width, height, margin) in [(1, 1, -1i32), (2, 1, 0), (3, 1, -1), (2, 2, 2)] {
        for (width, height) in [(width, height), (height, width)] {
            let rules = Drawing { width, height };
            let game = Dots::new(width as u32, height as u32).unwrap();
            let (outcome, _) = ends_as(&game, &rules, rules.start());
            assert_eq!(outcome, Outcome::from_sign(margin.signum().into()).unwrap());
            assert_eq!(points(&game), margin, "{width}x{height}");
        }
    }
    assert_eq!(points(&Dots::new(3, 2).unwrap()), -2);
}

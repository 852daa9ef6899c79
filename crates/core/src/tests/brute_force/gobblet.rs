//! Gobblet Gobblers on text.

use super::*;

/// Gobblet Gobblers for the side to move: three characters a cell, from the small piece to the large
/// one, `A` for its own and `b` for the other side's; the least of symmetric boards.
struct Cups {
    smallest: usize,
}

impl Cups {
    fn least(p: &[u8]) -> Text {
        let turned = |p: &Text| -> Text {
            [6, 3, 0, 7, 4, 1, 8, 5, 2].iter().flat_map(|c| p[3 * c..3 * c + 3].to_vec()).collect()
        };
        let mirrored: Text =
            [2, 1, 0, 5, 4, 3, 8, 7, 6].iter().flat_map(|c| p[3 * c..3 * c + 3].to_vec()).collect();
        let turns = |p: Text| std::iter::successors(Some(p), move |p| Some(turned(p))).take(4);
        turns(p.to_vec()).chain(turns(mirrored)).min().unwrap()
    }

    fn top(p: &[u8], cell: usize) -> Option<(usize, u8)> {
        (0..3).rev().map(|size| (size, p[3 * cell + size])).find(|(_, piece)| *piece != b'.')
    }
}

impl TextRules for Cups {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let rows = ["012", "345", "678", "036", "147", "258", "048", "246"];
        let has = |piece: u8| {
            let is_own = |c: u8| Self::top(p, usize::from(c - b'0')).is_some_and(|t| t.1 == piece);
            rows.iter().any(|row| row.bytes().all(is_own))
        };
        let lost = has(b'b').then_some(Outcome::Loss);
        if has(b'A') { Some(Outcome::Win) } else { lost }
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let mut all = Vec::new();
        let mut put = |p: &[u8], size: usize, to: usize| {
            if Self::top(p, to).is_none_or(|(there, _)| there < size) {
                let mut next = p.to_vec();
                next[3 * to + size] = b'A';
                let swap = |c: &u8| match c {
                    b'A' => b'b',
                    b'b' => b'A',
                    _ => b'.',
                };
                all.push((false, Self::least(&next.iter().map(swap).collect::<Text>())));
            }
        };
        for size in self.smallest..3 {
            let pieces = (0..9).filter(|cell| p[3 * cell + size] == b'A').count();
            (0..9).filter(|_| pieces < 2).for_each(|to| put(p, size, to));
        }
        for from in 0..9 {
            if let Some((size, b'A')) = Self::top(p, from) {
                let mut lifted = p.to_vec();
                lifted[3 * from + size] = b'.';
                (0..9).filter(|to| *to != from).for_each(|to| put(&lifted, size, to));
            }
        }
        all
    }
}

#[test]
fn gobblet_reaches_the_positions_of_a_brute_force() {
    for (sizes, plies) in [(1, 9), (2, 4), (3, 3)] {
        let game = chosen::<Gobblet>(&format!("sizes={sizes}"));
        let rules = Cups { smallest: 3 - sizes };
        reaches(&game, |p| game.rank(p), &rules, vec![b'.'; 27], plies);
    }
}

#[test]
#[ignore = "looks at a million ranks, and solves half a million positions on text: minutes"]
fn gobblet_obeys_the_laws_of_ranks_and_has_the_values_of_a_brute_force() {
    laws::ranked(&chosen::<Gobblet>(""));
    let game = chosen::<Gobblet>("sizes=2");
    laws::ranked(&game);
    let mut ranks = HashSet::new();
    let ours = by_value(&game, &ranked(&game), |p| u64::from(ranks.insert(game.rank(p))));
    assert_eq!(ours, solved(&Cups { smallest: 1 }, vec![b'.'; 27]));
    let reached = tiers(&game).reached(game.initial(), &Control::default());
    assert_eq!(reached, Ok(ranks.len() as u64));
}

//! Games of marks on text.

use super::*;

/// Tic-tac-toe of a kind on boards of 3x3, each a text of nine letters.
struct Marking {
    /// The letters that the sides put.
    marks: [&'static [u8]; 2],
    misere: bool,
    /// True if a row takes its board out of play.
    kills: bool,
}

const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn has_row(board: &[u8]) -> bool {
    ROWS.iter().any(|row| board[row[0]] != b'.' && row.iter().all(|&i| board[i] == board[row[0]]))
}

impl TextRules for Marking {
    fn over(&self, p: &[u8]) -> Option<Outcome> {
        let last_lost = if self.misere { Outcome::Win } else { Outcome::Loss };
        let is_decided = if self.kills { !p.contains(&b'.') } else { p.chunks(9).any(has_row) };
        match is_decided {
            true => Some(last_lost),
            false => (!p.contains(&b'.')).then_some(Outcome::Draw),
        }
    }

    fn moves(&self, p: &[u8]) -> Vec<(bool, Text)> {
        let turn = p.iter().filter(|&&c| c != b'.').count() % 2;
        let mut all = Vec::new();
        for cell in (0..p.len()).filter(|&cell| p[cell] == b'.') {
            for &mark in self.marks[turn] {
                let mut next = p.to_vec();
                next[cell] = mark;
                let board = cell / 9 * 9;
                if self.kills && has_row(&next[board..board + 9]) {
                    next[board..board + 9].fill(b'X');
                }
                all.push((false, next));
            }
        }
        all
    }
}

#[test]
fn games_of_marks_have_the_values_of_a_brute_force() {
    let empty = |boards: usize| vec![b'.'; 9 * boards];
    for (misere, value) in [(false, (Outcome::Win, Some(7))), (true, (Outcome::Draw, None))] {
        let rules = Marking { marks: [b"XO"; 2], misere, kills: false };
        let game = chosen::<Wild>(if misere { "misere" } else { "" });
        assert_eq!(ends_as(&game, &rules, empty(1)), value, "{misere}");
    }
    let rules = Marking { marks: [b"X", b"O"], misere: true, kills: false };
    let game = chosen::<Misere>("");
    assert_eq!(ends_as(&game, &rules, empty(1)), (Outcome::Draw, None));
    // Published by T. E. Plambeck and G. Whitehead: won on one board, lost on two.
    let rules = Marking { marks: [b"X"; 2], misere: true, kills: true };
    for (boards, outcome) in [(1, Outcome::Win), (2, Outcome::Loss)] {
        let game = chosen::<Notakto>(&format!("boards={boards}"));
        assert_eq!(ends_as(&game, &rules, empty(boards)).0, outcome, "{boards} boards");
    }
}

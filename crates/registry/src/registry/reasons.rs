//! Reasons for the value of a position: forced moves, forks, and the shortest win.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Branch, Position};
use everyply_core::game::{Outcome, PartialValue};

/// The most lines of the tree of a win; a larger tree is cut off.
const TREE_LINES: usize = 40;

/// The reasons for the value of a position.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Reasons {
    /// Moves that win at once.
    pub wins_at_once: Vec<String>,
    /// Moves after which every reply loses to the next move.
    pub forks: Vec<Fork>,
    /// The one move that does not lose, if all others do.
    pub forced: Option<String>,
    /// Losing moves of a position that is not lost, with the plies to the end; none without plies.
    pub losing: Vec<(String, u8)>,
    /// The shortest win of either side, if there is one and distances are known.
    pub win: Vec<WinStep>,
    /// True if the tree of the win is larger, and cut off.
    pub is_cut: bool,
}

/// A move that leaves the other side no defence.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Fork {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The moves that win after it, depending on the reply.
    pub threats: Vec<String>,
}

/// A step of a won game: a move of the winner, or replies that are all met alike.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct WinStep {
    /// True if the winner moves.
    pub is_winners: bool,
    /// The moves: one of the winner, or all replies that are met alike.
    pub moves: Vec<String>,
    /// Plies to the end, this one included.
    pub plies: u8,
    /// The steps that follow.
    pub then: Vec<WinStep>,
}

/// A function that returns the value of a position, for the side to move.
pub type Values<'v> = &'v dyn Fn(&dyn Position) -> Option<PartialValue>;

impl Reasons {
    /// Finds the reasons for the value of a position, from the values of all positions below it.
    pub fn of(position: &dyn Position, value: PartialValue, values: Values<'_>) -> Self {
        let branches: Vec<(Branch, PartialValue)> = valued_branches(position, values);
        let wins = |plies: u8| {
            branches.iter().filter(move |(_, value)| {
                value.outcome == Outcome::Win && value.remoteness.is_some_and(|r| r.0 == plies)
            })
        };
        let forks = wins(3).filter(|(branch, _)| !branch.keeps_turn).map(|(branch, _)| Fork {
            text: branch.text.clone(),
            threats: threats(branch.to.as_ref(), values),
        });
        let is_lost = |value: PartialValue| value.outcome == Outcome::Loss;
        let held: Vec<&Branch> =
            branches.iter().filter(|(_, value)| !is_lost(*value)).map(|(b, _)| b).collect();
        let forced = match &held[..] {
            [only] if branches.len() > 1 => Some(only.text.clone()),
            _ => None,
        };
        let losing = branches
            .iter()
            .filter(|(_, each)| is_lost(*each) && !is_lost(value))
            .filter_map(|(branch, value)| Some((branch.text.clone(), value.remoteness?.0)));
        let mut left = Some(TREE_LINES);
        // Without distances, as in a game that is solved for points, no win is the shortest.
        let win = match value.outcome {
            Outcome::Draw => Vec::new(),
            _ if !value.is_exact() => Vec::new(),
            outcome => shortest_win(position, values, outcome == Outcome::Win, &mut left),
        };
        Self {
            wins_at_once: wins(1).map(|(branch, _)| branch.text.clone()).collect(),
            forks: forks.collect(),
            forced,
            losing: losing.collect(),
            win,
            is_cut: left.is_none(),
        }
    }

    /// Writes the tree of the win as text; `winner` and `loser` are the names of the sides.
    pub fn tree(&self, winner: &str, loser: &str) -> String {
        let mut text = String::new();
        write_steps(&self.win, winner, loser, 1, &mut text);
        if self.is_cut {
            text.push_str("  ...\n");
        }
        text
    }
}

/// Returns the moves of a position with their values for the side that makes them.
pub fn valued_branches(position: &dyn Position, values: Values<'_>) -> Vec<(Branch, PartialValue)> {
    let value = |branch: Branch| {
        let value = values(branch.to.as_ref())?.one_ply_earlier(branch.keeps_turn);
        Some((branch, value))
    };
    position.branches().into_iter().filter_map(value).collect()
}

/// Returns the moves that win at once after any reply.
fn threats(position: &dyn Position, values: Values<'_>) -> Vec<String> {
    let mut threats: Vec<String> = Vec::new();
    for reply in position.branches() {
        for (next, value) in valued_branches(reply.to.as_ref(), values) {
            let is_win =
                value.remoteness.is_some_and(|r| r.0 == 1) && value.outcome == Outcome::Win;
            if is_win && !threats.contains(&next.text) {
                threats.push(next.text);
            }
        }
    }
    threats
}

/// Finds the shortest win from a position against the longest defence, in at most `left` lines;
/// `left` is `None` after a line that found no room.
fn shortest_win(
    position: &dyn Position,
    values: Values<'_>,
    is_winners: bool,
    left: &mut Option<usize>,
) -> Vec<WinStep> {
    let mut branches = valued_branches(position, values);
    let plies = |value: PartialValue| value.remoteness.map_or(0, |r| r.0);
    // The quickest win, or the longest defences first.
    branches.sort_by_key(|(_, value)| match plies(*value) {
        plies if is_winners => plies,
        plies => u8::MAX - plies,
    });
    if is_winners {
        branches.retain(|(_, value)| value.outcome == Outcome::Win);
        branches.truncate(1);
    }
    let mut steps: Vec<WinStep> = Vec::new();
    for (branch, value) in branches {
        let next_is_winners = is_winners == branch.keeps_turn;
        let mut budget = left.and_then(|left| left.checked_sub(1));
        if budget.is_none() {
            *left = None;
            break;
        }
        let then = shortest_win(branch.to.as_ref(), values, next_is_winners, &mut budget);
        let plies = plies(value);
        let same = steps.iter_mut().find(|step| step.then == then && step.plies == plies);
        // What was cut off may be what differs.
        if let Some(step) = same.filter(|_| budget.is_some()) {
            step.moves.push(branch.text);
        } else {
            *left = budget;
            steps.push(WinStep { is_winners, moves: vec![branch.text], plies, then });
        }
    }
    steps
}

/// A line of the tree: turns of either side, until the loser has a choice again.
pub struct TreeLine<'s> {
    /// The turns: true for the winner, and the moves in words.
    pub turns: Vec<(bool, String)>,
    /// True if the game ends with the last of them.
    pub ends: bool,
    /// The steps that follow.
    pub then: &'s [WinStep],
}

impl WinStep {
    /// Returns the line that begins with this step. An answer stands on the line of the move it
    /// answers, and a side that moves again has one turn.
    pub fn line(&self) -> TreeLine<'_> {
        let (mut turns, mut last) = (vec![(self.is_winners, self.moves.join(" or "))], self);
        while let [only] = &last.then[..]
            && (only.is_winners || !last.is_winners)
        {
            let moves = only.moves.join(" or ");
            match turns.last_mut().filter(|(side, _)| *side == only.is_winners) {
                Some((_, turn)) => *turn += &format!(" then {moves}"),
                None => turns.push((only.is_winners, moves)),
            }
            last = only;
        }
        TreeLine { turns, ends: last.plies == 1, then: &last.then }
    }
}

fn write_steps(steps: &[WinStep], winner: &str, loser: &str, depth: usize, text: &mut String) {
    for line in steps.iter().map(WinStep::line) {
        let side = |is_winners: bool| if is_winners { winner } else { loser };
        let turns: Vec<String> =
            line.turns.iter().map(|(is, moves)| format!("{} {moves}", side(*is))).collect();
        let end = match line.turns.last() {
            Some((true, _)) if line.ends => " wins",
            Some((false, _)) if line.ends => " loses",
            _ => "",
        };
        let _ = writeln!(text, "{:2$}{}{end}", "", turns.join(", "), 2 * depth);
        write_steps(line.then, winner, loser, depth + 1, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::TextForm;
    use crate::solutions::tests::start;
    use everyply_core::control::Control;

    #[test]
    fn a_tree_is_cut_if_a_line_finds_no_room() {
        fn lines(steps: &[WinStep]) -> usize {
            steps.iter().map(|step| 1 + lines(&step.then)).sum()
        }
        for (name, moves) in [("hexapawn", ""), ("ttt", "12"), ("ttt", "1259")] {
            let start = start(name, &[]);
            let solved = start.solve(1 << 20, &Control::default()).unwrap();
            let position = start.read_as(TextForm::Moves, moves).unwrap().0;
            let values = |at: &dyn Position| solved.value_of(at.key()?);
            let is_won = values(position.as_ref()).unwrap().outcome == Outcome::Win;
            let tree = |mut room| {
                let steps = shortest_win(position.as_ref(), &values, is_won, &mut room);
                (lines(&steps), room.is_none())
            };
            let (whole, is_cut) = tree(Some(usize::MAX));
            assert!(whole > 1 && !is_cut, "{name} {moves}");
            let needed = (whole..).find(|room| !tree(Some(*room)).1).unwrap();
            assert_eq!(tree(Some(needed)), (whole, false), "{name} {moves}");
            for room in 0..needed {
                assert_eq!(tree(Some(room)), (room, true), "{name} {moves}");
            }
        }
    }
}

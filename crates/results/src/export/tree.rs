//! Whole trees, solved and counted, and their documents.

use std::convert::Infallible;
use std::time::Duration;

use everyply_core::control::Control;
use everyply_core::exhaustive::{Games, Plies, Solution, SolveError, Totals};
use everyply_core::game::PartialValue;
use everyply_registry::registry::{Points, Position};

use super::Scoring;
use super::position::{
    Counts, FullBoardCounts, MoveDocument, MoveName, PositionDocument, TreeFields, value_row,
};

pub struct SolvedTree {
    pub answers: Solution,
    /// Final points, in games that count them.
    pub points: Option<Points>,
    /// The counts by ply; empty if play may be endless.
    pub plies: Plies,
}

impl SolvedTree {
    /// Solves a tree of `most` positions at most, and counts it.
    ///
    /// # Errors
    /// If it has more positions, or it is stopped.
    pub fn of(position: &dyn Position, most: u64, control: &Control) -> Result<Self, SolveError> {
        let answers = position.solve(most, control)?;
        let points = points_of(position, &answers);
        let mut plies = Plies::default();
        if position.plies_left().is_some() {
            plies = answers.plies(u32::MAX, control)?;
        }
        Ok(Self { answers, points, plies })
    }

    /// Returns the moves of the root, ascending.
    pub fn moves(&self, root: &dyn Position) -> Vec<SolvedMove> {
        let values = root.key().map_or(Vec::new(), |key| self.answers.moves_of(key));
        let mut moves = Vec::new();
        for (i, (m, (_, value))) in root.moves().into_iter().zip(values).enumerate() {
            let played_for = self.points.as_ref().map(|points| (points.best, points.moves[i].1));
            let is_soonest = value.attains(self.answers.value());
            moves.push(SolvedMove {
                text: m.text,
                value,
                points: played_for.map(|(_, there)| there),
                is_best: played_for.map_or(is_soonest, |(best, there)| there == best),
                is_soonest,
            });
        }
        moves
    }
}

pub struct SolvedMove {
    pub text: String,
    /// The value for the side that makes the move.
    pub value: PartialValue,
    /// The final points for it, in games that count them.
    pub points: Option<i32>,
    /// True if it attains the points of the root or, in games without points, its value.
    pub is_best: bool,
    /// True if it attains the value of the root: the outcome, with the fewest plies to a win and the
    /// most to a loss.
    pub is_soonest: bool,
}

/// Returns the points of a solved position and of its moves; `None` if the game counts none.
pub(super) fn points_of(position: &dyn Position, answers: &Solution) -> Option<Points> {
    if !position.info().counts_points {
        return None;
    }
    let points = Points::of(position, |at| {
        // From a position without the symmetries of the game, play reaches one image of a row.
        let mut keys = at.key().into_iter().chain(at.images().into_iter().map(|(key, _)| key));
        Ok::<_, Infallible>(keys.find_map(|key| answers.points_of(key)))
    });
    points.ok().flatten()
}

impl SolvedTree {
    fn counts(&self, position: &dyn Position) -> Counts {
        let Self { answers, plies, .. } = self;
        let Totals { positions, canonical, terminal, wins, draws, endless, losses, .. } =
            answers.totals();
        let mut games = plies.histories.games();
        if position.lines().is_some() {
            games = games.after(position.tier());
        }
        let known = |n: u64| (plies.complete && n != u64::MAX).then_some(n);
        let Games { games, first_player_wins, second_player_wins, draws: drawn } = games;
        Counts {
            nodes: known(plies.histories.nodes()),
            games: known(games),
            first_player_wins: known(first_player_wins),
            second_player_wins: known(second_player_wins),
            draws: known(drawn),
            full_board: position.full_board().map(|counts| FullBoardCounts {
                full_board_leaves: counts.leaves,
                full_board_nodes: counts.nodes,
            }),
            positions,
            canonical_positions: canonical,
            terminal_positions: terminal,
            won_positions: wins,
            drawn_positions: draws,
            endless_positions: endless,
            lost_positions: losses,
        }
    }
}

impl PositionDocument {
    /// Creates the document of a solved tree; `scoring` makes a score of the value.
    pub fn of_tree(
        position: &dyn Position,
        moves: Option<String>,
        solved: &SolvedTree,
        scoring: Option<Scoring>,
        (threads, elapsed): (usize, Duration),
    ) -> Self {
        let SolvedTree { answers, points, plies } = solved;
        let (value, rows) = (answers.value(), solved.moves(position));
        let score =
            |scoring: Scoring| Some(scoring.score(value.exact()?, position.start().plies_left()?));
        let score = scoring.and_then(score);
        let row = |m: &SolvedMove| MoveDocument {
            points: m.points,
            ..MoveDocument::new(MoveName::new(position, &m.text), Some(m.value))
        };
        let those = |is: fn(&SolvedMove) -> bool| -> Vec<MoveName> {
            rows.iter().filter(|m| is(m)).map(|m| MoveName::new(position, &m.text)).collect()
        };
        let document = Self {
            value: Some(value_row(position, value)),
            scoring: scoring.filter(|_| score.is_some()),
            score,
            points: points.as_ref().map(|points| points.best),
            best: Some(those(|m| m.is_best)),
            soonest: points.as_ref().map(|_| those(|m| m.is_soonest)),
            values: Some(rows.iter().map(row).collect()),
            tree: Some(TreeFields { counts: solved.counts(position), plies: plies.counts.clone() }),
            ..Self::new(position, moves)
        };
        document.of_run(false, threads, elapsed)
    }
}

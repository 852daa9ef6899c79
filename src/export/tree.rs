//! The JSON document of a complete tree, on the command line and over HTTP.

use std::time::Duration;

use serde::Serialize;

use super::{Scoring, ScoringScore};
use crate::exhaustive::{Games, Solution};
use crate::game::ValueRow;
use crate::games::line::notation::{picture, side_to_move};
use crate::games::line::{FullBoard, LineGame};
use crate::statistics::PlyCounts;

/// The JSON document of a complete tree.
#[derive(Serialize)]
pub(crate) struct TreeDocument {
    pub game: &'static str,
    pub board: String,
    pub line: u8,
    pub position: String,
    pub to_move: char,
    pub value: ValueRow,
    pub scoring: Scoring,
    pub score: ScoringScore,
    pub threads: usize,
    pub elapsed_s: f64,
    pub counts: Counts,
    /// The method that counted `nodes` and `games`: walking and positions, or positions alone.
    pub counted_by: &'static str,
    pub plies: Vec<PlyCounts>,
    pub moves: Vec<MoveRow>,
}

#[derive(Serialize)]
pub(crate) struct Counts {
    pub nodes: Option<u64>,
    pub games: Option<u64>,
    pub first_player_wins: Option<u64>,
    pub second_player_wins: Option<u64>,
    pub draws: Option<u64>,
    pub full_board_leaves: Option<u64>,
    pub full_board_nodes: Option<u64>,
    pub positions: u64,
    pub canonical_positions: u64,
    pub terminal_positions: u64,
}

#[derive(Serialize)]
pub(crate) struct MoveRow {
    #[serde(rename = "move")]
    pub m: u32,
    #[serde(flatten)]
    pub value: ValueRow,
}

impl TreeDocument {
    /// Trees of up to this many full-board histories are walked node by node as well as counted as
    /// paths over their positions. Larger ones are only counted, which gives the same numbers
    /// from far less work.
    pub const WALKED: u64 = 20_000_000;

    /// `walked`: the histories were counted by walking as well.
    pub fn new<G: LineGame>(
        solution: &Solution<G>,
        walked: bool,
        scoring: Scoring,
        threads: usize,
        elapsed: Duration,
    ) -> Self {
        let game = solution.game();
        let root = solution.root();
        let value = solution.entry(root).expect("the root is solved").value;
        let full = FullBoard::count(game, root);
        let Games { games, first_player_wins, second_player_wins, draws } =
            solution.histories().games().after(root.ply());
        let known = |n: u64| (n != u64::MAX).then_some(n);
        let sum = |f: fn(&PlyCounts) -> Option<u64>| solution.counts().iter().filter_map(f).sum();
        Self {
            game: game.name(),
            board: game.size().board(),
            line: game.size().line,
            position: picture(game, root),
            to_move: side_to_move(root),
            value: value.into(),
            scoring,
            score: scoring.score(value, game.size().cells()),
            threads,
            elapsed_s: elapsed.as_secs_f64(),
            counts: Counts {
                nodes: known(solution.histories().nodes()),
                games: known(games),
                first_player_wins: known(first_player_wins),
                second_player_wins: known(second_player_wins),
                draws: known(draws),
                full_board_leaves: full.leaves,
                full_board_nodes: full.nodes,
                positions: sum(|c| c.positions),
                canonical_positions: sum(|c| c.canonical),
                terminal_positions: sum(|c| c.terminal),
            },
            counted_by: if walked { "walk and paths" } else { "paths" },
            plies: solution.counts().to_vec(),
            moves: solution
                .moves(root)
                .into_iter()
                .map(|(m, value)| MoveRow { m: m.number(), value: value.into() })
                .collect(),
        }
    }
}

//! The rows of CSV files and of the tables in JSON: every name once.

use serde::Serialize;

use crate::game::{Outcome, Remoteness, Value};
use crate::statistics::{Iteration, PlyCounts, RootMove, Score};

/// A ply of a tree; see [`PlyCounts`]. Unknown counts are empty (CSV) or null (JSON).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlyRow {
    ply: u8,
    nodes: Option<u64>,
    games: Option<u64>,
    positions: Option<u64>,
    canonical: Option<u64>,
    terminal: Option<u64>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
}

impl From<&PlyCounts> for PlyRow {
    fn from(c: &PlyCounts) -> Self {
        Self {
            ply: c.ply.0,
            nodes: c.nodes,
            games: c.games,
            positions: c.positions,
            canonical: c.canonical,
            terminal: c.terminal,
            wins: c.wins,
            draws: c.draws,
            losses: c.losses,
        }
    }
}

/// An iteration of iterative deepening; see [`Iteration`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct IterationRow {
    depth: u32,
    score: Score,
    nodes: u64,
    leaf_evaluations: u64,
    table_probes: u64,
    table_hits: u64,
    table_stores: u64,
    cutoffs: u64,
    first_move_cutoffs: u64,
    elapsed_s: f64,
}

impl From<&Iteration> for IterationRow {
    fn from(i: &Iteration) -> Self {
        Self {
            depth: i.depth,
            score: i.score,
            nodes: i.counters.nodes,
            leaf_evaluations: i.counters.leaf_evaluations,
            table_probes: i.counters.table_probes,
            table_hits: i.counters.table_hits,
            table_stores: i.counters.table_stores,
            cutoffs: i.counters.cutoffs,
            first_move_cutoffs: i.counters.first_move_cutoffs,
            elapsed_s: i.elapsed.as_secs_f64(),
        }
    }
}

/// A move of a search's root; see [`RootMove`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RootMoveRow {
    #[serde(rename = "move")]
    m: u32,
    outcome: Option<&'static str>,
    remoteness: Option<u8>,
    score: Option<Score>,
    nodes: u64,
}

impl From<&RootMove> for RootMoveRow {
    fn from(r: &RootMove) -> Self {
        Self {
            m: r.m.number(),
            outcome: r.outcome.map(Outcome::word),
            remoteness: r.remoteness.map(|Remoteness(r)| r),
            score: r.score,
            nodes: r.nodes,
        }
    }
}

/// A value, for the side to move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ValueRow {
    outcome: &'static str,
    remoteness: u8,
}

impl ValueRow {
    /// Plies to the end.
    #[must_use]
    pub const fn remoteness(&self) -> u8 {
        self.remoteness
    }
}

impl From<Value> for ValueRow {
    fn from(value: Value) -> Self {
        Self { outcome: value.outcome.word(), remoteness: value.remoteness.0 }
    }
}

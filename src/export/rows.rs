//! The rows of CSV files and of the tables in JSON: every name once.

use serde::Serialize;

use crate::game::{PartialValue, Value, Worth};
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
            outcome: r.value.map(|value| value.outcome.word()),
            remoteness: r.value.and_then(|value| value.remoteness).map(|r| r.0),
            score: r.score,
            nodes: r.nodes,
        }
    }
}

/// A value, for the side to move; no remoteness where it is not known or play is endless.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ValueRow {
    outcome: &'static str,
    remoteness: Option<u8>,
}

impl From<PartialValue> for ValueRow {
    fn from(value: PartialValue) -> Self {
        Self { outcome: value.outcome.word(), remoteness: value.remoteness.map(|r| r.0) }
    }
}

impl From<Value> for ValueRow {
    fn from(value: Value) -> Self {
        PartialValue::from(value).into()
    }
}

impl From<Worth> for ValueRow {
    fn from(worth: Worth) -> Self {
        PartialValue::from(worth).into()
    }
}

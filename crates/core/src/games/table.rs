//! A game as a table of all positions and moves, found outside this crate.
//!
//! A game with rules in another language, or without rules, becomes a [`Game`] by its position graph.
//! Positions and moves are numbers, so that engines call nothing outside.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::game::{
    Drawn, Evaluate, Game, Key, Keyed, Notation, Outcome, Parameter, Registered, Symmetric, Tiered,
    Unreadable,
};

/// Draws a position, given the ordinals of the moves that lead there from the start.
pub type Painter = dyn Fn(&[u32]) -> String + Send + Sync;

/// A position graph with the texts of its moves. Position 0 is the start.
#[derive(Clone)]
pub struct Table(Arc<Graph>);

struct Graph {
    name: &'static str,
    title: String,
    parameters: [u8; 3],
    painter: Box<Painter>,
    texts: Vec<String>,
    /// Results of positions by number.
    results: Vec<Option<Outcome>>,
    /// The index of the first move of each position, and the end of all moves.
    from: Vec<u32>,
    moves: Vec<TableMove>,
    /// The move by which each position was first found; none leads to the start.
    found_by: Vec<u32>,
    /// The plies of the shortest way from the start.
    depths: Vec<u32>,
    /// The most plies left, if play ends.
    left: Option<Vec<u32>>,
    most_moves: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct TableMove {
    /// The number of its text.
    pub text: u32,
    pub to: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
}

/// The rows of a table, one for each position in the order of their numbers.
#[derive(Debug, Default)]
pub struct TableRows {
    results: Vec<Option<Outcome>>,
    from: Vec<u32>,
    moves: Vec<TableMove>,
}

impl TableRows {
    /// Adds the next position: its result, or its moves.
    pub fn push(
        &mut self,
        result: Option<Outcome>,
        moves: impl IntoIterator<Item = TableMove>,
    ) -> Result<(), TooLarge> {
        self.from.push(u32::try_from(self.moves.len()).map_err(|_| TooLarge)?);
        self.results.push(result);
        self.moves.extend(moves);
        Ok(())
    }

    pub const fn len(&self) -> usize {
        self.results.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}

/// There are more than 2^32 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table holds at most 4,294,967,295 moves: take a smaller game")]
pub struct TooLarge;

impl Table {
    /// Creates the game of these positions, the start first: a move of an earlier one finds each.
    ///
    /// Games of one `name` with the same `parameters` are the same game.
    ///
    /// # Panics
    /// If there is no position, a move leads to none, or a position is not found by an earlier one.
    pub fn new(
        name: &'static str,
        title: String,
        parameters: [u8; 3],
        texts: Vec<String>,
        rows: TableRows,
        painter: Box<Painter>,
    ) -> Result<Self, TooLarge> {
        let TableRows { results, mut from, moves } = rows;
        from.push(u32::try_from(moves.len()).map_err(|_| TooLarge)?);
        let mut found_by = vec![u32::MAX; results.len()];
        let mut depths = vec![0; results.len()];
        for position in 0..results.len() {
            assert!(position == 0 || found_by[position] != u32::MAX, "{position} is found");
            for m in from[position]..from[position + 1] {
                let to = moves[m as usize].to as usize;
                if to > position && found_by[to] == u32::MAX {
                    found_by[to] = m;
                    depths[to] = depths[position] + 1;
                }
            }
        }
        let left = plies_left(&from, &moves);
        let most_moves = from.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        Ok(Self(Arc::new(Graph {
            name,
            title,
            parameters,
            painter,
            texts,
            results,
            from,
            moves,
            found_by,
            depths,
            left,
            most_moves,
        })))
    }

    pub fn positions(&self) -> u32 {
        self.0.results.len() as u32
    }

    /// Returns the plies of the longest game; `None` if play may be endless.
    pub fn longest_play(&self) -> Option<u32> {
        self.0.left.as_ref().map(|left| left[0])
    }

    fn edges(&self, position: u32) -> Range<u32> {
        let from = &self.0.from;
        from[position as usize]..from[position as usize + 1]
    }

    /// Returns the ordinals of the moves by which a position was first found.
    pub fn way_to(&self, position: u32) -> Vec<u32> {
        let mut way = Vec::new();
        let mut position = position;
        while position != 0 {
            let m = self.0.found_by[position as usize];
            // The last position whose moves do not begin later: it has moves, as this is one.
            position = self.0.from.partition_point(|&from| from <= m) as u32 - 1;
            way.push(m - self.edges(position).start);
        }
        way.reverse();
        way
    }
}

/// Returns the most plies that play from each position takes; `None` if it may be endless.
fn plies_left(from: &[u32], moves: &[TableMove]) -> Option<Vec<u32>> {
    let positions = from.len() - 1;
    let edges = |n: usize| from[n] as usize..from[n + 1] as usize;
    let mut into = vec![0u32; positions];
    moves.iter().for_each(|m| into[m.to as usize] += 1);
    let mut order: Vec<u32> = (0..positions as u32).filter(|&n| into[n as usize] == 0).collect();
    let mut next = 0;
    while let Some(&n) = order.get(next) {
        next += 1;
        for m in &moves[edges(n as usize)] {
            into[m.to as usize] -= 1;
            if into[m.to as usize] == 0 {
                order.push(m.to);
            }
        }
    }
    // Positions left over are on a cycle, or after one.
    (order.len() == positions).then(|| {
        let mut left = vec![0; positions];
        for &n in order.iter().rev() {
            let longest = moves[edges(n as usize)].iter().map(|m| left[m.to as usize] + 1);
            left[n as usize] = longest.max().unwrap_or(0);
        }
        left
    })
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("title", &self.0.title).finish_non_exhaustive()
    }
}

impl Game for Table {
    type Position = u32;
    /// The number of a move among all moves.
    type Move = u32;
    type Moves = Range<u32>;

    fn initial(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn result(&self, position: u32) -> Option<Outcome> {
        self.0.results[position as usize]
    }

    #[inline(always)]
    fn moves(&self, position: u32) -> Range<u32> {
        self.edges(position)
    }

    #[inline(always)]
    fn play(&self, _: u32, m: u32) -> u32 {
        self.0.moves[m as usize].to
    }

    fn most_moves(&self) -> u32 {
        self.0.most_moves
    }

    #[inline(always)]
    fn keeps_turn(&self, _: u32, m: u32) -> bool {
        self.0.moves[m as usize].keeps_turn
    }

    /// Each move goes at most one ply farther from the start.
    fn plies_between(&self, from: u32, to: u32) -> Option<u32> {
        let depth = |position: u32| self.0.depths[position as usize];
        Some(depth(to).saturating_sub(depth(from)).max(u32::from(from != to)))
    }
}

impl Keyed for Table {
    type Key = Key;

    #[inline(always)]
    fn key(&self, position: u32) -> Key {
        Key(position.into())
    }

    #[inline(always)]
    fn position_of(&self, key: Key) -> Option<u32> {
        u32::try_from(key.0).ok().filter(|&position| position < self.positions())
    }

    fn key_bits(&self) -> u32 {
        u32::BITS - self.positions().leading_zeros()
    }
}

impl Symmetric for Table {}
impl Evaluate for Table {}

/// A bound if play ends, else the largest number.
impl Tiered for Table {
    fn plies_left(&self, position: u32) -> u32 {
        self.0.left.as_ref().map_or(u32::MAX, |left| left[position as usize])
    }
}

impl Notation for Table {
    fn parameters(&self) -> [u8; 3] {
        self.0.parameters
    }

    fn title(&self) -> String {
        self.0.title.clone()
    }

    fn write_move(&self, m: u32) -> String {
        self.0.texts[self.0.moves[m as usize].text as usize].clone()
    }

    fn picture(&self, position: u32) -> String {
        (self.0.painter)(&self.way_to(position))
    }
}

impl Drawn for Table {}

/// A caller passes a table; a name does not choose one.
impl Registered for Table {
    type Game = Self;
    /// Each table has a name of its own.
    const NAME: &'static str = "table";
    const ABOUT: &'static str = "A game given as a table";
    const PARAMETERS: &'static [Parameter] = &[];

    fn name(table: &Self) -> &'static str {
        table.0.name
    }

    fn of_parameters(_: [u8; 3]) -> Result<Self, Unreadable> {
        Err(Unreadable("a table is handed over, not chosen".into()))
    }
}

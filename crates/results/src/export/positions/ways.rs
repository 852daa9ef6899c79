//! Ways to positions, and their points, for the rows of a file that has neither.

use std::sync::OnceLock;

use super::super::tree::points_of;
use super::error::ExportError;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::Solution;
use everyply_registry::registry::{Points, Position, WayOfKey};

/// The ways to positions: found by a search for each on boards of stones and lines or for few
/// positions, else all at once.
pub(super) struct WayFinder<'s> {
    start: &'s dyn Position,
    control: &'s Control,
    /// True on boards of stones and lines.
    pub on_lines: bool,
    /// All positions solved anew for their points, which the file does not have.
    points: OnceLock<Option<Solution>>,
    /// The positions requested so far.
    asked: u64,
    all: Option<WayOfKey<'s>>,
    /// True if there are too many ways to keep.
    has_too_many: bool,
}

impl<'s> WayFinder<'s> {
    /// The most positions with ways that are kept, some 64 bytes each at most.
    const MOST: u64 = 1 << 22;

    /// The most in a game that numbers its positions.
    const MOST_RANKED: u64 = 1 << 17;

    /// Creates the ways from the start of a game. They are found at once in a game with ranks,
    /// where a search for one may visit all positions, and in other games if there are at most
    /// `first`.
    pub fn new(start: &'s dyn Position, first: u64, control: &'s Control) -> Result<Self, Stopped> {
        let mut finder = Self {
            start,
            control,
            on_lines: start.lines().is_some(),
            points: OnceLock::new(),
            asked: 0,
            all: None,
            has_too_many: false,
        };
        if !finder.on_lines && (first > 0 || start.ranks().is_some()) {
            finder.find(first)?;
        }
        Ok(finder)
    }

    fn find(&mut self, most: u64) -> Result<(), Stopped> {
        // The search for ways lacks the ranks and most symmetries that make such a solution cheap.
        let has_ranks = self.start.ranks().is_some();
        let most = if has_ranks { Self::MOST_RANKED } else { most.min(Self::MOST) };
        self.all = self.start.ways(most as usize, self.control)?;
        self.has_too_many = self.all.is_none() && (has_ranks || most == Self::MOST);
        Ok(())
    }

    /// Finds all ways, if that work is in proportion to the positions asked for: `more` of them
    /// now.
    pub fn expect(&mut self, more: u64) -> Result<(), Stopped> {
        self.asked += more;
        let is_open = self.all.is_none() && !self.has_too_many;
        if self.asked >= 256 && is_open && !self.on_lines {
            self.find(1024 * self.asked)?;
        }
        Ok(())
    }

    pub fn to(&self, position: &dyn Position) -> Option<String> {
        match &self.all {
            Some(way) => position.key().and_then(way),
            // A search for each would visit all positions again and again.
            None if self.has_too_many => None,
            None => position.moves_to().ok(),
        }
    }

    /// Returns the points of a position from a solution of the game, if the game counts them and
    /// its solution is not too large.
    pub fn points(&self, position: &dyn Position) -> Result<Option<Points>, ExportError> {
        if !self.start.info().counts_points || self.start.lead().is_some() {
            return Ok(None);
        }
        let solve = || self.start.solve(Self::MOST, self.control).ok();
        match self.points.get_or_init(solve) {
            Some(answers) => Ok(points_of(position, answers)),
            None => Ok(None),
        }
    }
}

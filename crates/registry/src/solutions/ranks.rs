//! The places of the positions of a Connect Four board in its solution file.

use super::chunk::CHUNK;
use super::layout::{Description, Layout};
use everyply_connect_four::profiles::{Board, Profile, value_near_end};
use everyply_core::game::{Game, Keyed, Ply, Value};
use everyply_core::games::line::{LineGame, Size, Stones};

/// The board of a file, and the place of every position in it.
#[derive(Debug)]
pub(super) struct BoardRanks {
    pub board: Board,
    /// The stored profiles of every ply, ascending, and the number of its first chunk.
    pub plies: Vec<(Vec<Profile>, usize)>,
}

/// The place of the value of a position.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// No place: the stones are no position.
    Nowhere,
    /// No place: the rules give the value.
    Known(Value),
    /// In a chunk of the file, at an index.
    In { chunk: usize, at: usize, ply: Ply },
}

impl BoardRanks {
    /// Returns the board that a file describes; the fault if there is none.
    pub fn of(layout: &Layout) -> Result<Self, String> {
        let Description { parameters: [width, height, line], root, .. } = layout.description;
        let board = Size::new(width, height, line).and_then(Board::new);
        let board = board.map_err(|error| error.to_string())?;
        let (game, tiers) = (board.game(), &layout.description.tiers);
        let is_start = game.game_id() == layout.id && game.key(game.initial()).0 == root;
        if !is_start || tiers.len() != board.last_ply().index() + 1 {
            return Err("the parameters are of no board".to_owned());
        }
        let (mut plies, mut first) = (Vec::new(), 0);
        // The chunks of the file bound the memory: a ply has more ranks than profiles.
        for ((ply, tier), profiles) in (0..).map(Ply).zip(tiers).zip(board.canonical_profiles()) {
            let ranks = board.colourings(ply).checked_mul(profiles.len() as u64);
            if ranks != Some(tier.entries) {
                return Err(format!("the tier '{}' has other positions", tier.name));
            }
            plies.push((profiles, first));
            first += tier.chunks() as usize;
        }
        Ok(Self { board, plies })
    }

    pub fn place(&self, position: Stones) -> Place {
        let game = self.board.game();
        if game.position_of(game.key(position)) != Some(position) {
            return Place::Nowhere;
        }
        if let Some(value) = value_near_end(game, position) {
            return Place::Known(value);
        }
        let ((profile, rank), ply) = (self.board.canonical_rank(position), position.ply());
        let (profiles, first) = &self.plies[ply.index()];
        let before = profiles.partition_point(|other| *other < profile) as u64;
        let rank = before * self.board.colourings(ply) + rank;
        let chunk = first + (rank / CHUNK as u64) as usize;
        Place::In { chunk, at: (rank % CHUNK as u64) as usize, ply }
    }
}

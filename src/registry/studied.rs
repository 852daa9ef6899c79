//! A game of any type as a study.

use std::marker::PhantomData;

use super::method::{Method, Search};
use super::{Answers, Branch, Capability, Study};
use crate::control::{Control, Stopped};
use crate::exhaustive::{Plies, SolveError, count_plies, walk_plies};
use crate::game::{
    Key, MoveSet, Outcome, Ply, Registered, Symmetry, Unreadable, Unsuited, branches, images,
    shortest_moves,
};
use crate::search::{Settings, Table};
use crate::statistics::{Score, SearchCounters};

/// The tiers of a game as the database counts them: from the start of the game that its parameters
/// name, which is one for all that share their positions.
pub(super) fn tiers<G: Registered, M: Method<G>>(game: &G) -> impl Fn(G::Position) -> Ply + '_ {
    let named = G::of_parameters(game.parameters()).unwrap_or_else(|_| game.clone());
    let start = M::plies_left(&named, named.initial()).unwrap_or(0);
    move |position| {
        let left = M::plies_left(game, position).unwrap_or(0);
        Ply(u8::try_from(start.saturating_sub(left)).unwrap_or(u8::MAX))
    }
}

/// A game and a position, and how the game is solved.
pub(super) struct Studied<G: Registered, M> {
    game: G,
    position: G::Position,
    method: PhantomData<M>,
}

impl<G: Registered, M: Method<G>> Studied<G, M> {
    pub fn at_the_start(game: G) -> Self {
        let position = game.initial();
        Self { game, position, method: PhantomData }
    }

    fn at(&self, position: G::Position) -> Box<dyn Study> {
        Box::new(Self { game: self.game.clone(), position, method: PhantomData })
    }
}

impl<G: Registered, M: Method<G>> Study for Studied<G, M> {
    fn name(&self) -> &'static str {
        self.game.name()
    }

    fn parameters(&self) -> [u8; 3] {
        self.game.parameters()
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn position_help(&self) -> &'static str {
        self.game.position_help()
    }

    fn capabilities(&self) -> Vec<Capability> {
        let tiered = M::plies_left(&self.game, self.position).map(|_| Capability::Tiered);
        let symmetric = (self.game.symmetries() > 1).then_some(Capability::Symmetric);
        tiered.into_iter().chain(symmetric).collect()
    }

    fn picture(&self) -> String {
        self.game.picture(self.position)
    }

    fn to_move(&self) -> Option<char> {
        self.game.to_move(self.position)
    }

    fn result(&self) -> Option<Outcome> {
        self.game.result(self.position)
    }

    fn read(&self, text: &str) -> Result<Box<dyn Study>, Unreadable> {
        Ok(self.at(self.game.parse_position(text)?))
    }

    fn of_key(&self, key: Key) -> Option<Box<dyn Study>> {
        Some(self.at(self.game.position_of(key)?))
    }

    fn branches(&self) -> Vec<Branch> {
        if self.result().is_some() {
            return Vec::new();
        }
        branches(&self.game, self.position)
            .map(|(bit, m, keeps_turn, to)| Branch {
                text: self.game.write_move(m),
                bit,
                keeps_turn,
                to: self.at(to),
            })
            .collect()
    }

    fn moves_to(&self) -> Option<String> {
        let moves = shortest_moves(&self.game, self.position).ok()?;
        let texts: Vec<String> = moves.into_iter().map(|m| self.game.write_move(m)).collect();
        Some(texts.join(","))
    }

    fn key(&self) -> Key {
        self.game.key(self.position)
    }

    fn canonical(&self) -> (Key, Symmetry) {
        self.game.canonical(self.position)
    }

    fn images(&self) -> Vec<(Key, Symmetry)> {
        images(&self.game, self.position)
    }

    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        self.game.image_moves(self.position, moves, symmetry)
    }

    fn key_bits(&self) -> u32 {
        self.game.key_bits()
    }

    fn tier(&self) -> Ply {
        tiers::<G, M>(&self.game)(self.position)
    }

    fn plies_left(&self) -> Option<u32> {
        M::plies_left(&self.game, self.position)
    }

    fn check(&self) -> Result<(), Unsuited> {
        M::check(&self.game, self.position)
    }

    fn bytes_per_position(&self) -> u64 {
        M::BYTES
    }

    fn solve(&self, most: u64, control: &Control) -> Result<Box<dyn Answers>, SolveError> {
        M::solve(self.game.clone(), self.position, most, control)
    }

    fn count(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        count_plies(&self.game, self.position, Ply(0), plies, |_| None, control)
    }

    fn search(
        &self,
        depth: u32,
        settings: Option<&Settings>,
        table: Option<&Table>,
        control: &Control,
        counters: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>> {
        let search = Search { depth, settings, table, control };
        M::search(&self.game, self.position, &search, counters)
    }

    fn walk(&self, plies: u32, control: &Control) -> Result<Vec<u64>, Stopped> {
        walk_plies(&self.game, self.position, plies, control)
    }
}

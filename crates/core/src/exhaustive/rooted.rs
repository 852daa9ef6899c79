//! A game below a root, for engines that keep positions by key.

use std::fmt::Debug;

use super::backwards::Child;
use super::code::Code;
use super::fold::Fold;
use super::layer::Layer;
use crate::game::{Game, Key, MoveSet, Outcome, Symmetric, branches};

/// The rules of a game by the keys of positions, which a [fold](Fold) keeps.
pub(super) trait KeyedRules: Debug + Send + Sync {
    /// Returns the key kept for the root.
    fn root(&self) -> Key;

    /// Returns true if the positions of a tier may lead to each other.
    fn loops(&self) -> bool;

    /// Replaces the list by the children of a position of a tier, none if the game is over; returns
    /// the result. Prefetches the slot of each child: the slots of all children are on the way to
    /// the cache before the first is looked up, since sets are larger than any cache.
    fn children(
        &self,
        tier: usize,
        key: Key,
        tiers: &[Layer],
        children: &mut Vec<Child>,
    ) -> Option<Outcome>;

    /// Returns the value of a position that the rules decide: the game is over, or every move ends
    /// it. Such a position leads only to ends of games.
    fn decided(&self, key: Key) -> Option<Code>;

    fn result(&self, key: Key) -> Option<Outcome>;

    /// Returns the points of a position whose game is over, if the game counts them.
    fn points(&self, key: Key) -> i32;

    fn counts_points(&self) -> bool;

    /// Returns the facts that counts of positions need.
    fn orbit(&self, key: Key) -> Orbit;

    /// Returns the tier of the position of any key, or one beyond all tiers if the root does not
    /// lead to it, and the key that is kept for it; `None` if there is no such position.
    fn kept(&self, key: Key) -> Option<(usize, Key)>;

    /// Returns the canonical key of a position, and the images of some of its moves.
    fn canonical(&self, key: Key, moves: MoveSet) -> (Key, MoveSet);

    /// Returns the same rules with a tier for each ply.
    fn by_ply(&self) -> Box<dyn KeyedRules + '_>;
}

/// The positions kept under one key.
pub(super) struct Orbit {
    pub result: Option<Outcome>,
    /// The number of the positions.
    pub positions: u64,
    /// The canonical key of the positions, unless that is the key kept.
    pub canonical: Option<Key>,
}

/// The division of positions into tiers, the root's first.
#[derive(Debug)]
pub(super) enum Order<G: Game> {
    /// One tier, whose positions may lead to each other.
    Loops,
    /// A tier for each [number of plies left](crate::game::Tiered::plies_left), from the root's number on.
    PliesLeft { root: u32, of: fn(&G, G::Position) -> u32 },
    /// A tier for each ply. A position may be in several.
    Plies,
}

/// A game, and the root of the positions that are kept.
#[derive(Debug)]
pub(super) struct Rooted<G: Symmetric> {
    pub game: G,
    pub root: G::Position,
    /// The symmetries up to which positions are kept.
    pub fold: Fold,
    order: Order<G>,
}

impl<G: Symmetric<Key = Key>> Rooted<G> {
    /// Keeps positions up to the symmetries that leave the root unchanged.
    pub fn new(game: G, root: G::Position, order: Order<G>) -> Self {
        Self { fold: Fold::of(&game, root), game, root, order }
    }

    /// Keeps positions up to all symmetries.
    pub fn up_to_symmetry(game: G, root: G::Position) -> Self {
        Self { fold: Fold::all(&game), game, root, order: Order::Loops }
    }

    pub fn position(&self, key: Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    /// Returns the tier of a position, or one beyond all tiers if the root does not lead to it; and
    /// the key that is kept for it.
    #[inline(always)]
    pub fn place(&self, position: G::Position) -> (usize, Key) {
        let tier = match self.order {
            Order::PliesLeft { root, of } => root.wrapping_sub(of(&self.game, position)) as usize,
            Order::Loops | Order::Plies => 0,
        };
        (tier, self.fold.apply(&self.game, position).0)
    }

    /// Calls [`place`](Self::place), not inlined, because the images of a position are long code.
    #[inline(never)]
    fn place_once(&self, position: G::Position) -> (usize, Key) {
        self.place(position)
    }
}

/// Returns the value of a position that the rules [decide](KeyedRules::decided).
pub(super) fn decided<G: Game>(game: &G, position: G::Position) -> Option<Code> {
    if let Some(result) = game.result(position) {
        return Some(Code::new(result, 0));
    }
    let mut best: Option<Code> = None;
    for m in game.moves(position) {
        let end = Code::new(game.result(game.play(position, m))?, 0);
        let value = end.one_ply_earlier(game.keeps_turn(position, m));
        best = best.filter(|best| best.preference() >= value.preference()).or(Some(value));
    }
    best
}

impl<G: Symmetric<Key = Key>> KeyedRules for Rooted<G> {
    fn root(&self) -> Key {
        self.place_once(self.root).1
    }

    fn loops(&self) -> bool {
        matches!(self.order, Order::Loops)
    }

    fn children(
        &self,
        tier: usize,
        key: Key,
        tiers: &[Layer],
        children: &mut Vec<Child>,
    ) -> Option<Outcome> {
        children.clear();
        let position = self.position(key);
        let result = self.game.result(position);
        if result.is_some() {
            return result;
        }
        for (bit, _, keeps_turn, child) in branches(&self.game, position) {
            let (to, key) = self.place(child);
            let to = if matches!(self.order, Order::Plies) { tier + 1 } else { to };
            tiers[to].prefetch(key);
            children.push(Child { tier: to as u32, key, keeps_turn, bit: bit as u8 });
        }
        None
    }

    fn decided(&self, key: Key) -> Option<Code> {
        decided(&self.game, self.position(key))
    }

    fn result(&self, key: Key) -> Option<Outcome> {
        self.game.result(self.position(key))
    }

    fn points(&self, key: Key) -> i32 {
        self.game.points(self.position(key)).unwrap_or(0)
    }

    fn counts_points(&self) -> bool {
        G::COUNTS_POINTS
    }

    fn orbit(&self, key: Key) -> Orbit {
        let Self { game, fold, .. } = self;
        let position = self.position(key);
        let canonical = (!fold.is_whole()).then(|| game.canonical(position).0);
        let positions = fold.orbit(game, position);
        Orbit { result: game.result(position), positions, canonical }
    }

    fn kept(&self, key: Key) -> Option<(usize, Key)> {
        self.game.position_of(key).map(|position| self.place_once(position))
    }

    fn canonical(&self, key: Key, moves: MoveSet) -> (Key, MoveSet) {
        let position = self.position(key);
        let (key, symmetry) = self.game.canonical(position);
        (key, self.game.image_moves(position, moves, symmetry))
    }

    fn by_ply(&self) -> Box<dyn KeyedRules + '_> {
        let (game, fold) = (self.game.clone(), self.fold.clone());
        Box::new(Self { game, fold, root: self.root, order: Order::Plies })
    }
}

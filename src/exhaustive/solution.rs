//! Values of all positions of a tree, backwards from the ends of the games.

use rayon::prelude::*;

use super::positions::Tree;
use super::walk::Histories;
use crate::control::{Control, Stopped};
use crate::game::{Game, Key, Move, MoveSet, Ply, Stones, Symmetry, Value};
use crate::statistics::PlyCounts;

/// A strong solution: outcome, remoteness and best moves of every position a root leads to.
#[derive(Debug)]
pub struct Solution<G> {
    pub(super) tree: Tree<G>,
    counts: Vec<PlyCounts>,
}

/// A solved position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The board.
    pub position: Stones,
    /// Its key.
    pub key: Key,
    /// Its value for the side to move.
    pub value: Value,
    /// The moves that attain the value; empty if the game is over.
    pub best: MoveSet,
}

impl<G: Game> Solution<G> {
    /// Solves a tree that reaches to the end of every game.
    ///
    /// # Errors
    /// If the control asks it to stop.
    ///
    /// # Panics
    /// If the tree was built for counting only ([`Tree::count`]).
    pub fn of(tree: Tree<G>, control: &Control) -> Result<Self, Stopped> {
        assert!(tree.is_complete() && tree.tiers.len() == tree.counts().len());
        control.start(tree.tiers.iter().map(|tier| tier.nodes.len() as u64).sum());
        for ply in (0..tree.tiers.len()).rev() {
            let (above, below) = tree.tiers.split_at(ply + 1);
            let tier = &above[ply];
            tier.nodes.par_iter_mut().try_for_each(|mut node| {
                control.check()?;
                control.advance(1);
                if node.value != 0 {
                    return Ok(());
                }
                let position = tree.position(*node.key());
                let children = tree.game.moves(position).into_iter().map(|m| {
                    let (key, _) = tree.folded(tree.game.play(position, m));
                    let child = below[0].nodes.get(&key).and_then(|n| Value::from_byte(n.value));
                    (m, child.expect("the tier below is solved").for_parent())
                });
                let (value, best) = best_of(children).expect("a game that is not over has moves");
                node.value = value.to_byte();
                node.best = best;
                Ok(())
            })?;
        }
        Self::counted(tree, control)
    }

    /// Fills a tree with values from elsewhere, by canonical key: value and best moves of the
    /// canonical position.
    ///
    /// # Errors
    /// The first canonical key that `look_up` does not know, in no particular order.
    ///
    /// # Panics
    /// If the tree was built for counting only ([`Tree::count`]).
    pub fn filled(
        mut tree: Tree<G>,
        look_up: impl Fn(Key) -> Option<(Value, MoveSet)> + Sync,
    ) -> Result<Self, Key> {
        assert!(tree.is_complete() && tree.tiers.len() == tree.counts().len());
        let game = tree.game;
        for tier in &mut tree.tiers {
            tier.nodes.par_iter_mut().try_for_each(|mut node| {
                let position = game.position_of(*node.key()).expect("a tier holds positions");
                let (canonical, symmetry) = game.canonical(position);
                let (value, best) = look_up(canonical).ok_or(canonical)?;
                node.value = value.to_byte();
                node.best = game.image_moves(best, game.inverse(symmetry));
                Ok(())
            })?;
        }
        Ok(Self::counted(tree, &Control::default()).expect("nobody stops it"))
    }

    fn counted(tree: Tree<G>, control: &Control) -> Result<Self, Stopped> {
        let mut counts = tree.counts().to_vec();
        for (tier, counts) in tree.tiers.iter().zip(&mut counts) {
            control.check()?;
            let [losses, draws, wins] = tier
                .nodes
                .par_iter()
                .map(|node| {
                    let orbit = tree.orbit(*node.key(), tree.position(*node.key()));
                    let mut sums = [0; 3];
                    let outcome = Value::from_byte(node.value).map(|v| v.outcome);
                    sums[outcome.map_or(0, |o| (o.sign() + 1) as usize)] = orbit;
                    sums
                })
                .reduce(|| [0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
            (counts.wins, counts.draws, counts.losses) = (Some(wins), Some(draws), Some(losses));
        }
        Ok(Self { tree, counts })
    }

    /// The game solved.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.tree.game
    }

    /// The position all others follow from.
    #[must_use]
    pub const fn root(&self) -> Stones {
        self.tree.root
    }

    /// The counts of every ply from the root's on, outcomes for the side to move.
    #[must_use]
    pub fn counts(&self) -> &[PlyCounts] {
        &self.counts
    }

    /// The histories of every ply, counted as paths over the positions.
    #[must_use]
    pub const fn histories(&self) -> &Histories {
        self.tree.histories()
    }

    /// Value and best moves of a position; `None` if the root does not lead to it.
    #[must_use]
    pub fn entry(&self, position: Stones) -> Option<Entry> {
        let (key, symmetry) = self.tree.folded(position);
        let below = position.ply().0.checked_sub(self.tree.root.ply().0)?;
        let node = self.tree.tiers.get(usize::from(below))?.nodes.get(&key)?;
        let game = &self.tree.game;
        Some(Entry {
            position,
            key: game.key(position),
            value: Value::from_byte(node.value)?,
            best: game.image_moves(node.best, game.inverse(symmetry)),
        })
    }

    /// The value of every move of a position, for the side that makes it, by ascending move;
    /// empty if the game is over or the root does not lead there.
    #[must_use]
    pub fn moves(&self, position: Stones) -> Vec<(Move, Value)> {
        let game = &self.tree.game;
        if game.terminal(position).is_some() {
            return Vec::new();
        }
        let value = |m| Some((m, self.entry(game.play(position, m))?.value.for_parent()));
        game.moves(position).into_iter().filter_map(value).collect()
    }

    /// The plies of the tree, from the root's on.
    pub fn plies(&self) -> impl Iterator<Item = Ply> + '_ {
        self.tree.tiers.iter().map(super::Tier::ply)
    }

    /// Every distinct position of a ply, by ascending key.
    #[must_use]
    pub fn entries(&self, ply: Ply) -> Vec<Entry> {
        self.collect(ply, |position, best| {
            let game = &self.tree.game;
            let image = move |&s: &Symmetry| {
                let key = game.image_key(position, s);
                let position = game.position_of(key).expect("an image is a position");
                (key, position, game.image_moves(best, s))
            };
            self.tree.fold.iter().map(image).collect::<Vec<_>>()
        })
    }

    /// Every canonical position, by ascending key over all plies, in parts: the order in which a
    /// database takes them fastest.
    pub fn canonical_entries(&self) -> impl Iterator<Item = Vec<Entry>> + '_ {
        /// Entries in a part.
        const PART: usize = 1 << 16;
        let game = self.game();
        let nodes = self.tree.tiers.iter().map(|tier| tier.nodes.len()).sum();
        let mut solved: Vec<(Key, Value, MoveSet)> = Vec::with_capacity(nodes);
        // One tier after another, because each is there twice for a moment.
        for tier in &self.tree.tiers {
            solved.par_extend(tier.nodes.par_iter().map(|node| {
                let (key, s) = game.canonical(self.tree.position(*node.key()));
                let value = Value::from_byte(node.value).expect("every node is solved");
                (key, value, game.image_moves(node.best, s))
            }));
        }
        solved.par_sort_unstable_by_key(|(key, _, _)| *key);
        solved.dedup_by_key(|(key, _, _)| *key);
        let parts = solved.len().div_ceil(PART);
        (0..parts).map(move |part| {
            let part = &solved[part * PART..solved.len().min((part + 1) * PART)];
            part.iter()
                .map(|&(key, value, best)| {
                    let position = game.position_of(key).expect("an image is a position");
                    Entry { position, key, value, best }
                })
                .collect()
        })
    }

    /// The entries made of each node of a ply, sorted by key, each key once.
    fn collect<I: IntoIterator<Item = (Key, Stones, MoveSet)>>(
        &self,
        ply: Ply,
        images: impl Fn(Stones, MoveSet) -> I + Sync,
    ) -> Vec<Entry>
    where
        I::IntoIter: Send,
    {
        let Some(tier) = self.tree.tiers.iter().find(|tier| tier.ply() == ply) else {
            return Vec::new();
        };
        let mut entries: Vec<Entry> =
            tier.nodes
                .par_iter()
                .flat_map_iter(|node| {
                    let value = Value::from_byte(node.value).expect("every node is solved");
                    let position = self.tree.position(*node.key());
                    images(position, node.best)
                        .into_iter()
                        .map(move |(key, position, best)| Entry { position, key, value, best })
                })
                .collect();
        entries.par_sort_unstable_by_key(|entry| entry.key);
        entries.dedup_by_key(|entry| entry.key);
        entries
    }
}

/// The best value among moves, and all moves that attain it.
///
/// A draw is a draw, however long: the games here draw only on a full board, so all draws of a
/// position have the same length anyway.
fn best_of(moves: impl Iterator<Item = (Move, Value)>) -> Option<(Value, MoveSet)> {
    moves.fold(None, |best, (m, value)| match best {
        Some((top, _)) if value > top => Some((value, MoveSet::EMPTY.with(m))),
        Some((top, moves)) if value == top => Some((top, moves.with(m))),
        None => Some((value, MoveSet::EMPTY.with(m))),
        worse => worse,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::{Subtree, walk};
    use crate::game::notation::parse_moves;
    use crate::game::{ConnectFour, Mnk, Outcome, Remoteness, Size, Standard, TicTacToe};

    fn solve<G: Game>(game: G, root: Stones) -> Solution<G> {
        let control = Control::default();
        Solution::of(Tree::build(game, root, &control).unwrap(), &control).unwrap()
    }

    /// The definition of a value, with nothing remembered.
    fn oracle<G: Game>(game: &G, position: Stones) -> Value {
        if let Some(outcome) = game.terminal(position) {
            return Value::new(outcome, Remoteness(0));
        }
        let moves = game.moves(position).into_iter();
        moves.map(|m| oracle(game, game.play(position, m)).for_parent()).max().unwrap()
    }

    fn totals(counts: &[PlyCounts]) -> [u64; 3] {
        let sum = |f: fn(&PlyCounts) -> Option<u64>| counts.iter().map(|c| f(c).unwrap()).sum();
        [sum(|c| c.positions), sum(|c| c.canonical), sum(|c| c.terminal)]
    }

    #[test]
    fn tic_tac_toe_whole() {
        let game = TicTacToe::fixed();
        let solution = solve(game, game.initial());
        assert_eq!(totals(solution.counts()), [5478, 765, 958]);
        let positions: Vec<u64> = solution.counts().iter().map(|c| c.positions.unwrap()).collect();
        assert_eq!(positions, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
        assert_eq!(
            solution.histories(),
            &walk(&game, game.initial(), 9, &Control::default()).unwrap()
        );
        let root = solution.entry(game.initial()).unwrap();
        assert_eq!(root.value, Value::new(Outcome::Draw, Remoteness(9)));
        assert_eq!(root.best.len(), 9);
        let whole = solution.subtrees().below(game.initial()).unwrap();
        assert_eq!(whole, Subtree { nodes: 549_946, games: 255_168 });
        let listed: usize = solution.plies().map(|ply| solution.entries(ply).len()).sum();
        assert_eq!(listed, 5478);
    }

    #[test]
    fn every_position_has_the_value_its_tree_gives_it() {
        fn check<G: Game>(game: G, root: Stones) {
            let solution = solve(game, root);
            for ply in solution.plies() {
                for entry in solution.entries(ply) {
                    assert_eq!(entry.value, oracle(&game, entry.position));
                    let best = solution.moves(entry.position);
                    let best = best.iter().filter(|(_, value)| *value == entry.value);
                    assert_eq!(entry.best, best.map(|(m, _)| *m).collect());
                    assert_eq!(solution.entry(entry.position), Some(entry));
                }
            }
            let canonical: Vec<Entry> = solution.canonical_entries().flatten().collect();
            assert!(canonical.is_sorted_by(|a, b| a.key < b.key));
            assert_eq!(canonical.len() as u64, totals(solution.counts())[1]);
            for entry in canonical {
                assert_eq!(game.canonical(entry.position).0, entry.key);
                let solved = solve(game, entry.position);
                assert_eq!(solved.entry(entry.position), Some(entry));
            }
        }
        let game = TicTacToe::fixed();
        check(game, game.initial());
        check(game, parse_moves(&game, "12").unwrap());
        let game = ConnectFour::new(Size::new(3, 3, 3).unwrap()).unwrap();
        check(game, game.initial());
        check(game, game.play(game.initial(), Move(0)));
    }

    #[test]
    fn a_root_inside_the_game_counts_only_what_it_leads_to() {
        let game = TicTacToe::fixed();
        for moves in ["1", "5", "12", "159", "1524", "15293"] {
            let root = parse_moves(&game, moves).unwrap();
            let mut seen = vec![std::collections::HashSet::new(); 10];
            fn collect(game: TicTacToe, p: Stones, seen: &mut [std::collections::HashSet<Key>]) {
                if seen[p.ply().index()].insert(game.key(p)) && game.terminal(p).is_none() {
                    for m in game.moves(p) {
                        collect(game, game.play(p, m), seen);
                    }
                }
            }
            collect(game, root, &mut seen);
            let solution = solve(game, root);
            for counts in solution.counts() {
                let there = &seen[counts.ply.index()];
                assert_eq!(counts.positions, Some(there.len() as u64), "{moves}");
                let canonical: std::collections::HashSet<Key> = there
                    .iter()
                    .map(|&key| game.canonical(game.position_of(key).unwrap()).0)
                    .collect();
                assert_eq!(counts.canonical, Some(canonical.len() as u64), "{moves}");
            }
        }
    }

    #[test]
    fn other_boards() {
        let game = Mnk::new(Size::new(4, 3, 3).unwrap()).unwrap();
        let solution = solve(game, game.initial());
        assert_eq!(totals(solution.counts())[0], 111_973);
        assert_eq!(solution.histories().nodes(), 276_911_233);
        let games = solution.histories().games();
        assert_eq!(
            [games.games, games.first_player_wins, games.second_player_wins, games.draws],
            [151_188_768, 79_797_600, 56_875_968, 14_515_200]
        );
        let game = ConnectFour::new(Size::new(4, 4, 4).unwrap()).unwrap();
        let solution = solve(game, game.initial());
        assert_eq!(totals(solution.counts())[0], 161_029);
        assert_eq!(solution.entry(game.initial()).unwrap().value.outcome, Outcome::Draw);
    }

    #[test]
    fn positions_of_the_standard_board_by_ply() {
        let game = Standard::fixed();
        let tree = Tree::count(game, game.initial(), 8, &Control::default()).unwrap();
        let column = |f: fn(&PlyCounts) -> Option<u64>| -> Vec<u64> {
            tree.counts().iter().map(|c| f(c).unwrap()).collect()
        };
        let positions = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
        assert_eq!(column(|c| c.positions), positions);
        assert_eq!(column(|c| c.canonical), [1, 4, 25, 121, 568, 2144, 8231, 27_473, 92_244]);
        assert_eq!(column(|c| c.nodes)[8], 5_673_234);
        assert!(!tree.is_complete());
    }

    #[test]
    fn estimates_are_upper_bounds_and_not_far_off() {
        let game = Mnk::new(Size::new(4, 3, 4).unwrap()).unwrap();
        let solution = solve(game, game.initial());
        let found = totals(solution.counts())[1] as f64;
        let estimate = Tree::estimate_build(&game, game.initial()).positions;
        assert!(found <= 1.1 * estimate && estimate < 3.0 * found, "{found} {estimate}");
        let game = Standard::fixed();
        let whole = Tree::estimate_build(&game, game.initial());
        assert!(whole.bytes > 1e12);
    }
}

//! The shortest ways to all positions of a game, found together.

use rustc_hash::FxHashMap;

use super::layer::Layer;
use super::rooted::{KeyedRules, Order, Rooted};
use crate::control::{Control, Stopped};
use crate::game::{Key, Symmetric, Symmetry};

/// Shortest ways to all positions of a game.
/// A symmetry that leaves the start unchanged maps every way to a way.
pub struct Ways<G: Symmetric> {
    rooted: Rooted<G>,
    steps: Steps,
}

/// The last step of a shortest way to each kept position: the kept position before it, and the number
/// of the move there.
type Steps = FxHashMap<Key, (Key, usize)>;

impl<G: Symmetric<Key = Key>> Ways<G> {
    /// Finds ways to all positions that the start leads to: less work for many of them than [a
    /// search for each](crate::game::shortest_moves). `None` if there are more than `most`
    /// positions to keep.
    ///
    /// # Errors
    /// If the control asks to stop.
    pub fn of(game: G, most: usize, control: &Control) -> Result<Option<Self>, Stopped> {
        let start = game.initial();
        let rooted = Rooted::new(game, start, Order::Loops);
        Ok(steps(&rooted, most, control)?.map(|steps| Self { rooted, steps }))
    }

    /// Returns the moves from the start to the position of a key; `None` if there is no way.
    pub fn to(&self, mut key: Key) -> Option<Vec<G::Move>> {
        let Rooted { game, root, fold, .. } = &self.rooted;
        let (start, position) = (game.key(*root), game.position_of(key)?);
        let (mut kept, mut way) = (fold.apply(game, position).0, Vec::new());
        while kept != start {
            let &(before, number) = self.steps.get(&kept)?;
            // The kept position, mapped so that its move leads to this one.
            let from = self.rooted.position(before);
            let m = game.moves(from).into_iter().nth(number)?;
            let child = game.play(from, m);
            let leads_here = |symmetry: &&Symmetry| self.image(child, **symmetry) == key;
            let symmetry = *fold.symmetries().iter().find(leads_here)?;
            way.push(game.image_move(m, symmetry));
            (kept, key) = (before, self.image(from, symmetry));
        }
        way.reverse();
        Some(way)
    }

    /// Returns the key of an image. Not inlined: games have long code for it.
    #[inline(never)]
    fn image(&self, position: G::Position, symmetry: Symmetry) -> Key {
        self.rooted.game.image_key(position, symmetry)
    }
}

/// Finds the steps ply by ply, so that the first way to a position is a shortest. Compiled once for all
/// games.
fn steps(rules: &dyn KeyedRules, most: usize, control: &Control) -> Result<Option<Steps>, Stopped> {
    let start = rules.root();
    // Rules prefetch the slots of children in the layer of their tier.
    let (tiers, mut children) = ([Layer::with_room_for(0, false)], Vec::new());
    let (mut steps, mut positions, mut done) = (Steps::default(), vec![start], 0);
    while let Some(&key) = positions.get(done) {
        if done % 1024 == 0 {
            control.check()?;
        }
        done += 1;
        rules.children(0, key, &tiers, &mut children);
        for (number, child) in children.iter().enumerate() {
            // The start is an image of itself alone.
            if child.key == start {
                continue;
            }
            steps.entry(child.key).or_insert_with(|| {
                positions.push(child.key);
                (key, number)
            });
        }
        if steps.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Registered, shortest_moves};
    use crate::games::{Breakthrough, Dots, Hexapawn, Morris, Nim, Pong};
    use crate::tests::lines::{drops, mnk};

    /// Checks that the way to every position is as short as the way that a search finds for it alone.
    fn agrees<G: Symmetric<Key = Key>>(game: &G) {
        let of = |most| Ways::of(game.clone(), most, &Control::default()).unwrap();
        let ways = of(usize::MAX).unwrap();
        for &key in ways.steps.keys() {
            let kept = game.position_of(key).unwrap();
            for symmetry in ways.rooted.fold.symmetries() {
                let position = game.position_of(game.image_key(kept, *symmetry)).unwrap();
                let way = ways.to(game.key(position)).unwrap();
                let played = way.iter().fold(game.initial(), |p, m| game.play(p, *m));
                assert_eq!(played, position);
                assert_eq!(
                    shortest_moves(game, position).unwrap().len(),
                    way.len(),
                    "{position:?}"
                );
            }
        }
        assert!(of(ways.steps.len() - 1).is_none());
    }

    #[test]
    fn every_position_is_reached_by_a_shortest_way() {
        agrees(&mnk(3, 3, 3));
        agrees(&mnk(4, 3, 2));
        agrees(&Morris::new(3, false).unwrap());
        agrees(&drops(4, 3, 3));
        agrees(&Nim::new(&[3, 3, 3], true).unwrap());
        agrees(&Dots::new(2, 1).unwrap());
        agrees(&Hexapawn::of_parameters([3, 3, 1]).unwrap());
        agrees(&Breakthrough::of_parameters([2, 4, 1]).unwrap());
        agrees(&Pong);
    }
}

//! The shortest ways to all positions of a game, found together.

use rustc_hash::FxHashMap;

use super::fold::Fold;
use crate::control::{Control, Stopped};
use crate::game::{Symmetric, Symmetry, branches};

/// Shortest ways to all positions of a game.
/// A symmetry that leaves the start unchanged maps every way to a way.
pub struct Ways<G: Symmetric> {
    fold: Fold,
    /// By key, the position before the last move of the way to a position, and that move.
    last: FxHashMap<G::Key, (G::Key, G::Move)>,
}

impl<G: Symmetric> Ways<G> {
    /// Finds ways to all positions that the start leads to: less work for many of them than [a
    /// search for each](crate::game::shortest_moves). `None` if there are more than `most`
    /// positions to keep.
    ///
    /// # Errors
    /// If the control asks to stop.
    pub fn of(game: &G, most: usize, control: &Control) -> Result<Option<Self>, Stopped> {
        let start = game.initial();
        let mut ways = Self { fold: Fold::of(game, start), last: FxHashMap::default() };
        // Ply by ply: the first way to a position is a shortest.
        let mut layer = vec![game.key(start)];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for (number, &key) in layer.iter().enumerate() {
                if number % 1024 == 0 {
                    control.check()?;
                }
                let from = game.position_of(key).expect("the key of a position");
                if game.result(from).is_some() {
                    continue;
                }
                if ways.last.len() > most {
                    return Ok(None);
                }
                for (_, m, _, to) in branches(game, from) {
                    // The start is an image of itself alone.
                    if to == start {
                        continue;
                    }
                    let (kept, _) = ways.fold.apply(game, to);
                    ways.last.entry(kept).or_insert_with(|| {
                        next.push(kept);
                        (key, m)
                    });
                }
            }
            layer = next;
        }
        Ok((ways.last.len() <= most).then_some(ways))
    }

    /// Returns the moves from the start to a position; `None` if there is no way.
    pub fn to(&self, game: &G, position: G::Position) -> Option<Vec<G::Move>> {
        let (start, mut to) = (game.initial(), position);
        let mut way = Vec::new();
        while to != start {
            let &(before, m) = self.last.get(&self.fold.apply(game, to).0)?;
            // The kept position, mapped so that its move leads to this one.
            let from = game.position_of(before)?;
            let (child, key) = (game.play(from, m), game.key(to));
            let leads_here = |symmetry: &&Symmetry| game.image_key(child, **symmetry) == key;
            let symmetry = *self.fold.symmetries().iter().find(leads_here)?;
            way.push(game.image_move(m, symmetry));
            to = game.position_of(game.image_key(from, symmetry))?;
        }
        way.reverse();
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::shortest_moves;
    use crate::games::line::{ConnectFour, Mnk, Size};
    use crate::games::{Breakthrough, Dots, Hexapawn, Morris, Nim, Pong};

    /// A way to every position, as short as the one that a search finds for it alone.
    fn agrees<G: Symmetric>(game: &G) {
        let ways = Ways::of(game, usize::MAX, &Control::default()).unwrap().unwrap();
        for &key in ways.last.keys() {
            let kept = game.position_of(key).unwrap();
            for symmetry in ways.fold.symmetries() {
                let position = game.position_of(game.image_key(kept, *symmetry)).unwrap();
                let way = ways.to(game, position).unwrap();
                let played = way.iter().fold(game.initial(), |p, m| game.play(p, *m));
                assert_eq!(played, position);
                assert_eq!(
                    shortest_moves(game, position).unwrap().len(),
                    way.len(),
                    "{position:?}"
                );
            }
        }
        assert!(Ways::of(game, ways.last.len() - 1, &Control::default()).unwrap().is_none());
    }

    fn size(width: u8, height: u8, line: u8) -> Size {
        Size::new(width, height, line).unwrap()
    }

    #[test]
    fn every_position_is_reached_by_a_shortest_way() {
        agrees(&Mnk::new(size(3, 3, 3)).unwrap());
        agrees(&Mnk::new(size(4, 3, 2)).unwrap());
        agrees(&Morris::new(3, false).unwrap());
        agrees(&ConnectFour::new(size(4, 3, 3)).unwrap());
        agrees(&Nim::new(&[3, 3, 3], true).unwrap());
        agrees(&Dots::new(2, 1).unwrap());
        agrees(&Hexapawn::new(3, 3).unwrap());
        agrees(&Breakthrough::new(2, 4).unwrap());
        agrees(&Pong);
    }
}

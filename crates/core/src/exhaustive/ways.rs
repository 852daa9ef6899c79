//! The ways to all positions of a game, found at once.

use rustc_hash::FxHashMap;

use crate::control::{Control, Stopped};
use crate::game::{Keyed, branches};

/// The ways to all positions of a game.
pub struct Ways<G: Keyed> {
    /// The position before the last move of the way to each, and that move; by key.
    last: FxHashMap<G::Key, (G::Key, G::Move)>,
}

impl<G: Keyed> Ways<G> {
    /// The ways of [`shortest_moves`](crate::game::shortest_moves) to all positions that the start leads
    /// to: less work for many of them than a search for each. `None` if there are more than `most`.
    ///
    /// # Errors
    /// If the control asks to stop.
    pub fn of(game: &G, most: usize, control: &Control) -> Result<Option<Self>, Stopped> {
        // Ply by ply, and within a ply in the order of the ways before: the first way to a position is
        // the lowest of the shortest.
        let start = game.initial();
        let (mut last, mut layer) = (FxHashMap::default(), vec![start]);
        while !layer.is_empty() {
            let mut next = Vec::new();
            for (number, &from) in layer.iter().enumerate() {
                if number % 1024 == 0 {
                    control.check()?;
                }
                if game.result(from).is_some() {
                    continue;
                }
                if last.len() > most {
                    return Ok(None);
                }
                for (_, m, _, to) in branches(game, from) {
                    if to != start && !last.contains_key(&game.key(to)) {
                        last.insert(game.key(to), (game.key(from), m));
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
        Ok((last.len() <= most).then_some(Self { last }))
    }

    /// The moves by which the start leads to a position; `None` if there is no way.
    pub fn to(&self, game: &G, position: G::Position) -> Option<Vec<G::Move>> {
        let (start, mut key) = (game.key(game.initial()), game.key(position));
        let mut way = Vec::new();
        while key != start {
            let (before, m) = *self.last.get(&key)?;
            way.push(m);
            key = before;
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
    use crate::games::{Breakthrough, Dots, Hexapawn, Nim, Pong};

    /// Both searches find the same way to every position.
    fn agrees<G: Keyed>(game: &G) {
        let ways = Ways::of(game, usize::MAX, &Control::default()).unwrap().unwrap();
        for key in ways.last.keys() {
            let position = game.position_of(*key).unwrap();
            let way = ways.to(game, position).unwrap();
            let played = way.iter().fold(game.initial(), |p, m| game.play(p, *m));
            assert_eq!(played, position);
            assert_eq!(shortest_moves(game, position), Ok(way), "{position:?}");
        }
        assert!(Ways::of(game, ways.last.len() - 1, &Control::default()).unwrap().is_none());
    }

    fn size(width: u8, height: u8, line: u8) -> Size {
        Size::new(width, height, line).unwrap()
    }

    #[test]
    fn every_position_is_reached_by_the_lowest_of_the_shortest_ways() {
        agrees(&Mnk::new(size(3, 3, 3)).unwrap());
        agrees(&Mnk::new(size(4, 3, 2)).unwrap());
        agrees(&ConnectFour::new(size(4, 3, 3)).unwrap());
        agrees(&Nim::new(&[3, 3, 3], true).unwrap());
        agrees(&Dots::new(2, 1).unwrap());
        agrees(&Hexapawn::new(3, 3).unwrap());
        agrees(&Breakthrough::new(2, 4).unwrap());
        agrees(&Pong);
    }
}

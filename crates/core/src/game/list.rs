//! A list of moves that needs no allocation.

/// Sorts by insertion, which is stable, needs no memory and is quick for the few moves of a position.
#[inline(always)]
pub(crate) fn sort_by_key<T: Copy, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let (item, mut place) = (list[end], end);
        let own = key(&item);
        while place > 0 && key(&list[place - 1]) > own {
            list[place] = list[place - 1];
            place -= 1;
        }
        list[place] = item;
    }
}

/// A list of up to `MOST` moves of one position.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::game::MoveList;
/// let moves: MoveList<u8> = (1..=3).collect();
/// assert_eq!(moves.into_iter().sum::<u8>(), 6);
/// ```
#[derive(Clone, Debug)]
pub struct MoveList<M, const MOST: usize = 64> {
    moves: [Option<M>; MOST],
    len: usize,
}

impl<M: Copy, const MOST: usize> MoveList<M, MOST> {
    /// A list without a move.
    pub const fn new() -> Self {
        Self { moves: [None; MOST], len: 0 }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// If the list is full: `MOST` must be at least [`most_moves`](super::Game::most_moves) of the
    /// game, unless engines refuse it.
    #[inline]
    pub fn push(&mut self, m: M) {
        self.moves[self.len] = Some(m);
        self.len += 1;
    }

    /// Sorts the moves, stably.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&M) -> K) {
        sort_by_key(&mut self.moves[..self.len], |m| m.as_ref().map(&key));
    }

    /// The number of moves.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True if there is no move.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<M: Copy, const MOST: usize> Default for MoveList<M, MOST> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Copy, const MOST: usize> FromIterator<M> for MoveList<M, MOST> {
    // If not inlined, it calls closures of the game once a move: a tenth of an engine's time.
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = M>>(moves: I) -> Self {
        let mut list = Self::new();
        for m in moves {
            list.push(m);
        }
        list
    }
}

impl<M: Copy, const MOST: usize> IntoIterator for MoveList<M, MOST> {
    type Item = M;
    type IntoIter = MoveListIter<M, MOST>;

    #[inline]
    fn into_iter(self) -> MoveListIter<M, MOST> {
        MoveListIter { list: self, next: 0 }
    }
}

/// The moves of a [`MoveList`] in order.
#[derive(Clone, Debug)]
pub struct MoveListIter<M, const MOST: usize = 64> {
    list: MoveList<M, MOST>,
    next: usize,
}

impl<M: Copy, const MOST: usize> Iterator for MoveListIter<M, MOST> {
    type Item = M;

    #[inline]
    fn next(&mut self) -> Option<M> {
        let m = *self.list.moves[..self.list.len].get(self.next)?;
        self.next += 1;
        m
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len - self.next;
        (left, Some(left))
    }
}

//! Whose turn it is: which of the questions that are open search now.
//!
//! Clients share the turns evenly, whatever number of questions each has asked; of one client's
//! questions, those come first that have searched little. A question that is not among the
//! chosen ones is paused, not ended.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// Search time that is not told apart, so that turns do not change too often.
pub const SLICE: Duration = Duration::from_millis(100);

/// What the queue has to know of an open question.
#[derive(Clone, Copy, Debug)]
pub struct Asked<C> {
    /// Who asks.
    pub client: C,
    /// How long it has searched.
    pub used: Duration,
    /// Rises with every question.
    pub number: u64,
}

impl<C> Asked<C> {
    /// 0 in the first slice, 1 up to 4 slices, 2 up to 16, and so on: questions of a level are
    /// answered one after the other, so that they do not all take as long as the longest.
    fn level(&self) -> u32 {
        let slices = (self.used.as_millis() / SLICE.as_millis()) as u64;
        if slices == 0 { 0 } else { slices.ilog(4) + 1 }
    }
}

/// Search time of the clients that have open questions.
#[derive(Debug)]
pub struct Shares<C>(HashMap<C, Duration>);

impl<C> Default for Shares<C> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<C: Copy + Eq + Hash> Shares<C> {
    /// Lets a client in: as if it had used as much as the one that has used least, so that it
    /// neither waits nor has turns to catch up on.
    pub fn enter(&mut self, client: C) {
        let least = self.0.values().min().copied().unwrap_or_default();
        self.0.entry(client).or_insert(least);
    }

    /// Counts search time of a client.
    pub fn count(&mut self, client: C, time: Duration) {
        if let Some(used) = self.0.get_mut(&client) {
            *used += time;
        }
    }

    /// Forgets a client that has no open question any more.
    pub fn leave(&mut self, client: C) {
        self.0.remove(&client);
    }

    /// The questions that search now, the most urgent first: as many as there are turns.
    pub fn chosen(&self, open: &[Asked<C>], turns: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut given: HashMap<C, u32> = HashMap::new();
        while chosen.len() < turns.min(open.len()) {
            let rank = |asked: &Asked<C>| {
                let used = self.0.get(&asked.client).copied().unwrap_or_default();
                let slices = (used.as_millis() / SLICE.as_millis()) as u64;
                let given = given.get(&asked.client).copied().unwrap_or(0);
                (slices + u64::from(given), asked.level(), asked.number)
            };
            let rest = (0..open.len()).filter(|at| !chosen.contains(at));
            let Some(next) = rest.min_by_key(|&at| rank(&open[at])) else { break };
            *given.entry(open[next].client).or_default() += 1;
            chosen.push(next);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(client: char, millis: u64, number: u64) -> Asked<char> {
        Asked { client, used: Duration::from_millis(millis), number }
    }

    fn shares(used: &[(char, u64)]) -> Shares<char> {
        Shares(used.iter().map(|&(c, millis)| (c, Duration::from_millis(millis))).collect())
    }

    #[test]
    fn a_new_question_of_a_client_comes_before_its_long_ones() {
        let mut open: Vec<_> = (0..16).map(|number| asked('a', 900, number)).collect();
        open.push(asked('a', 0, 16));
        assert_eq!(shares(&[('a', 14_400)]).chosen(&open, 4), [16, 0, 1, 2]);
    }

    #[test]
    fn questions_of_a_level_keep_their_order() {
        let open = [asked('a', 390, 0), asked('a', 110, 1), asked('a', 400, 2), asked('a', 99, 3)];
        assert_eq!(shares(&[('a', 1000)]).chosen(&open, 4), [3, 0, 1, 2]);
    }

    #[test]
    fn many_questions_of_one_client_do_not_hold_up_another() {
        let mut open: Vec<_> = (0..100).map(|number| asked('a', 0, number)).collect();
        open.push(asked('b', 9_000, 100));
        let mut shares = shares(&[('a', 9_000)]);
        shares.enter('b');
        // Each has half of the turns as long as it has questions for them.
        let mut turns = HashMap::new();
        for _ in 0..200 {
            for at in shares.chosen(&open, 1) {
                shares.count(open[at].client, SLICE);
                *turns.entry(open[at].client).or_insert(0) += 1;
            }
        }
        assert_eq!(turns, HashMap::from([('a', 100), ('b', 100)]));
    }

    #[test]
    fn whoever_comes_late_has_nothing_to_catch_up_on() {
        let mut shares = shares(&[('a', 50_000), ('b', 40_000)]);
        shares.enter('c');
        shares.enter('b');
        let open = [asked('a', 0, 0), asked('b', 0, 1), asked('c', 0, 2)];
        assert_eq!(shares.chosen(&open, 3), [1, 2, 0]);
        shares.count('c', Duration::from_secs(11));
        assert_eq!(shares.chosen(&open, 3), [1, 0, 2]);
        shares.leave('a');
        assert_eq!(shares.chosen(&open[1..], 9), [0, 1]);
    }
}

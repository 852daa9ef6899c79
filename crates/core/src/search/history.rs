//! The success of moves in a search so far, by which it orders them.

/// The points of moves by the side that makes them and their [habit](crate::game::Evaluate::habit).
#[derive(Clone, Debug)]
pub(super) struct History(Box<[[i32; 256]; 2]>);

impl Default for History {
    fn default() -> Self {
        Self(Box::new([[0; 256]; 2]))
    }
}

/// The limit of points, so that other parts of the move order can outweigh them.
const MOST: i32 = 1 << 13;

impl History {
    #[inline(always)]
    pub fn of(&self, turn: bool, habit: u8) -> i32 {
        self.0[usize::from(turn)][usize::from(habit)]
    }

    /// Adds points, negative ones for a failure. The nearer to the limit, the less is added: old
    /// successes fade.
    #[inline(always)]
    pub fn add(&mut self, turn: bool, habit: u8, points: i32) {
        let entry = &mut self.0[usize::from(turn)][usize::from(habit)];
        *entry += points - *entry * points.abs() / MOST;
    }
}

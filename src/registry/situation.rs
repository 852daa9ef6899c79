//! A position of a registered game with what is known of its value and of every move.

use super::study::{Branch, Study};
use crate::game::{MoveSet, PartialValue, Value};

/// A position, its value, and what its moves lead to.
pub struct Situation {
    /// The value for the side to move, as far as it is known.
    pub worth: Option<PartialValue>,
    /// The moves, ascending, each with its value for the side that makes it.
    pub moves: Vec<(Branch, Option<PartialValue>)>,
    /// The bits of the moves that are known to attain the value.
    pub best: MoveSet,
}

impl Situation {
    /// Asks for the value of a position and of all that its moves lead to. Ends of the game are
    /// known by the rules.
    ///
    /// # Errors
    /// The first error of `ask`.
    pub fn of<E>(
        study: &dyn Study,
        mut ask: impl FnMut(&dyn Study) -> Result<Option<PartialValue>, E>,
    ) -> Result<Self, E> {
        let mut worth_of = |study: &dyn Study| match study.result() {
            Some(outcome) => Ok(Some(PartialValue::from(Value::over(outcome)))),
            None => ask(study),
        };
        let stored = worth_of(study)?;
        let mut moves = Vec::new();
        for branch in study.branches() {
            let worth = worth_of(branch.to.as_ref())?;
            let worth = worth.map(|worth| worth.one_ply_earlier(branch.keeps_turn));
            moves.push((branch, worth));
        }
        let worth = stored.or_else(|| settled(&moves));
        let best = match worth {
            Some(best) => {
                let attains = |there: PartialValue| there.attains(best);
                let best = moves.iter().filter(|(_, there)| there.is_some_and(attains));
                MoveSet(best.fold(0, |set, (branch, _)| set | 1 << branch.bit))
            }
            None => MoveSet::EMPTY,
        };
        Ok(Self { worth, moves, best })
    }

    /// The value that follows from those of the moves; `None` if one of them is not known, or
    /// the game is over.
    pub fn by_moves(&self) -> Option<PartialValue> {
        settled(&self.moves)
    }

    /// True if the value of the position and of every move is known.
    pub fn is_whole(&self) -> bool {
        self.worth.is_some() && self.moves.iter().all(|(_, worth)| worth.is_some())
    }

    /// True if a move is known to attain the value.
    pub fn is_best(&self, branch: &Branch) -> bool {
        self.best.0 >> branch.bit & 1 == 1
    }

    /// The moves that are known to attain the value, ascending.
    pub fn best_moves(&self) -> impl Iterator<Item = &Branch> {
        self.moves.iter().map(|(branch, _)| branch).filter(|branch| self.is_best(branch))
    }
}

/// The best of the values of all moves; `None` if one is not known, or there is no move.
fn settled(moves: &[(Branch, Option<PartialValue>)]) -> Option<PartialValue> {
    let all: Option<Vec<PartialValue>> = moves.iter().map(|(_, worth)| *worth).collect();
    all?.into_iter().reduce(PartialValue::better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::game::Chosen;

    #[test]
    fn moves_settle_every_position_as_the_engines_do() {
        for entry in crate::registry::builtin().others() {
            let start = entry.choose(&Chosen::default()).unwrap();
            let control = Control::default();
            let solved = start.solve(1_000_000, &control).unwrap();
            let mut keys = Vec::new();
            solved.rows(&mut |rows| keys.extend(rows));
            for row in keys.iter().step_by(1 + keys.len() / 2000) {
                let study = start.of_key(row.key).unwrap();
                let ask = |at: &dyn Study| Ok::<_, ()>(solved.worth_of(at.key().unwrap()));
                let situation = Situation::of(study.as_ref(), ask).unwrap();
                // Below an asymmetric root the image of a position may not be reached.
                if !situation.is_whole() || study.result().is_some() {
                    continue;
                }
                assert_eq!(situation.worth, Some(row.worth), "{}", study.picture());
                assert_eq!(situation.by_moves(), Some(row.worth), "{}", study.picture());
                assert_eq!(situation.best, row.best, "{}", study.picture());
            }
        }
    }
}

//! What a run was asked for.

use rusqlite::Row;

use crate::game::Key;

/// What a run was asked for, so that its numbers can be told apart and found anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What was to be found.
    pub kind: TaskKind,
    /// The position it was about: its own key, not that of its canonical image.
    pub root: Key,
    /// The convention of its scores by name, where it has one.
    pub scoring: Option<String>,
}

impl Task {
    /// A task without a convention for scores.
    #[must_use]
    pub const fn new(kind: TaskKind, root: Key) -> Self {
        Self { kind, root, scoring: None }
    }

    /// The task in three columns from `first` on; none if they are empty.
    pub(super) fn of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Self>> {
        let Some(word) = row.get::<_, Option<String>>(first)? else { return Ok(None) };
        let kind = TaskKind::ALL.into_iter().find(|kind| kind.word() == word);
        let kind = kind.ok_or_else(|| {
            let kind = rusqlite::types::Type::Text;
            let reason = format!("task '{word}'").into();
            rusqlite::Error::FromSqlConversionFailure(first, kind, reason)
        })?;
        let root: i64 = row.get(first + 1)?;
        let (root, scoring) = (Key(root.cast_unsigned()), row.get(first + 2)?);
        Ok(Some(Self { kind, root, scoring }))
    }
}

/// Kinds of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// The values of all positions below the root.
    Solution,
    /// The value of the root, exact or to a depth.
    Search,
    /// The counts of every ply below the root.
    Count,
    /// The values of all positions up to a ply, or of a list of them.
    Book,
    /// What a question needed that the database did not hold.
    Question,
}

impl TaskKind {
    const ALL: [Self; 5] = [Self::Solution, Self::Search, Self::Count, Self::Book, Self::Question];

    /// The word in the column `kind`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Solution => "solution",
            Self::Search => "search",
            Self::Count => "count",
            Self::Book => "book",
            Self::Question => "question",
        }
    }
}

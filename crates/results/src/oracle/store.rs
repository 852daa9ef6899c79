//! Files of values, as the oracle asks them.

use super::OracleError;
use everyply_core::game::ValueWithBest;
use everyply_core::game::{GameId, ValueBounds};
use everyply_registry::registry::Position;

/// A file of values and best moves of positions, up to symmetry, for any number of games.
pub(super) trait Store: std::fmt::Debug + Send + Sync {
    fn games(&self) -> &[GameId];

    /// The row of a position, its best moves those of the canonical one.
    fn row(&self, study: &dyn Position) -> Result<Option<ValueWithBest>, OracleError>;

    /// The bounds of a position without a value.
    fn bounds(&self, study: &dyn Position) -> Result<Option<ValueBounds>, OracleError>;
}

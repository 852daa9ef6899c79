//! `--db-plies` of an exact run: results on the way about positions not far below the root.

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::connect_four::book::{TableEntry, Tier, TierError, tiers};
use crate::database::{BoundRow, PositionRow};
use crate::game::PartialValue;
use crate::games::line::{ConnectFour, Stones};

/// The tiers below the root that --db-plies asks for.
pub(super) fn tiers_below(
    game: &ConnectFour,
    root: Stones,
    args: &Args,
    session: &Session,
) -> Result<Vec<Tier>, Failure> {
    let Some(plies) = args.db_plies.filter(|_| args.output.database().is_some()) else {
        return Ok(Vec::new());
    };
    session
        .work("listing positions", "positions", |control| {
            tiers(game, root, plies, MOST_OF_A_TIER, control)
        })
        .map_err(|error| match error {
            TierError::Stopped(_) => session.interrupted(""),
            error => Failure::Usage(format!("--db-plies {plies}: {error}; choose fewer plies")),
        })
}

/// Positions of a ply that --db-plies looks at.
const MOST_OF_A_TIER: usize = 4_000_000;

/// The row of a position whose outcome, at least, is proved.
pub(super) fn position_row(found: &TableEntry) -> Option<PositionRow> {
    let TableEntry { key, ply, bounds, best } = *found;
    let known = bounds.value().map(PartialValue::from);
    let value = known.or(bounds.outcome().map(PartialValue::of_outcome))?;
    Some(PositionRow { key, ply, value, best })
}

/// The bounds of a position without a proved value.
pub(super) fn bound_row(found: &TableEntry) -> Option<BoundRow> {
    let TableEntry { key, ply, bounds, .. } = *found;
    bounds.value().is_none().then_some(BoundRow { key, ply, bounds })
}

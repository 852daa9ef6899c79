//! Places for the values of solved tiers.

use super::Code;
use crate::control::Stopped;
use crate::game::{Tier, TierId};

/// A place that keeps the values of solved tiers, tier by tier.
///
/// A durable store returns the values that it keeps, in another run as well: then memory holds the
/// tier that is solved and the tiers that its moves lead to. With any other store, such as a
/// closure, tiers stay in memory while another tier leads to them.
///
/// A store that fails asks to stop and keeps its error.
#[expect(unused_variables, reason = "a default may need no parameter")]
pub trait TierStore {
    fn keep(&mut self, id: TierId, tier: &Tier, codes: &[Code]) -> Result<(), Stopped>;

    /// Returns true if kept tiers can be read.
    fn is_durable(&self) -> bool {
        false
    }

    /// Returns true if a tier was kept before, so that it need not be solved.
    fn is_kept(&mut self, id: TierId) -> Result<bool, Stopped> {
        Ok(false)
    }

    /// Reads the values of a kept tier, arbitrary for holes; `None` if they are lost, and the
    /// tier has to be solved anew.
    fn read(&mut self, id: TierId, tier: &Tier) -> Result<Option<Vec<Code>>, Stopped> {
        Ok(None)
    }

    /// Chooses the next of `ready` tiers that can be solved, by its index.
    fn choose(&mut self, ready: usize) -> usize {
        0
    }
}

impl<F: FnMut(TierId, &Tier, &[Code]) -> Result<(), Stopped>> TierStore for F {
    fn keep(&mut self, id: TierId, tier: &Tier, codes: &[Code]) -> Result<(), Stopped> {
        self(id, tier, codes)
    }
}

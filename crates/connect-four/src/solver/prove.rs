//! The proof of a root's score: forced replies first, then one window after the other.

use std::time::Instant;

use super::driver::{Interval, Prior};
use super::engine::Engine;
use super::known_bounds::ResolvedRoot;
use super::layout::LayoutSource;
use super::question::{Question, Root};
use super::score::{least_without_loss_at_once, most_without_win_at_once};
use super::threads::SearchThreads;
use crate::control::{Control, Stopped};

impl<L: LayoutSource> Engine<L> {
    /// Narrows the interval of a score until it is exact or decided within `wanted`. `report` is
    /// called with every improvement. Returns the interval and the nodes searched.
    pub fn prove(
        &self,
        root: Root<L::Word>,
        wanted: Interval,
        control: &Control,
        mut report: impl FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped> {
        control.check()?;
        let (board, empties, turned) = match self.resolve_root(root) {
            ResolvedRoot::Decided(score) => {
                return Ok((Interval { lower: score, upper: score }, 0));
            }
            ResolvedRoot::Quiet { board, empties, turned } => (board, empties, turned),
        };
        let mut known = Interval {
            lower: least_without_loss_at_once(empties),
            upper: most_without_win_at_once(empties),
        };
        let wanted = if turned { -wanted } else { wanted };
        let quiet = Root { board, empties };
        let prior = Prior::new(self.layout().size, empties);
        let outward = |known: Interval| if turned { -known } else { known };
        report(outward(known));
        let begun = self.thread_statistics.as_ref().map(|_| Instant::now());
        let mut threads = SearchThreads::new(self, &quiet, control);
        let mut result = Ok(());
        let mut asked = 0;
        while let Some(alpha) = known.next_window(wanted, asked, prior) {
            self.set_question(Some(Question { root: quiet, alpha, turned, empties: root.empties }));
            match threads.search(alpha) {
                Ok(score) => known = known.narrowed(alpha, score),
                Err(Stopped) => {
                    result = Err(Stopped);
                    break;
                }
            }
            report(outward(known));
            asked += 1;
        }
        self.set_question(None);
        let nodes = threads.end();
        if let (Some(thread_statistics), Some(begun)) = (&self.thread_statistics, begun) {
            thread_statistics.close(begun.elapsed());
        }
        result?;
        Ok((outward(known), nodes))
    }
}

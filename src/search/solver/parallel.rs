//! One position searched by many threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::branches::{Branch, Node};
use super::layout::LaidOut;
use super::score::Score;
use super::search::Searcher;
use crate::control::Stopped;

/// Why a search ends without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It was asked to stop.
    Stopped,
    /// A brother has settled the node above.
    Pointless,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Whether the result of a search is still wanted: a link for every node above that was split.
#[derive(Debug)]
pub struct Wanted<'w> {
    settled: AtomicBool,
    above: Option<&'w Self>,
}

impl Wanted<'_> {
    /// True as long as no node above is settled.
    pub fn is_wanted(&self) -> bool {
        !self.settled.load(Relaxed) && self.above.is_none_or(Wanted::is_wanted)
    }
}

impl<L: LaidOut> Searcher<'_, L> {
    /// Searches branches of a node, whose first ones did not settle it, side by side. As soon as
    /// one is above alpha, the others end.
    ///
    /// The workers share nothing but the table, which only holds what is proved, so the side of
    /// the window that comes out is the same whatever their order.
    pub(super) fn search_side_by_side(
        &mut self,
        branches: &[Branch<L::Word>],
        node: &Node<'_, L::Word>,
        best: &mut Score,
    ) -> Result<(), Halt> {
        let &Node { rest, alpha, hints, .. } = node;
        let link = Wanted { settled: AtomicBool::new(false), above: self.wanted };
        // The best score, and the branch that settles the node.
        let found = Mutex::new((*best, None));
        let nodes = AtomicU64::new(0);
        let stopped = AtomicBool::new(false);
        let mut account = self.account;
        self.leave_experience();
        let this: &Self = self;
        let work = || {
            rayon::scope_fifo(|scope| {
                for branch in branches {
                    let (link, found, nodes, stopped) = (&link, &found, &nodes, &stopped);
                    scope.spawn_fifo(move |_| {
                        if !link.is_wanted() {
                            return;
                        }
                        // Many a branch is over before a worker has counted enough nodes to look.
                        if this.control.is_stopped() {
                            stopped.store(true, Relaxed);
                            link.settled.store(true, Relaxed);
                            return;
                        }
                        let mut worker = this.helper(link);
                        match worker.search_branch(branch, rest, alpha) {
                            Ok(score) => {
                                let mut found = found.lock().expect("no worker panics");
                                found.0 = score.max(found.0);
                                if score > alpha {
                                    found.1 = Some(branch);
                                    link.settled.store(true, Relaxed);
                                }
                            }
                            Err(Halt::Stopped) => {
                                stopped.store(true, Relaxed);
                                link.settled.store(true, Relaxed);
                            }
                            Err(Halt::Pointless) => (),
                        }
                        nodes.fetch_add(worker.all_nodes(), Relaxed);
                        worker.end();
                    });
                }
            });
        };
        account.wait(work);
        account.nodes_of_helpers += nodes.into_inner();
        self.account = account;
        self.take_up_experience();
        let settled_by;
        (*best, settled_by) = found.into_inner().expect("no worker panics");
        if let Some(branch) = settled_by {
            self.experience.learn(hints, branch.cell, branch.column, true);
            return Ok(());
        }
        if stopped.into_inner() {
            return Err(Halt::Stopped);
        }
        if self.wanted.is_some_and(|wanted| !wanted.is_wanted()) {
            return Err(Halt::Pointless);
        }
        Ok(())
    }
}

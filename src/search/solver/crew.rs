//! Who searches a root: one thread, or all of them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::engine::{Engine, Root};
use super::layout::LaidOut;
use super::ordering::Experience;
use super::parallel::{Halt, Joint, LEAST_REST_TO_SHARE};
use super::score::Score;
use super::search::Searcher;
use crate::control::{Control, Stopped};

/// Those who search a quiet root: one thread, and once that takes long all of the pool.
#[derive(Debug)]
pub struct Crew<'s, L: LaidOut> {
    engine: &'s Engine<L>,
    root: &'s Root<L::Word>,
    control: &'s Control,
    /// The only searcher, as long as that is enough.
    alone: Option<Searcher<'s, L>>,
    /// What each thread has learnt, once all search.
    experiences: Vec<Experience>,
    /// Positions searched, without those of `alone`.
    nodes: u64,
}

impl<'s, L: LaidOut> Crew<'s, L> {
    /// A crew that has not begun.
    pub fn new(engine: &'s Engine<L>, root: &'s Root<L::Word>, control: &'s Control) -> Self {
        let can_be_helped = root.rest >= LEAST_REST_TO_SHARE && rayon::current_num_threads() > 1;
        let alone = Some(Searcher::new(engine, control, can_be_helped));
        Self { engine, root, control, alone, experiences: Vec::new(), nodes: 0 }
    }

    /// A crew of so many threads from the first node on.
    #[cfg(test)]
    pub fn of_all(
        engine: &'s Engine<L>,
        root: &'s Root<L::Word>,
        control: &'s Control,
        threads: usize,
    ) -> Self {
        let experiences = vec![Experience::NONE; threads];
        Self { engine, root, control, alone: None, experiences, nodes: 0 }
    }

    /// Searches a window of the root, as [`Searcher::search`] does.
    pub fn search(&mut self, alpha: Score) -> Result<Score, Stopped> {
        let Some(alone) = &mut self.alone else { return self.search_together(alpha) };
        match alone.search_root(self.root, alpha) {
            Ok(score) => Ok(score),
            Err(Halt::Stopped | Halt::Settled { .. }) => Err(Stopped),
            Err(Halt::Long) => {
                let experience = alone.experience;
                self.dismiss();
                self.experiences.resize(rayon::current_num_threads(), experience);
                self.search_together(alpha)
            }
        }
    }

    /// Gives the positions searched.
    pub fn end(mut self) -> u64 {
        self.dismiss();
        self.nodes
    }

    fn dismiss(&mut self) {
        self.nodes += self.alone.take().map_or(0, Searcher::end);
    }

    fn search_together(&mut self, alpha: Score) -> Result<Score, Stopped> {
        let &mut Self { engine, root, control, .. } = self;
        let joint = Joint::new(&engine.marks);
        let nodes = AtomicU64::new(0);
        let search = |experience: &mut Experience| {
            let mut searcher = Searcher::new(engine, control, false);
            searcher.joint = Some(&joint);
            searcher.experience = *experience;
            if let Ok(score) = searcher.search_root(root, alpha) {
                joint.tell(score);
            }
            *experience = searcher.experience;
            nodes.fetch_add(searcher.end(), Relaxed);
        };
        rayon::scope(|scope| {
            let Some((own, others)) = self.experiences.split_first_mut() else { return };
            for experience in others {
                let (search, joint) = (&search, &joint);
                scope.spawn(move |_| {
                    // Whoever comes late finds nothing to do.
                    if joint.result().is_none() && !control.is_stopped() {
                        search(experience);
                    }
                });
            }
            search(own);
        });
        self.nodes += nodes.into_inner();
        joint.result().ok_or(Stopped)
    }
}

//! The solver on one layout, with the data that all searches share.

use std::sync::{Mutex, PoisonError};

use super::bounds::StaticBounds;
use super::layout::{Layout, LayoutSource};
use super::question::Question;
use super::shared::BusyTable;
use super::table::Table;
use super::thread_statistics::ThreadStatistics;
use crate::processor::Processor;

/// The solver on one layout.
#[derive(Debug)]
pub struct Engine<L: LayoutSource> {
    pub(super) processor: Processor,
    pub(super) layout: L,
    pub(super) table: Table,
    pub(super) static_bounds: StaticBounds,
    /// The positions that threads of a shared search are at.
    pub(super) busy: BusyTable,
    /// The work of the threads; `None` if it is not counted.
    pub(super) thread_statistics: Option<ThreadStatistics>,
    /// The current question; `None` if there is none or work is not counted.
    pub(super) question: Mutex<Option<Question<L::Word>>>,
}

impl<L: LayoutSource> Engine<L> {
    /// Creates an engine with a table that was made for the layout.
    pub fn new(layout: L, table: Table) -> Self {
        Self {
            processor: Processor::detect(),
            layout,
            table,
            static_bounds: StaticBounds::On,
            busy: BusyTable::default(),
            thread_statistics: None,
            question: Mutex::new(None),
        }
    }

    /// Returns the engine without static bounds, for checks of these bounds.
    #[cfg(test)]
    pub fn without_static_bounds(self) -> Self {
        Self { static_bounds: StaticBounds::Off, ..self }
    }

    /// Returns the same engine, compiled for this processor, which must be available.
    #[cfg(test)]
    pub fn with_processor(self, processor: Processor) -> Self {
        Self { processor, ..self }
    }

    /// Returns the layout.
    pub fn layout(&self) -> &Layout<L::Word> {
        self.layout.geometry()
    }

    /// Sets the current question, if work is counted.
    pub(super) fn set_question(&self, question: Option<Question<L::Word>>) {
        if self.thread_statistics.is_some() {
            *self.question.lock().unwrap_or_else(PoisonError::into_inner) = question;
        }
    }
}

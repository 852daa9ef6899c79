//! The solver on one layout: what all its searches share.

use std::sync::{Mutex, PoisonError};

use super::bounds::StaticBounds;
use super::layout::{Layout, LayoutSource};
use super::question::Question;
use super::shared::BusyTable;
use super::table::Table;
use super::thread_statistics::{ThreadStatistics, ThreadWork};
use crate::processor::Processor;

/// The solver on one layout.
#[derive(Debug)]
pub struct Engine<L: LayoutSource> {
    pub(super) processor: Processor,
    pub(super) layout: L,
    pub(super) table: Table,
    pub(super) static_bounds: StaticBounds,
    /// The positions that threads are at which search one position together.
    pub(super) busy: BusyTable,
    /// What the threads did, if anybody asks.
    pub(super) thread_statistics: Option<ThreadStatistics>,
    /// The question that is asked now, if anybody counts.
    pub(super) question: Mutex<Option<Question<L::Word>>>,
}

impl<L: LayoutSource> Engine<L> {
    /// Creates an engine that remembers in this table, which was made for the layout.
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

    /// Returns the engine without static bounds, to check them against.
    #[cfg(test)]
    pub fn without_static_bounds(self) -> Self {
        Self { static_bounds: StaticBounds::Off, ..self }
    }

    /// Returns the same engine in the form for this processor, one of those available.
    #[cfg(test)]
    pub fn with_processor(self, processor: Processor) -> Self {
        Self { processor, ..self }
    }

    /// Returns the layout.
    pub fn layout(&self) -> &Layout<L::Word> {
        self.layout.geometry()
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Counts from now on what every thread does.
    pub fn count_work(&mut self) {
        self.thread_statistics = Some(ThreadStatistics::default());
    }

    /// Notes the question that is asked now, if anybody counts.
    pub(super) fn note(&self, question: Option<Question<L::Word>>) {
        if self.thread_statistics.is_some() {
            *self.question.lock().unwrap_or_else(PoisonError::into_inner) = question;
        }
    }

    /// What every thread did, if that was counted.
    pub fn work(&self) -> Vec<ThreadWork> {
        self.thread_statistics.as_ref().map(ThreadStatistics::threads).unwrap_or_default()
    }
}

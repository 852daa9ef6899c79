//! Random positions with their exact values, as data sets.

mod draw;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::dataset::{DataColumn, DatasetWriter, Schema};
use super::format::PositionFormat;
use super::known::KnownPosition;
use super::manifest::{Manifest, ManifestSample, ManifestedFile};
use super::positions::{ExportError, RowCounts, manifest};
use crate::database::PositionRow;
use crate::oracle::{Oracle, OracleError, SourcedValue};
use everyply_core::control::Control;
use everyply_core::game::MoveSet;
use everyply_core::parallel::in_order::each_in_order;
use everyply_core::random::Random;
use everyply_registry::registry::{Points, Position};

pub use draw::Draw;
use draw::Drawn;

/// Random positions of a game, and the choices of their export.
pub struct Sample<'s> {
    root: &'s dyn Position,
    draw: &'s Draw,
    /// By ply and key.
    drawn: Vec<Drawn>,
    /// True if outcomes are equally many.
    is_balanced: bool,
    /// True for the value of every move.
    all_moves: bool,
    /// True for every image of a position.
    mirror: bool,
}

/// A file of a sample: all rows, or a random part of them.
#[derive(Debug)]
pub struct SampleFile {
    pub file: ManifestedFile,
    /// The name of the part, and its share of the positions; all shares add up to one.
    pub part: Option<(&'static str, f64)>,
}

/// A function that takes rows for a database.
type Keep<'k> = &'k mut (dyn FnMut(Vec<PositionRow>) + Send);

/// A position with its values, and the rows of it and of its moves.
type Valued = (KnownPosition, Vec<PositionRow>);

impl<'s> Sample<'s> {
    /// Draws positions below a root that are not over, each once up to symmetry.
    ///
    /// # Errors
    /// [`ExportError::TooFew`] if fewer are found; if the control asks to stop, or the positions to
    /// draw from cannot be solved or read.
    pub fn draw(
        root: &'s dyn Position,
        draw: &'s Draw,
        (all_moves, mirror): (bool, bool),
        control: &Control,
    ) -> Result<Self, ExportError> {
        control.start(0);
        let drawn = draw.draw(root, control)?;
        Ok(Self { root, draw, drawn, is_balanced: false, all_moves, mirror })
    }

    /// Values the positions by an oracle and hands them over in order. `keep` gets the values of a
    /// position before that.
    fn value_each(
        &self,
        oracle: &Oracle,
        threads: usize,
        control: &Control,
        keep: Keep<'_>,
        mut each: impl FnMut(Drawn, &KnownPosition) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        control.start(self.drawn.len() as u64);
        oracle.prepare(self.root, control)?;
        control.start(self.drawn.len() as u64);
        let mut all = self.drawn.iter().copied();
        let mut failed = None;
        let work = |drawn: Drawn, control: &Control| match self.value(drawn, oracle, control) {
            Err(OracleError::Stopped(stopped)) => Err(stopped),
            valued => Ok((drawn, valued)),
        };
        let done = |valued: Vec<(Drawn, Result<Valued, OracleError>)>| {
            let mut take = |(drawn, valued): (Drawn, Result<Valued, OracleError>)| {
                let (known, rows) = valued?;
                keep(rows);
                let images = if self.mirror {
                    known.images(&|position| position.moves_to().ok())
                } else {
                    vec![known]
                };
                images.iter().try_for_each(|known| each(drawn, known))
            };
            match valued.into_iter().try_for_each(&mut take) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let ended = each_in_order(threads, control, || all.next(), work, done);
        failed.map_or(ended.map(drop).map_err(ExportError::from), Err)
    }

    fn value(
        &self,
        drawn: Drawn,
        oracle: &Oracle,
        control: &Control,
    ) -> Result<Valued, OracleError> {
        let position = self.root.of_key(drawn.key).expect("the key of a position");
        let known = oracle.prove(position.as_ref(), control)?;
        let (mut moves, mut rows) = (Vec::new(), Vec::new());
        for branch in self.all_moves.then(|| position.branches()).into_iter().flatten() {
            let to = branch.to.as_ref();
            let below = oracle.prove(to, control)?;
            moves.push((branch.bit, below.one_ply_earlier(branch.keeps_turn)));
            if let (None, Some((key, _))) = (to.result(), to.canonical()) {
                rows.push(PositionRow { key, ply: to.tier(), value: below.value, best: None });
            }
        }
        let best = if self.all_moves {
            let attains = moves.iter().filter(|(_, there)| there.attains(known));
            MoveSet(attains.fold(0, |set, (bit, _)| set | 1 << bit))
        } else {
            oracle.best_moves(position.as_ref(), control)?
        };
        let value = known.value;
        rows.push(PositionRow { key: drawn.key, ply: drawn.ply, value, best: Some(best) });
        let way = position.moves_to().ok();
        let of_move = |&(bit, there): &(u32, SourcedValue)| Some((bit, there.points?));
        let points = known
            .points
            .map(|best| Points { best, moves: moves.iter().filter_map(of_move).collect() });
        let moves = moves.into_iter().map(|(bit, there)| (bit, Some(there.value))).collect();
        Ok((KnownPosition { position, way, value, points, best: Some(best), moves }, rows))
    }

    /// Shuffles positions, into another order than the lots by which they may have been drawn.
    fn shuffled(&self, mut drawn: Vec<Drawn>) -> Vec<Drawn> {
        drawn.sort_unstable_by_key(|drawn| (Random::lot(!self.draw.seed, drawn.key.0), *drawn));
        drawn
    }

    /// Draws the number of the part of each position at random.
    fn parts(&self, shares: impl Iterator<Item = f64>) -> BTreeMap<Drawn, usize> {
        let (mut all, mut end) = (self.shuffled(self.drawn.clone()).into_iter(), 0.0);
        let mut parts = BTreeMap::new();
        for (part, share) in shares.enumerate() {
            end += share * self.drawn.len() as f64;
            let left = (end.round() as usize).saturating_sub(parts.len());
            parts.extend(all.by_ref().take(left).map(|drawn| (drawn, part)));
        }
        parts
    }

    /// Leaves out positions at random until all outcomes that occur are equally many. `keep` gets
    /// every value found.
    ///
    /// # Errors
    /// If values cannot be found, or the control asks to stop.
    pub fn balance(
        &mut self,
        oracle: &Oracle,
        threads: usize,
        control: &Control,
        keep: Keep<'_>,
    ) -> Result<(), ExportError> {
        let mut by_outcome = BTreeMap::<_, Vec<Drawn>>::new();
        self.value_each(oracle, threads, control, keep, |drawn, known| {
            let of_outcome = by_outcome.entry(known.value.outcome).or_default();
            // An image follows the position.
            if of_outcome.last() != Some(&drawn) {
                of_outcome.push(drawn);
            }
            Ok(())
        })?;
        let fewest = by_outcome.values().map(Vec::len).min().unwrap_or(0);
        let left = by_outcome.into_values().map(|drawn| self.shuffled(drawn));
        self.drawn = left.flat_map(|drawn| drawn.into_iter().take(fewest)).collect();
        self.drawn.sort_unstable();
        self.is_balanced = true;
        Ok(())
    }

    /// Writes the positions with their values, by ply and key. `keep` gets every value found.
    /// Returns the manifests, without names, lengths and hashes of the files.
    ///
    /// # Errors
    /// If a file cannot be written, values cannot be found, or the control asks to stop. The files
    /// must then not be committed.
    pub fn write(
        &self,
        format: PositionFormat,
        files: &mut [SampleFile],
        oracle: &Oracle,
        threads: usize,
        control: &Control,
        keep: Keep<'_>,
    ) -> Result<Vec<Manifest>, ExportError> {
        let schema = Schema::new(self.root, self.all_moves);
        let (columns, index_base) = (Some(schema.names()), schema.index_base);
        let parts: Vec<_> = files.iter().map(|file| file.part).collect();
        let shares = parts.iter().flatten().map(|(_, share)| *share);
        let part_of = self.parts(shares);
        let mut writers = Vec::new();
        for file in files {
            writers.push(DatasetWriter::new(format, &schema, &mut file.file)?);
        }
        let mut counts: Vec<RowCounts> = parts.iter().map(|_| RowCounts::default()).collect();
        self.value_each(oracle, threads, control, keep, |drawn, known| {
            let at = part_of.get(&drawn).copied().unwrap_or(parts.len() - 1);
            counts[at].count(drawn.ply.0, known.value.outcome);
            Ok(writers[at].row(&schema.row(known))?)
        })?;
        writers.into_iter().try_for_each(DatasetWriter::finish)?;
        let of_part = |(counts, part): (RowCounts, Option<(&'static str, f64)>)| {
            let mut manifest = Manifest {
                selection: match self.mirror {
                    true => "random positions that are not over, each in all of its images",
                    false => {
                        "random positions that are not over, each in its canonical image: \
                              the one with the lowest key"
                    }
                },
                index_base,
                columns: columns.clone(),
                sample: Some(ManifestSample {
                    positions: self.drawn.len() as u64,
                    from: match self.draw.uniform {
                        Some(_) => "all positions, each as likely",
                        None => "random games",
                    },
                    seed: self.draw.seed,
                    per_ply: self.draw.per_ply,
                    balanced: self.is_balanced,
                    plies: self.draw.plies.as_ref().map(ToString::to_string),
                    root: (self.root.key() != self.root.start().key()).then(|| self.root.picture()),
                    part: part.map(|(name, _)| name),
                    share: part.map(|(_, share)| share),
                }),
                ..manifest(self.root, format, self.mirror)
            };
            counts.fill(&mut manifest);
            manifest
        };
        Ok(counts.into_iter().zip(parts).map(of_part).collect())
    }

    /// Returns the positions with their values as columns in memory, by ply and key.
    pub fn columns(
        &self,
        oracle: &Oracle,
        threads: usize,
        control: &Control,
    ) -> Result<Vec<DataColumn>, ExportError> {
        let schema = Schema::new(self.root, self.all_moves);
        let mut columns = DataColumn::all(&schema);
        self.value_each(oracle, threads, control, &mut |_| (), |_, known| {
            columns
                .iter_mut()
                .zip(&schema.row(known))
                .for_each(|(column, field)| column.push(field));
            Ok(())
        })?;
        Ok(columns)
    }
}

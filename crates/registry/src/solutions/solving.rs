//! Solving of any game into a solution file.

use super::SolutionError;
use super::chunk::{code_of, value_of};
use super::layout::Numbering;
use super::rules::fingerprint_of_game;
use super::work::Work;
use super::write::{WriteError, Writer, WrittenGame, stop_with};
use crate::registry::Position;
use everyply_core::control::Control;
use everyply_core::exhaustive::{Code, SolveError};
use everyply_core::game::{PartialValue, TierId, Unsuited};
use everyply_files::disk::NewFile;
use everyply_files::store::Store;

/// Solves all positions that a root leads to in about `memory` bytes, and writes their values: by
/// rank if the game numbers its positions, else with their keys; if play may be endless, without
/// the positions that the rules decide. The file appears whole or not at all, and its bytes are the
/// same for any number of threads, with a work folder and without.
///
/// A work folder `work` keeps tiers of ranks: memory then holds the current tier and the tiers that
/// its moves lead to, and a later call continues from the kept tiers. A game without ranks does not
/// use it.
///
/// # Errors
/// If the control asks to stop, the game does not fit, or the file or the work folder cannot be used.
pub fn solve(
    root: &dyn Position,
    memory: u64,
    work: Option<&dyn Store>,
    file: NewFile,
    control: &Control,
) -> Result<WrittenGame, WriteError> {
    let mut found = None;
    solve_and_write(root, memory, work, file, control, &mut found).map_err(|error| {
        match (error, found) {
            (WriteError::File(source), Some(value)) => WriteError::Unfinished { value, source },
            (error, _) => error,
        }
    })
}

/// Solves and writes; sets `found` to the value of the root as soon as it is known.
fn solve_and_write(
    root: &dyn Position,
    memory: u64,
    work: Option<&dyn Store>,
    mut file: NewFile,
    control: &Control,
    found: &mut Option<PartialValue>,
) -> Result<WrittenGame, WriteError> {
    check_memory(root, memory, work.is_some())?;
    let mut writer = Writer::new(root, Numbering::of(root), &mut file)?;
    match (root.rank(), work) {
        (None, _) => {
            let most = memory / root.bytes(true);
            let mut written = Ok(());
            let value = root.solve_listed(most, control, &mut |part| {
                let keys = part.iter().map(|(key, value)| (key.0, code_of(*value)));
                if written.is_ok() {
                    written = writer.add(keys, control);
                }
            })?;
            *found = Some(value);
            written?;
            writer.end_tier("all")?;
        }
        (Some(here), Some(store)) => {
            let mut work = begun(root, store, control)?;
            let code = work.solve_into(&mut writer, here)?;
            *found = Some(value_of(code, root.lead()));
        }
        (Some((last, rank)), None) => {
            let mut failed = None;
            let mut see = |id: TierId, tier: &everyply_core::game::Tier, codes: &[Code]| {
                if id == last {
                    *found = Some(value_of(codes[rank as usize], root.lead()));
                }
                writer.tier(&tier.name, codes, control).map_err(stop_with(&mut failed))
            };
            let solved = root.ranks().map_or(Ok(()), |ranks| ranks.solve(control, &mut see));
            failed.map_or(Ok(()), Err)?;
            solved?;
        }
    }
    let written = writer.finish(found.ok_or(Unsuited::Unranked)?)?;
    file.commit().map_err(SolutionError::from)?;
    Ok(written)
}

/// Solves the tiers that a root leads to and a work folder lacks: all that [`solve`] needs to write
/// the file. Any number of processes may work in one folder.
///
/// # Errors
/// If the control asks to stop, a tier does not fit, or the work folder cannot be used.
pub fn fill(
    root: &dyn Position,
    memory: u64,
    work: &dyn Store,
    control: &Control,
) -> Result<(), WriteError> {
    root.rank().ok_or(Unsuited::Unranked)?;
    check_memory(root, memory, true)?;
    begun(root, work, control)?.solve()
}

fn begun<'a>(
    root: &'a dyn Position,
    store: &'a dyn Store,
    control: &'a Control,
) -> Result<Work<'a>, WriteError> {
    let work = Work::new(root, store, fingerprint_of_game(root)?, control);
    work.begin()?;
    Ok(work)
}

/// Refuses tiers that need more memory.
fn check_memory(root: &dyn Position, memory: u64, has_folder: bool) -> Result<(), SolveError> {
    let Some(cost) = root.ranked_cost() else { return Ok(()) };
    let needs = [cost.in_memory, cost.in_folder()];
    if needs[usize::from(has_folder)] <= memory {
        return Ok(());
    }
    let [need, in_folder] = needs.map(|bytes| bytes.div_ceil(1 << 20));
    Err(SolveError::Memory { need, in_folder, allowed: memory >> 20 })
}

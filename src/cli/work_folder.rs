//! The work folder of whole boards, or memory in its place.

use super::options::real;
use super::prelude::*;
use everyply_connect_four::profiles::{
    Estimate, Memory, Objects, PassError, Storage, StorageError, UNIT_BYTES,
};
use everyply_files::store::Folder;
use everyply_registry::solutions::SolutionError;

/// Bytes of arrays that stay in memory beside a work folder, without --memory.
const NEAR: f64 = (2u64 << 30) as f64;

/// The options for the storage of a computation.
#[derive(Debug, clap::Args)]
pub(super) struct WorkOptions {
    /// Work in this folder instead of in memory; the same command continues an interrupted run, and
    /// several may work in one folder. Made if it is missing
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Memory that may be used; for Connect Four with --work, half of it for arrays kept in memory
    /// [default: all available; for Connect Four with --work, arrays of 2 GiB]
    #[arg(long, value_name = "GIB",
          value_parser = real(0.001..=1e6, "memory is a number of GiB, at least 0.001"))]
    memory: Option<f64>,
}

impl WorkOptions {
    /// The storage for a board: the work folder, or memory, of which it needs `in_memory` bytes.
    pub fn storage(
        &self,
        size: Size,
        in_memory: u64,
        need: &Estimate,
    ) -> Result<Box<dyn Storage>, Failure> {
        let memory = in_memory as f64;
        let [expected, bound] = [need.folder, need.solve].map(|bytes| text::bytes(bytes as f64));
        let folder = format!("about {expected}, at most {bound}");
        let available = available_memory();
        let allowed = self.allowed();
        if let Some(work) = &self.work {
            let free = free_disk(work);
            if need.folder as f64 > free {
                return Err(usage!(
                    "{size} needs {folder} in --work {}; {} are free there",
                    work.display(),
                    text::bytes(free)
                ));
            }
            let opened = Folder::open(work)
                .map_err(StorageError::from)
                .and_then(|folder| Objects::open(Arc::new(folder), size, UNIT_BYTES));
            let near = match allowed {
                Some(allowed) => allowed / 2.0,
                None => NEAR.min(available / 4.0),
            };
            let opened = opened.map(|objects| objects.with_memory(near as u64));
            return opened.map(|objects| Box::new(objects) as _).map_err(Failure::from);
        }
        let allowed = allowed.unwrap_or(available);
        if memory > allowed {
            return Err(usage!(
                "{size} needs {} of memory, or with --work DIR {folder} of disk; {} of memory {}",
                text::bytes(memory),
                text::bytes(allowed),
                if self.memory.is_some() { "are allowed by --memory" } else { "are available" },
            ));
        }
        Ok(Box::new(Memory::new()))
    }

    pub fn folder(&self) -> Option<&Path> {
        self.work.as_deref()
    }

    /// The store for the tiers of a game that numbers its positions, if they are kept in one.
    pub fn tiers(&self) -> Result<Option<Folder>, Failure> {
        self.work.as_deref().map(|work| Folder::open(work).map_err(Failure::from)).transpose()
    }

    /// The bytes of memory that --memory allows.
    fn allowed(&self) -> Option<f64> {
        self.memory.map(|gib| gib * 1024f64.powi(3))
    }

    /// The bytes of memory that may be used.
    pub fn memory(&self) -> f64 {
        self.allowed().unwrap_or_else(available_memory)
    }

    /// The bytes of memory for work without a folder; an error if there is --work.
    pub fn memory_alone(&self) -> Result<f64, Failure> {
        if self.work.is_some() {
            return Err(usage!(
                "--work: the positions of this game are kept in memory: leave it out, or take a game \
                 for which `solve --plan` lists units or tiers",
            ));
        }
        Ok(self.memory())
    }

    /// The end of the message about stopped work.
    pub fn kept(&self) -> String {
        self.work.as_ref().map_or_else(String::new, |work| {
            format!("; the same command continues from what is in {}", work.display())
        })
    }
}

/// Free bytes on the disk of a path; infinite if the system does not report them.
fn free_disk(path: &Path) -> f64 {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let disks = sysinfo::Disks::new_with_refreshed_list();
    let holds = |disk: &&sysinfo::Disk| path.starts_with(disk.mount_point());
    let nearest =
        disks.iter().filter(holds).max_by_key(|disk| disk.mount_point().as_os_str().len());
    nearest.map_or(f64::INFINITY, |disk| disk.available_space() as f64)
}

/// The failure of an engine, or of work that was stopped.
pub(super) fn failed_pass(error: PassError, stopped: impl FnOnce() -> Failure) -> Failure {
    match error {
        PassError::Stopped(_) => stopped(),
        error => error.into(),
    }
}

/// The failure of a solution file, or of work that was stopped.
pub(super) fn failed_solution(error: SolutionError, stopped: impl FnOnce() -> Failure) -> Failure {
    match error {
        SolutionError::Pass(error) => failed_pass(error, stopped),
        error => error.into(),
    }
}

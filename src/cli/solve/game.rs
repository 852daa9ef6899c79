//! `analyze solve`: the solution, in a file or a work folder.

use crate::cli::prelude::*;
use crate::cli::work_folder::{WorkOptions, failed_solution};
use everyply_connect_four::profiles::{Board, Storage};
use everyply_core::game::ValueRow;
use everyply_files::store::Folder;
use everyply_registry::solutions::{self, Tier, WriteError, WrittenGame};
use everyply_results::export::value_row;

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(in crate::cli) struct SolveDocument {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    value: ValueRow,
    /// Missing if the file could not be finished.
    #[serde(flatten)]
    file: Option<FileDocument>,
    threads: usize,
    elapsed_s: f64,
}

#[derive(JsonSchema, Serialize)]
struct FileDocument {
    positions: u64,
    /// The positions that the file holds, in words.
    holds: &'static str,
    tiers: Vec<Tier>,
    /// The exact counts of a Connect Four board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    plies: Vec<PlyCounts>,
    bytes: u64,
    bits_per_position: f64,
}

enum Room<'b> {
    Board(&'b Board, Box<dyn Storage>),
    Tiers(Option<Folder>),
}

/// A work folder that has all of a game, so that a later run only writes the file.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Filled {
    work: String,
}

pub(super) struct SolveTask<'a> {
    pub position: &'a dyn Position,
    /// The file to write; without one the work folder is filled.
    pub out: Option<&'a Path>,
    pub work: &'a WorkOptions,
    /// Bytes of memory that may be used.
    pub memory: u64,
}

impl SolveTask<'_> {
    /// Solves the game, with a board by the engine of bit arrays.
    pub fn run(&self, board: Option<&Board>, running: &Running) -> Result<(), Failure> {
        let &Self { position, out, work, memory } = self;
        let room = if let Some(board) = board {
            let need = board.estimate(usize::MAX);
            Room::Board(board, work.storage(board.size(), need.solve, &need)?)
        } else {
            Session::check_graph(position, "Take a smaller board or a later POSITION")?;
            Room::Tiers(work.tiers()?)
        };
        // The file is created before any work, so that an unwritable path is refused at once.
        let file = out.map(NewFile::create).transpose()?;
        let session = Session::start(running)?;
        let interrupted = || session.interrupted(&work.kept());
        let refused = |error| match error {
            WriteError::Solve(SolveError::Stopped(_)) => interrupted(),
            WriteError::Solve(error) => failed(position, &session, error),
            WriteError::File(error) | WriteError::Unfinished { source: error, .. } => {
                failed_solution(error, interrupted)
            }
        };
        let (label, counted) = match board {
            Some(_) => ("solving".to_owned(), "profiles"),
            None => (text::solving(position, memory / position.bytes(true)), "positions"),
        };
        let (Some(file), Some(out)) = (file, out) else {
            let fill = |control: &Control| match &room {
                Room::Board(board, storage) => solutions::fill_board(board, &**storage, control),
                Room::Tiers(store) => {
                    let store = store.as_ref().expect("the parser asks for --out or --work");
                    solutions::fill(position, memory, store, control)
                }
            };
            session.work(&label, counted, fill).map_err(refused)?;
            let folder = work.folder().map(|work| work.display().to_string());
            let filled = Filled { work: folder.unwrap_or_default() };
            return text::print_result(running.json, &filled, || {
                let (title, work) = (&position.info().title, &filled.work);
                format!("{title}\n\nfolder     {work} has all values: --out FILE writes them\n")
            });
        };
        let written = session.work(&label, counted, |control| match &room {
            Room::Board(board, storage) => solutions::solve_board(board, &**storage, file, control),
            Room::Tiers(store) => {
                let store = store.as_ref().map(|folder| folder as _);
                solutions::solve(position, memory, store, file, control)
            }
        });
        let (value, written, unfinished) = match written {
            Ok(written) => (written.value, Some(written), None),
            Err(WriteError::Unfinished { value, source }) => (value, None, Some(source)),
            Err(error) => return Err(refused(error)),
        };
        let document = SolveDocument {
            game: GameFields::of(position),
            position: position.picture(),
            value: value_row(position, value),
            file: written.map(FileDocument::of),
            threads: session.threads,
            elapsed_s: session.started.elapsed().as_secs_f64(),
        };
        text::print_result(running.json, &document, || {
            let title = &position.info().title;
            let value = format!("value      {}\n", position.value_for_mover(value));
            let time = text::time(document.elapsed_s, document.threads);
            let time = format!("time       {time}");
            match &document.file {
                Some(file) => {
                    let table = file.table(position.lead().is_some());
                    let bytes = file.line(out);
                    format!("{title}\n\n{table}\n{value}{bytes}{time}\n")
                }
                None => format!("{title}\n\n{value}{time}\n"),
            }
        })?;
        unfinished.map_or(Ok(()), |source| Err(failed_solution(source, interrupted)))
    }
}

impl FileDocument {
    fn of(written: WrittenGame) -> Self {
        let positions = written.tiers.iter().map(Tier::positions).sum();
        Self {
            positions,
            holds: written.holds,
            tiers: written.tiers,
            plies: written.counts.map_or_else(Vec::new, |counts| counts.plies),
            bytes: written.bytes,
            bits_per_position: 8.0 * written.bytes as f64 / positions as f64,
        }
    }

    /// The lines about the positions and the size of the file.
    fn line(&self, path: &Path) -> String {
        let Self { positions, holds, bytes, bits_per_position, .. } = self;
        let (positions, path, bytes) =
            (grouped(*positions), path.display(), counted(*bytes, "byte"));
        format!(
            "positions  {positions}: {holds}\nfile       {path}: {bytes}, {bits_per_position:.3} bits a \
             position\n"
        )
    }

    fn table(&self, has_points: bool) -> String {
        if !self.plies.is_empty() {
            return text::ply_table(&self.plies);
        }
        let longest = if has_points { "points" } else { "longest" };
        let mut table = Table::new(&format!("tier,positions,wins,draws,endless,losses,{longest}"));
        for tier in &self.tiers {
            let Tier { wins, draws, endless, losses, longest, .. } = *tier;
            let numbers = [tier.positions(), wins, draws, endless, losses, longest].map(grouped);
            table.row(std::iter::once(tier.name.clone()).chain(numbers));
        }
        table.render()
    }
}

pub(super) fn failed(position: &dyn Position, session: &Session, error: SolveError) -> Failure {
    match error {
        SolveError::Stopped(_) => session.interrupted(""),
        SolveError::Positions(_) => usage!(
            "{}: {error}, for which the memory is too small; --plan says how they grow",
            position.info().title
        ),
        error => usage!("{}: {error}", position.info().title),
    }
}

//! Making the units of a plan, giving them up, and joining what is packed of them.

use std::fmt::Write;
use std::path::PathBuf;
use std::str::FromStr;

use rayon::prelude::*;
use serde::Serialize;

use super::PlanOptions;
use crate::cli::failure::Failure;
use crate::cli::options::Running;
use crate::cli::session::Session;
use crate::cli::text;
use crate::cli::work_folder::{failed_pass, failed_solution, open_store};
use crate::connect_four::profiles::{
    self, Board, Content, Objects, PassError, Plan, SolutionDetail, Storage, Unit,
};
use crate::game::Ply;
use crate::statistics::counted;

/// Units of a tier, or some by name, made from those before them
///
/// What is there already is left as it is. A unit that is missing one of its inputs is an error,
/// which names the input.
#[derive(Debug, clap::Args)]
pub(super) struct Make {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    which: Which,
    /// Of the units of the tier only part I of N, counted from 1: for job arrays
    #[arg(long, value_name = "I/N", requires = "tier")]
    share: Option<Share>,
    #[command(flatten)]
    running: Running,
}

/// The arrays of units that nobody reads any more, removed; that they were made is kept
///
/// The positions of a ply can go once its values are packed, the values once those of the ply
/// before it are made and they are packed themselves.
#[derive(Debug, clap::Args)]
pub(super) struct Discard {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    which: Which,
}

/// The solution file of a board all of whose units are made: byte for byte that of `solve`
#[derive(Debug, clap::Args)]
pub(super) struct Finish {
    #[command(flatten)]
    place: Place,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Join the tiers `outcomes-...`: win, draw and loss only
    #[arg(long)]
    outcome_only: bool,
    #[command(flatten)]
    running: Running,
}

/// A plan, and where its units are kept.
#[derive(Debug, clap::Args)]
struct Place {
    #[command(flatten)]
    plan: PlanOptions,
    /// The folder that all processes share, or s3://BUCKET/PREFIX in a build with buckets. Made if
    /// it is not there
    #[arg(long, value_name = "DIR")]
    work: PathBuf,
}

impl Place {
    fn open(&self, board: &Board) -> Result<Objects, Failure> {
        let opened = open_store(&self.work);
        opened
            .and_then(|store| Objects::open(store, board.size(), self.plan.unit_bytes()))
            .map_err(Failure::runtime)
    }
}

/// The units that are meant.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// The units of a tier: content and ply, as in alive-07, values-07, packed-07 or outcomes-07
    #[arg(long, value_name = "TIER")]
    tier: Option<TierName>,
    /// Units by name, as in alive-07-00012
    #[arg(value_name = "UNIT")]
    units: Vec<Unit>,
}

/// What is said of the positions of a ply.
#[derive(Clone, Copy, Debug)]
struct TierName {
    content: Content,
    ply: Ply,
}

impl FromStr for TierName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A tier is the first of its units without the number.
        let unit: Result<Unit, _> = format!("{text}-00000").parse();
        let Unit { content, ply, .. } = unit.map_err(|_| {
            "a tier is a content (alive, values, packed, outcomes) and a ply, as in alive-07"
                .to_owned()
        })?;
        Ok(Self { content, ply })
    }
}

/// A part of some parts of the same size.
#[derive(Clone, Copy, Debug)]
struct Share {
    part: usize,
    of: usize,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        parts
            .filter(|share| (1..=share.of).contains(&share.part))
            .ok_or_else(|| "a share is I/N, I from 1 to N".to_owned())
    }
}

impl Which {
    fn units(&self, plan: &Plan<'_>, share: Option<Share>) -> Result<Vec<Unit>, Failure> {
        let Share { part, of } = share.unwrap_or(Share { part: 1, of: 1 });
        let units: Vec<Unit> = match self.tier {
            Some(TierName { content, ply }) if ply <= plan.last_ply() => {
                plan.units(content, ply).skip(part - 1).step_by(of).collect()
            }
            Some(TierName { content, ply }) => {
                return Err(Failure::Usage(format!(
                    "--tier {content}-{ply}: the last ply of the board is {}",
                    plan.last_ply()
                )));
            }
            None => self.units.clone(),
        };
        let unknown = |unit: &&Unit| !plan.has(**unit) || unit.content == Content::Checked;
        match units.iter().find(unknown) {
            Some(unit) => Err(Failure::Usage(format!(
                "{unit}: the plan has no such unit; `analyze units plan` tells how many each tier has"
            ))),
            None => Ok(units),
        }
    }
}

#[derive(Serialize)]
struct Document {
    board: String,
    line: u8,
    units: usize,
    made: usize,
    threads: usize,
    elapsed_s: f64,
}

pub(super) fn make(args: &Make) -> Result<(), Failure> {
    let board = args.place.plan.board()?;
    let storage = args.place.open(&board)?;
    let plan = plan_of(&board, &storage);
    let units = args.which.units(&plan, args.share)?;
    let session = Session::start(&args.running)?;
    let made = session.work("making units", "profiles", |control| {
        let mut made = 0;
        for some in units.chunks(rayon::current_num_threads()) {
            let new = some.par_iter().map(|&unit| {
                let new = storage.summary(unit)?.is_none();
                profiles::make(&plan, &storage, unit, control)?;
                Ok(usize::from(new))
            });
            made += new.sum::<Result<usize, PassError>>()?;
        }
        Ok(made)
    });
    let made =
        made.map_err(|error| failed_pass(error).unwrap_or_else(|| session.interrupted("")))?;
    let document = Document {
        board: board.size().board(),
        line: board.size().line,
        units: units.len(),
        made,
        threads: session.threads,
        elapsed_s: session.started.elapsed().as_secs_f64(),
    };
    if args.running.json {
        return text::print_json(&document);
    }
    let time = text::seconds(session.started.elapsed());
    let units = counted(units.len() as u64, "unit");
    text::print(&format!("{made} of {units} made in {time}, the rest were there\n"))
}

pub(super) fn discard(args: &Discard) -> Result<(), Failure> {
    let board = args.place.plan.board()?;
    let storage = args.place.open(&board)?;
    let units = args.which.units(&plan_of(&board, &storage), None)?;
    let discarded = units.iter().try_for_each(|&unit| storage.discard(unit));
    discarded.and_then(|()| storage.settle()).map_err(Failure::runtime)
}

pub(super) fn finish(args: &Finish) -> Result<(), Failure> {
    let board = args.place.plan.board()?;
    let storage = args.place.open(&board)?;
    let plan = plan_of(&board, &storage);
    let detail =
        if args.outcome_only { SolutionDetail::Outcome } else { SolutionDetail::Remoteness };
    let session = Session::start(&args.running)?;
    let finished = session.work("joining units", "profiles", |control| {
        profiles::finish(&plan, detail, &storage, &args.out, control)
    });
    let written = finished
        .map_err(|error| failed_solution(error).unwrap_or_else(|| session.interrupted("")))?;
    let mut text = format!("{}\n\n", text::title(board.game()));
    text.push_str(&text::ply_table(&written.counts.plies));
    if let Some(values) = &written.counts.values {
        let _ = writeln!(text, "\nvalue      {}", values.start);
    }
    let bytes = counted(written.bytes, "byte");
    let _ = writeln!(text, "file       {}: {bytes}", args.out.display());
    text::print(&text)
}

/// The plan of a whole board in the units that a storage has.
fn plan_of<'a>(board: &'a Board, storage: &Objects) -> Plan<'a> {
    Plan::new(board, storage.cut(), usize::MAX)
}

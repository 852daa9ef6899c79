//! `analyze solve --plan`: positions, memory, disk and time of a solution, before it is made.

use std::collections::HashSet;

use super::game::failed;
use crate::cli::prelude::*;
use everyply_connect_four::profiles::{self, Board, Content, Cut, UNIT_BYTES};
use everyply_core::exhaustive::{RankedCost, TierCost};
use everyply_core::game::Ply;

const LISTED: u64 = 1 << 20;

/// Bytes of a position in a file with keys and without, of the games measured in `benches/ranked.md`.
const IN_FILE: [f64; 2] = [0.6, 0.5];

#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Plan {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    #[serde(flatten)]
    need: Need,
}

/// The positions of a solution, and what it takes to make it; `null` where that is not known.
#[derive(Default, JsonSchema, Serialize)]
struct Need {
    /// Positions up to symmetry, as the file lists them, or as many as were listed up to the limit; the ranks of
    /// a game that numbers its positions. Unknown for a board that is solved by profiles.
    positions: Option<u64>,
    /// True if there are no others.
    complete: bool,
    /// How the positions grow, if there are others.
    growth: Option<Growth>,
    /// The profiles of a board that is solved by them.
    profiles: Option<u64>,
    /// The tiers of a board or of a game that numbers its positions, in the order in which they are solved.
    tiers: Vec<PlannedTier>,
    /// Bytes of memory to solve them, about; for a board also the most that its work folder takes.
    memory: u64,
    /// The same with --work, for a game that numbers its positions.
    memory_with_work: Option<u64>,
    /// Bytes of the work folder of a board, extrapolated from boards that were solved.
    folder: Option<u64>,
    /// Bytes of the file, about; unknown for a board.
    file: Option<u64>,
    /// Seconds of processor time, about, for a board or a game that numbers its positions.
    core_seconds: Option<f64>,
}

/// The positions of the first plies, up to symmetry.
#[derive(JsonSchema, Serialize)]
struct Growth {
    /// Moves from the position, at most.
    plies: u32,
    positions: u64,
    /// Positions that the last of these plies adds, over those that the ply before it adds.
    factor: f64,
}

impl Growth {
    /// The most positions visited.
    const MOST: usize = 1 << 15;

    fn of(position: &dyn Position) -> Option<Self> {
        let mut seen = HashSet::from([position.canonical()?.0]);
        let mut frontier = position.branches();
        let (mut added, mut growth) = (1, None);
        for plies in 1.. {
            let (before, mut next) = (seen.len(), Vec::new());
            for to in frontier.into_iter().map(|branch| branch.to) {
                if seen.insert(to.canonical()?.0) && to.result().is_none() {
                    next.extend(to.branches());
                }
                if seen.len() > Self::MOST {
                    return growth;
                }
            }
            let factor = (seen.len() - before) as f64 / f64::from(added);
            growth = Some(Self { plies, positions: seen.len() as u64, factor });
            added = (seen.len() - before) as u32;
            frontier = next;
        }
        growth
    }
}

#[derive(Default, JsonSchema, Serialize)]
struct PlannedTier {
    name: String,
    /// Bytes of memory to solve it, with the tiers that its moves lead to; for a board the bytes of the tier,
    /// or 0 if they are known only once it is made.
    memory: u64,
    ranks: Option<u64>,
    core_seconds: Option<f64>,
    /// The units that a work folder cuts the tier of a board into.
    units: Option<u64>,
    /// Bytes of the largest unit.
    largest_unit: Option<u64>,
}

/// Prints the plan of a game, or of a board that is solved by profiles.
pub(super) fn run(
    position: &dyn Position,
    board: Option<&Board>,
    memory: u64,
    running: &Running,
) -> Result<(), Failure> {
    let need = match (board, position.ranked_cost()) {
        (Some(board), _) => Need::of_board(board),
        (None, Some(cost)) => Need::of_ranks(&cost),
        (None, None) => Need::listed(position, running)?,
    };
    let plan = Plan { game: GameFields::of(position), position: position.picture(), need };
    text::print_result(running.json, &plan, || plan.need.text(position, memory))
}

impl Need {
    fn of_board(board: &Board) -> Self {
        let plan = profiles::Plan::new(board, Cut::of_bytes(UNIT_BYTES), usize::MAX);
        let need = board.estimate(usize::MAX);
        Self {
            complete: true,
            profiles: Some(need.profiles),
            tiers: tiers_of_board(&plan),
            memory: need.solve,
            folder: Some(need.folder),
            core_seconds: Some(plan.core_seconds()),
            ..Self::default()
        }
    }

    fn of_ranks(cost: &RankedCost) -> Self {
        let planned = |tier: &TierCost| PlannedTier {
            name: tier.name.clone(),
            ranks: Some(tier.ranks),
            memory: tier.bytes,
            core_seconds: Some(tier.seconds),
            ..PlannedTier::default()
        };
        Self {
            positions: Some(cost.ranks()),
            complete: true,
            tiers: cost.tiers.iter().map(planned).collect(),
            memory: cost.in_memory,
            memory_with_work: Some(cost.in_folder()),
            file: Some((cost.ranks() as f64 * IN_FILE[1]) as u64),
            core_seconds: Some(cost.seconds()),
            ..Self::default()
        }
    }

    /// The need of a game whose positions have to be listed to be counted, up to a limit.
    fn listed(position: &dyn Position, running: &Running) -> Result<Self, Failure> {
        let session = Session::start(running)?;
        let mut listed = 0;
        let solved = session.work("listing", "positions", |control| {
            position.solve_listed(LISTED, control, &mut |part| listed += part.len() as u64)
        });
        let (positions, complete) = match solved {
            Ok(_) => (listed, true),
            Err(SolveError::Positions(most)) => (most, false),
            Err(error) => return Err(failed(position, &session, error)),
        };
        Ok(Self {
            positions: Some(positions),
            complete,
            growth: if complete { None } else { Growth::of(position) },
            memory: positions * position.bytes(true),
            file: Some((positions as f64 * IN_FILE[0]) as u64),
            ..Self::default()
        })
    }

    fn text(&self, position: &dyn Position, memory: u64) -> String {
        let bytes = |bytes: u64| text::bytes(bytes as f64);
        let least = if self.complete { "" } else { "more than " };
        let size = if self.complete { "about " } else { least };
        let tiers = counted(self.tiers.len() as u64, "tier");
        let positions = self.positions.map(grouped).map(|positions| match self.tiers.is_empty() {
            true if self.complete => format!("{positions} up to symmetry"),
            true => {
                // Every position has a key of its own.
                let most = text::magnitude(2f64.powi(position.info().key_bits as i32));
                format!("{least}{positions}, fewer than {most} up to symmetry")
            }
            false => format!("{positions} by rank in {tiers}"),
        });
        let growth = self.growth.as_ref().map(|Growth { plies, positions, factor }| {
            let (positions, plies) = (grouped(*positions), counted(u64::from(*plies), "ply"));
            format!(
                "{positions} within {plies}; the last of them adds {factor:.1} times as many as the \
                 one before"
            )
        });
        let (need, mut allowed) = (bytes(self.memory), format!("{} are allowed", bytes(memory)));
        if !self.complete {
            allowed += &format!(": {}", counted(memory / position.bytes(true), "position"));
        }
        let with_work = self.memory_with_work.map(|need| format!(", with --work {}", bytes(need)));
        let with_work = with_work.unwrap_or_default();
        let folder = self.folder.map(bytes).map(|folder| {
            format!("about {folder}, at most {need} (expected from boards that were solved)")
        });
        let from = if self.profiles.is_some() { "7x5" } else { "games that were solved" };
        let work = self.core_seconds.map(text::brief_time);
        let table = if self.tiers.is_empty() { String::new() } else { self.table() };
        format!("{}\n\n{table}", position.info().title)
            + &text::facts([
                ("profiles", self.profiles.map(grouped)),
                ("positions", positions),
                ("growth", growth),
                ("memory", Some(format!("{least}{need}{with_work}; {allowed}"))),
                ("folder", folder),
                ("work", work.map(|time| format!("{time} of one core (extrapolated from {from})"))),
                ("file", self.file.map(|file| format!("{size}{}", bytes(file)))),
            ])
    }

    fn table(&self) -> String {
        let bytes = |bytes: u64| text::bytes(bytes as f64);
        let mut table = Table::new(match self.profiles {
            Some(_) => "tier,units,bytes,largest unit",
            None => "tier,ranks,memory,core-seconds",
        });
        for tier in &self.tiers {
            let known = |size: u64| if size == 0 { String::new() } else { bytes(size) };
            let number = tier.ranks.or(tier.units).map(grouped).unwrap_or_default();
            let seconds = tier.core_seconds.map(|seconds| format!("{seconds:.1}"));
            let last = seconds.or(tier.largest_unit.map(known)).unwrap_or_default();
            table.row([tier.name.clone(), number, known(tier.memory), last]);
        }
        table.render() + "\n"
    }
}

/// The tiers of a board in the order in which they are made.
fn tiers_of_board(plan: &profiles::Plan<'_>) -> Vec<PlannedTier> {
    let plies = || (0..=plan.last_ply().0).map(Ply);
    let forward = plies().map(|ply| (Content::NonTerminal, ply));
    let backward = plies().rev().flat_map(|ply| {
        [Content::Values, Content::Packed].into_iter().map(move |content| (content, ply))
    });
    let tier = |(content, ply): (Content, Ply)| {
        // The size of packed units is known only once they are made.
        let bytes = plan.units(content, ply).map(|unit| match content {
            Content::Packed => 0,
            _ => plan.bytes(unit),
        });
        let bytes: Vec<u64> = bytes.collect();
        PlannedTier {
            name: format!("{content}-{:02}", ply.0),
            memory: bytes.iter().sum(),
            units: Some(bytes.len() as u64),
            largest_unit: Some(bytes.iter().copied().max().unwrap_or(0)),
            ..PlannedTier::default()
        }
    };
    forward.chain(backward).map(tier).collect()
}

//! The plan of a board: its tiers, their units, and what they take.

use std::fmt::Write;

use serde::Serialize;

use super::PlanOptions;
use crate::cli::failure::Failure;
use crate::cli::text::{self, Table};
use crate::connect_four::profiles::{Content, Cut, Plan, Rates, Unit};
use crate::game::Ply;
use crate::games::line::LineGame;
use crate::statistics::grouped;

/// What a board is made of: tiers, units, bytes, and the time to be expected
///
/// Tiers are listed in the order in which they are made.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    plan: PlanOptions,
    /// Every unit with what it is made from, in place of the tiers
    #[arg(long)]
    units: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    board: String,
    line: u8,
    unit_bytes: u64,
    profiles: u64,
    tiers: Vec<Tier>,
    /// Of the folder while the board is solved.
    folder_bytes: FolderBytes,
    /// What is marked so was computed from the rates of a board that was solved.
    extrapolated: Extrapolated,
}

#[derive(Serialize)]
struct FolderBytes {
    expected: u64,
    bound: u64,
}

#[derive(Serialize)]
struct Extrapolated {
    core_hours: f64,
    /// Hours on this many nodes of 32 cores.
    hours: Vec<Hours>,
}

#[derive(Serialize)]
struct Hours {
    nodes: u32,
    hours: f64,
}

#[derive(Serialize)]
struct Tier {
    tier: String,
    units: u64,
    bytes: u64,
    largest_unit: u64,
}

#[derive(Serialize)]
struct OneUnit {
    unit: String,
    bytes: u64,
    inputs: Vec<String>,
}

/// Cores of the nodes that times are given for.
const CORES: f64 = 32.0;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let board = args.plan.board()?;
    let unit_bytes = args.plan.unit_bytes();
    let plan = Plan::new(&board, Cut::of_bytes(unit_bytes), usize::MAX);
    if args.units {
        return units(&plan, args.json);
    }
    let need = board.estimate(usize::MAX);
    let core_hours = Rates::MEASURED.core_seconds(&plan) / 3600.0;
    let hours = [1, 8, 64]
        .into_iter()
        .map(|nodes| Hours { nodes, hours: core_hours / (CORES * f64::from(nodes)) });
    let document = Document {
        game: board.game().name(),
        board: board.size().board(),
        line: board.size().line,
        unit_bytes,
        profiles: need.profiles,
        tiers: tiers(&plan),
        folder_bytes: FolderBytes { expected: need.folder.expected, bound: need.folder.bound },
        extrapolated: Extrapolated { core_hours, hours: hours.collect() },
    };
    if args.json { text::print_json(&document) } else { text::print(&document.text(&plan)) }
}

/// The tiers in the order in which they are made.
fn tiers(plan: &Plan<'_>) -> Vec<Tier> {
    let plies = || (0..=plan.last_ply().0).map(Ply);
    let forward = plies().map(|ply| (Content::NonTerminal, ply));
    let backward = plies().rev().flat_map(|ply| {
        [Content::Values, Content::Packed].into_iter().map(move |content| (content, ply))
    });
    let tier = |(content, ply): (Content, Ply)| {
        // What is packed has the size that it turns out to have.
        let bytes = plan.units(content, ply).map(|unit| match content {
            Content::Packed => 0,
            _ => plan.bytes(unit),
        });
        let bytes: Vec<u64> = bytes.collect();
        Tier {
            tier: format!("{content}-{:02}", ply.0),
            units: bytes.len() as u64,
            bytes: bytes.iter().sum(),
            largest_unit: bytes.iter().copied().max().unwrap_or(0),
        }
    };
    forward.chain(backward).map(tier).collect()
}

/// Every unit with its inputs.
fn units(plan: &Plan<'_>, json: bool) -> Result<(), Failure> {
    let units = plan.of_solution(Content::Packed).map(|unit: Unit| OneUnit {
        unit: unit.to_string(),
        bytes: if unit.content == Content::Packed { 0 } else { plan.bytes(unit) },
        inputs: plan.inputs(unit).iter().map(Unit::to_string).collect(),
    });
    if json {
        return text::print_json(&units.collect::<Vec<_>>());
    }
    let mut lines = String::new();
    for unit in units {
        let _ = writeln!(lines, "{} {}", unit.unit, unit.inputs.join(" "));
    }
    text::print(&lines)
}

impl Document {
    fn text(&self, plan: &Plan<'_>) -> String {
        let mut text = format!("{}\n\n", text::title(plan.board().game()));
        let mut table = Table::new(&["tier", "units", "bytes", "largest unit"]);
        for tier in &self.tiers {
            let bytes = |bytes| if bytes == 0 { String::new() } else { text::bytes(bytes as f64) };
            table.row([
                tier.tier.clone(),
                grouped(tier.units),
                bytes(tier.bytes),
                bytes(tier.largest_unit),
            ]);
        }
        text.push_str(&table.render());
        let bytes = |bytes| text::bytes(bytes as f64);
        let _ = writeln!(text, "\nprofiles     {}", grouped(self.profiles));
        let _ = writeln!(
            text,
            "folder       about {}, at most {} (expected from boards that were solved)",
            bytes(self.folder_bytes.expected),
            bytes(self.folder_bytes.bound)
        );
        let Extrapolated { core_hours, hours } = &self.extrapolated;
        let _ = writeln!(text, "work         {core_hours:.3} core-hours (extrapolated from 7x5)");
        for Hours { nodes, hours } in hours {
            let nodes = crate::statistics::counted(u64::from(*nodes), "node");
            let _ = writeln!(text, "             {hours:.4} hours on {nodes} of {CORES} cores");
        }
        text
    }
}

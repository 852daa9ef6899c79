//! `analyze solve --plan`: the tiers of a board, their units, and what they take.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::text::{self, Table};
use everyply_connect_four::profiles::{Board, Content, Cut, Plan, UNIT_BYTES};
use everyply_core::game::Ply;
use everyply_core::games::line::LineGame;
use everyply_core::statistics::grouped;

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Plan")]
pub(in crate::cli) struct Document {
    game: &'static str,
    board: String,
    line: u8,
    unit_bytes: u64,
    profiles: u64,
    tiers: Vec<Tier>,
    /// Size of the work folder while the board is solved.
    folder_bytes: FolderBytes,
    /// Computed from the rate of a board that was solved.
    core_hours: f64,
}

#[derive(JsonSchema, Serialize)]
struct FolderBytes {
    expected: u64,
    bound: u64,
}

#[derive(JsonSchema, Serialize)]
struct Tier {
    tier: String,
    units: u64,
    bytes: u64,
    largest_unit: u64,
}

/// Prints the plan of a board as a work folder cuts it.
pub(super) fn print(board: &Board, json: bool) -> Result<(), Failure> {
    let plan = Plan::new(board, Cut::of_bytes(UNIT_BYTES), usize::MAX);
    let need = board.estimate(usize::MAX);
    let document = Document {
        game: board.game().name(),
        board: board.size().board(),
        line: board.size().line,
        unit_bytes: UNIT_BYTES,
        profiles: need.profiles,
        tiers: tiers(&plan),
        folder_bytes: FolderBytes { expected: need.folder, bound: need.solve },
        core_hours: plan.core_seconds() / 3600.0,
    };
    text::print_result(json, &document, || document.text(board))
}

/// The tiers in the order in which they are made.
fn tiers(plan: &Plan<'_>) -> Vec<Tier> {
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
        Tier {
            tier: format!("{content}-{:02}", ply.0),
            units: bytes.len() as u64,
            bytes: bytes.iter().sum(),
            largest_unit: bytes.iter().copied().max().unwrap_or(0),
        }
    };
    forward.chain(backward).map(tier).collect()
}

impl Document {
    fn text(&self, board: &Board) -> String {
        let mut text = format!("{}\n\n", text::title(board.game()));
        let mut table = Table::new(&["tier", "units", "bytes", "largest unit"]);
        let bytes = |bytes| text::bytes(bytes as f64);
        for tier in &self.tiers {
            let known = |size| if size == 0 { String::new() } else { bytes(size) };
            table.row([
                tier.tier.clone(),
                grouped(tier.units),
                known(tier.bytes),
                known(tier.largest_unit),
            ]);
        }
        text.push_str(&table.render());
        let _ = writeln!(text, "\nprofiles     {}", grouped(self.profiles));
        let _ = writeln!(
            text,
            "folder       about {}, at most {} (expected from boards that were solved)",
            bytes(self.folder_bytes.expected),
            bytes(self.folder_bytes.bound)
        );
        let time = text::brief_time(self.core_hours * 3600.0);
        let _ = writeln!(text, "work         {time} of one core (extrapolated from 7x5)");
        text
    }
}

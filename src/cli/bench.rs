//! `analyze bench`: a fixed workload.

use super::prelude::*;
use everyply_registry::registry::WORKLOAD;

/// Fixed workload: a node-count signature, and rates
///
/// Runs a fixed workload on one thread. The signature is the sum of the node counts: it changes
/// only if the program visits other nodes. The rates compare machines and versions.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Write one JSON document to stdout, and nothing else
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(JsonSchema, Serialize)]
struct Row {
    work: &'static str,
    nodes: u64,
    elapsed_s: f64,
    nodes_per_s: f64,
}

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(super) struct BenchDocument {
    signature: u64,
    elapsed_s: f64,
    rows: Vec<Row>,
}

/// Bytes that the workload needs: 87 MiB are touched.
const MEMORY: f64 = (96 << 20) as f64;

pub(super) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let running = Running { threads: Some(1), quiet: args.quiet, ..Running::default() };
    let session = Session::start(&running)?;
    let available = available_memory();
    if available < MEMORY {
        return Err(runtime!(
            "the workload needs {} of memory; {} are available",
            text::bytes(MEMORY),
            text::bytes(available)
        ));
    }
    let mut rows = Vec::new();
    for (work, count) in WORKLOAD {
        let begun = Instant::now();
        let nodes = session.work(work, "", count).map_err(|Stopped| session.interrupted(""))?;
        let elapsed_s = begun.elapsed().as_secs_f64();
        rows.push(Row { work, nodes, elapsed_s, nodes_per_s: nodes as f64 / elapsed_s });
    }
    let document = BenchDocument {
        signature: rows.iter().map(|row| row.nodes).sum(),
        elapsed_s: session.started.elapsed().as_secs_f64(),
        rows,
    };
    text::print_result(args.json, &document, || in_words(&document))
}

fn in_words(document: &BenchDocument) -> String {
    let mut table = Table::new("work,nodes,time,nodes/s");
    for row in &document.rows {
        table.row([
            row.work.to_owned(),
            grouped(row.nodes),
            text::seconds(std::time::Duration::from_secs_f64(row.elapsed_s)),
            text::magnitude(row.nodes_per_s),
        ]);
    }
    format!("{}\nsignature  {}\n", table.render(), grouped(document.signature))
}

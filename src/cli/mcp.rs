//! `analyze mcp`: tools for an assistant.

use super::prelude::*;
use super::serve::Answering;
use crate::web::serve_mcp;

/// Exact facts for an assistant, by the Model Context Protocol on stdin and stdout
///
/// An assistant that starts this program can ask for the games, the value of a position, its moves,
/// best play, the reasons, and a move of the machine. The answers are those of the HTTP API
/// (docs/mcp.md): proved, or an error.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze mcp                      started by an assistant, see docs/mcp.md
  analyze mcp 6x5.solution         values from this file first
  analyze mcp --limit 60           up to a minute for a question")]
pub(super) struct McpArgs {
    #[command(flatten)]
    answering: Answering,
}

pub(super) fn run(args: &McpArgs, registry: &Registry) -> Result<(), Failure> {
    let (session, shown, limits) = args.answering.open(registry)?;
    let stop = || session.control.is_asked_to_stop();
    serve_mcp(shown, limits, stop).map_err(Failure::from)
}

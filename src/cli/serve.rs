//! `analyze serve`: the explorer in a browser, and the HTTP API.

use super::prelude::*;
use crate::cli::game_filter;
use everyply_connect_four::strategy::Follower;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::input;
use crate::web::{Admission, HostName, Limits, PageOrigin, ServeError, Shown, serve};

/// Explorer of positions in a browser, and an HTTP API
///
/// Serves pages on which every free cell or column shows its value, for tic-tac-toe, m,n,k boards,
/// Connect Four and all other games of `analyze games`, and the same facts as JSON (docs/api.md).
/// Values come from the given files, else from the opening book or the solver. A strategy gets a
/// page that walks it: every move of the other side with the answer and its reason, and a game
/// against it. Ctrl-C ends the server.
///
/// Only this machine can connect unless --host allows others. Requests must name the server by an
/// address it listens on, as localhost, or by a name of --allow-host.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze serve --open                   the explorer on http://127.0.0.1:4453/, in the browser
  analyze serve everyply.db 6x5.solution values from these files first
  analyze serve 7x6.strategy             walk a strategy, and play against it
  analyze serve --port 0 --limit 30      any free port, up to 30 s for a search
  analyze serve --host 0.0.0.0 --allow-host games.lan
                                         for other machines, by that name too
  curl 'http://127.0.0.1:4453/api/v1/position?game=connect4&moves=4453'")]
pub(super) struct ServeArgs {
    #[command(flatten)]
    answering: Answering,
    /// The port; 0 takes any free port
    #[arg(long, value_name = "P", default_value_t = 4453)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Another name of this server, or NAME:PORT; can be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// Pages of this origin may read the API; * for all; can be repeated
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<PageOrigin>,
    /// Open the explorer in the browser of this machine
    #[arg(long)]
    open: bool,
}

/// The sources of answers, and their limits.
#[derive(Debug, clap::Args)]
pub(super) struct Answering {
    /// Databases, solution files and opening books to look into first, and strategies to walk
    files: Vec<PathBuf>,
    /// Time limit of a search; a partial answer is marked as such
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0, value_parser = limit)]
    limit: f64,
    /// Searches at a time; more wait
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(1..=64))]
    searches: u64,
    /// The most memory for a solver's table; up to eight tables are kept
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = number::<u64>(1..=65536))]
    table_size: u64,
    /// Threads of a search [default: all]
    #[arg(long, value_name = "N", value_parser = super::options::threads())]
    threads: Option<usize>,
}

impl Answering {
    /// Opens the sources, and starts the session that answers from them.
    pub fn open(&self, registry: &Registry) -> Result<(Session, Shown, Limits), Failure> {
        let (strategies, files) = open_all(&self.files)?;
        if let Some(unknown) = files.games().find(|game| !game_filter::is_known(game, registry))
            && !files.games().any(|game| game_filter::is_known(game, registry))
        {
            return Err(game_filter::unknown(unknown));
        }
        let oracle = Oracle::new(files, self.table_size);
        let shown = Shown { oracle, registry: registry.clone(), strategies };
        let running = Running { threads: self.threads, quiet: true, ..Running::default() };
        let session = Session::start(&running)?;
        let limits = Limits {
            searches: self.searches as usize,
            threads: session.threads,
            longest: Duration::from_secs_f64(self.limit),
        };
        Ok((session, shown, limits))
    }
}

fn limit(text: &str) -> Result<f64, String> {
    super::options::seconds(text).and_then(|seconds| {
        if seconds <= 3600.0 { Ok(seconds) } else { Err("at most 3600 seconds".to_owned()) }
    })
}

pub(super) fn run(args: &ServeArgs, registry: &Registry) -> Result<(), Failure> {
    let (session, shown, limits) = args.answering.open(registry)?;
    let admission = Admission { hosts: args.allow_host.clone(), origins: args.cors.clone() };
    let mut printed = Ok(());
    let ready = |address: SocketAddr| {
        printed = text::print(&format!("everyply is on http://{address}/ (Ctrl-C ends it)\n"));
        if args.open {
            open_browser(address);
        }
    };
    let address = SocketAddr::new(args.host, args.port);
    let stop = || session.control.is_asked_to_stop();
    serve(address, shown, limits, admission, ready, stop).map_err(|error| match error {
        error @ ServeError::Address { .. } => {
            runtime!("{error} (--host ADDRESS, --port P)")
        }
        error => error.into(),
    })?;
    printed
}

/// Opens the explorer in a browser. A server without one still serves.
fn open_browser(address: SocketAddr) {
    // A server that listens on every address is also reached at 127.0.0.1.
    let port = address.port();
    let url = match address.ip().is_unspecified() {
        true => format!("http://127.0.0.1:{port}/"),
        false => format!("http://{address}/"),
    };
    if let Err(error) = open::that_detached(&url) {
        warn(&format!("--open: no browser was found ({error}): open {url}"));
    }
}

fn open_all(paths: &[PathBuf]) -> Result<(Vec<Follower>, OracleFiles), Failure> {
    let (mut followers, mut others) = (Vec::new(), Vec::new());
    for path in paths {
        match input::open(path)?.into_strategies() {
            Err(file) => others.push(file),
            Ok(strategies) => {
                for strategy in strategies {
                    let failed = |error| runtime!("{}: {error}", path.display());
                    followers.push(Follower::new(strategy).map_err(failed)?);
                }
            }
        }
    }
    Ok((followers, OracleFiles::of(others)?))
}

//! `analyze strategy` and `analyze prove`: play that can be followed and checked without search.

use super::book::{Only, board_of_64_bits};
use super::interrupt;
use super::options::{BoardOptions, real, refused};
use super::prelude::*;
use everyply_connect_four::solver::score_of;
use everyply_connect_four::strategy::{
    Claim, Fault, MakeError, MakeOptions, Side, Strategy, check, make, write,
};
use everyply_core::game::{Game, Tiered};
use everyply_core::games::line::Stones;
use everyply_core::games::line::notation::parse_moves;

/// The options of both commands.
#[derive(Debug, clap::Args)]
struct Wanted {
    /// The game
    #[arg(value_enum)]
    game: Only,
    /// The position to start from, as the columns played [default: the empty board]
    #[arg(value_name = "MOVES")]
    moves: Option<String>,
    #[command(flatten)]
    board: BoardOptions,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Time to improve the choices once there is a strategy; more time gives a smaller strategy
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0,
          value_parser = real(0.0..=1e9, "a number of seconds, 0 for no improvement"))]
    improve: f64,
    /// Give up if there is no strategy after this number of seconds, and end the improvement then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    #[command(flatten)]
    running: Running,
}

/// Strategy that needs no search: one move for every position that matters, until a plan takes over
///
/// The file holds positions and plans: tables that say in which column to answer each cell. It is
/// closed under every reply of the opponent, made small on purpose, and checked before it is
/// written. `analyze verify FILE` and tools/check_strategy.py check it again; docs/strategies.md
/// describes it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze strategy connect4 --for first --out 7x6.strategy
  analyze strategy connect4 --size 6x6 --for second --out 6x6.strategy
  analyze strategy connect4 --size 5x5 --for first --claim draw --out 5x5.strategy
  analyze strategy connect4 444444 --for first --claim draw --improve 0 --out drawn.strategy")]
pub(super) struct StrategyArgs {
    #[command(flatten)]
    wanted: Wanted,
    /// The side that the strategy is for
    #[arg(long = "for", value_parser = one_of::<Side>(), value_name = "SIDE")]
    side: Side,
    /// The least result it promises [default: the value of the position for that side]
    #[arg(long, value_enum, value_name = "OUTCOME")]
    claim: Option<Promise>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Promise {
    /// A win
    Win,
    /// A draw or better
    Draw,
}

/// Proof of an exact value: a strategy for each side
///
/// The file holds two strategies in the form of `analyze strategy`, one for each side, that prove
/// the distance too: the winner wins in time, the loser holds out as long. `analyze verify FILE` and
/// tools/check_strategy.py check both.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze prove connect4 --size 5x5 --out 5x5.proof
  analyze prove connect4 44455554221 --out 44455554221.proof
  analyze prove connect4 --out 7x6.proof
A proof takes seconds for 5x5 and some ten minutes for 7x6 on two cores; a larger board may take
hours and more memory than there is. --timeout ends it.")]
pub(super) struct ProveArgs {
    #[command(flatten)]
    wanted: Wanted,
}

/// A strategy that was checked.
#[derive(JsonSchema, Serialize)]
struct StrategySummary {
    board: String,
    line: u8,
    side: &'static str,
    score: i32,
    moves: String,
    positions: u64,
    settled: u64,
    earliest_settled_empties: u32,
    played: u64,
    check_s: f64,
    #[serde(skip)]
    headline: String,
}

/// The strategies of a file.
#[derive(JsonSchema, Serialize)]
pub(super) struct FileSummary {
    strategies: Vec<StrategySummary>,
    bytes: u64,
    threads: usize,
    elapsed_s: f64,
}

impl FileSummary {
    /// Checks strategies; `failed` turns a fault into a failure.
    fn check(
        strategies: &[Strategy],
        session: &Session,
        control: &Control,
        failed: impl Fn(Fault) -> Failure,
    ) -> Result<Self, Failure> {
        let summary = |strategy: &Strategy| -> Result<StrategySummary, Failure> {
            let begun = Instant::now();
            let checked = session.work("checking", "positions", |_| check(strategy, control));
            let checked = checked.map_err(&failed)?;
            Ok(StrategySummary {
                board: strategy.size.board(),
                line: strategy.size.line,
                side: strategy.claim.side.name(),
                score: strategy.claim.at_least,
                moves: strategy.moves.clone(),
                positions: checked.positions,
                settled: checked.settled,
                earliest_settled_empties: checked.most_settled_empties,
                played: checked.played,
                check_s: begun.elapsed().as_secs_f64(),
                headline: format!("Connect Four: {}", strategy.title()),
            })
        };
        let strategies = strategies.iter().map(summary).collect::<Result<_, _>>()?;
        let elapsed_s = session.started.elapsed().as_secs_f64();
        Ok(Self { strategies, bytes: 0, threads: session.threads, elapsed_s })
    }

    fn found(&self) -> String {
        let mut text = String::new();
        for strategy in &self.strategies {
            let StrategySummary { headline, positions, settled, played, check_s, .. } = strategy;
            let empty = counted(u64::from(strategy.earliest_settled_empties), "cell");
            let [positions, settled] = [*positions, *settled].map(grouped);
            let played = counted(*played, "position");
            let _ = writeln!(
                text,
                "{headline}\n\n\
                 positions  {positions}, of which a plan settles {settled}, with up to {empty} empty\n\
                 checked    against every line: {played} played through in {check_s:.2} s\n"
            );
        }
        text
    }

    fn of_file(&self, path: &Path) -> String {
        let bytes = counted(self.bytes, "byte");
        let time = text::time(self.elapsed_s, self.threads);
        format!("file       {}: {bytes}\ntime       {time}\n", path.display())
    }
}

struct Start<'w> {
    wanted: &'w Wanted,
    position: Stones,
    moves: String,
    solver: Solver,
    session: Session,
    file: NewFile,
}

/// The solver's table, in MiB: it solves positions with few stones, which takes long on boards above
/// 42 cells, and less with a larger table.
fn table_mib(size: Size, threads: usize) -> u64 {
    let usual = Solver::default_table(size, threads);
    match size.cells() {
        ..=42 => usual,
        _ => usual.max((available_memory() / 4.0 / f64::from(1 << 20)) as u64).min(4096),
    }
}

impl<'w> Start<'w> {
    fn of(wanted: &'w Wanted) -> Result<Self, Failure> {
        let size = board_of_64_bits(&wanted.board)?;
        let threads = wanted.running.threads();
        let mut table = table_mib(size, threads);
        let solver = loop {
            match Solver::new(size, table) {
                // The system may give a process less memory than is available; the plans need some too.
                Err(_) if table > Solver::default_table(size, threads) => table /= 4,
                made => break made.map_err(Failure::usage)?,
            }
        };
        let game = solver.game();
        let moves = wanted.moves.clone().unwrap_or_default();
        let position =
            parse_moves(game, &moves).map_err(|error| refused("MOVES", &moves, error))?;
        if game.result(position).is_some() {
            return Err(Failure::usage(MakeError::Over));
        }
        let session = Session::start(&wanted.running)?;
        let file = NewFile::create(&wanted.out)?;
        interrupt::allow_writing();
        session.control.limit(wanted.timeout.map(Duration::from_secs_f64));
        Ok(Self { wanted, position, moves, solver, session, file })
    }

    /// The failure of work that the user or the time limit stopped.
    fn stopped(&self) -> Failure {
        self.session.stopped(self.wanted.timeout, "; nothing was written")
    }

    fn solve<T: Send>(
        &self,
        solve: impl FnOnce(&Control) -> Result<T, Stopped> + Send,
    ) -> Result<T, Failure> {
        let message = || format!("solving; table {:.0} % full;", 100.0 * self.solver.table_fill());
        self.session.work_with_message(&message, "nodes", solve).map_err(|Stopped| self.stopped())
    }

    fn strategy(&self, claim: Claim) -> Result<Strategy, Failure> {
        let options = MakeOptions {
            claim,
            moves: self.moves.clone(),
            improve_for: Some(Duration::from_secs_f64(self.wanted.improve)),
            // The rest is for the solver's table, a quarter at most, and for other programs.
            memory: (available_memory() * 0.6) as u64,
        };
        let stage = Mutex::new(String::from("looking for plans"));
        let lock = || stage.lock().unwrap_or_else(PoisonError::into_inner);
        let see = |left| *lock() = format!("improving: {} left,", grouped(left as u64));
        let work = |control: &Control| make(&self.solver, &options, control, see);
        let made = self.session.work_with_message(&|| lock().clone(), "nodes", work);
        made.map_err(|error| match error {
            MakeError::Stopped(_) => self.stopped(),
            error @ MakeError::Memory { .. } => error.into(),
            error => Failure::usage(error),
        })
    }

    fn finish(self, strategies: &[Strategy]) -> Result<(), Failure> {
        let Self { wanted, session, file, .. } = self;
        // A stop that ended the improvement does not end the check.
        let control = Control::default();
        let wrong = |fault| runtime!("the strategy found is wrong: {fault}");
        let mut summary = FileSummary::check(strategies, &session, &control, wrong)?;
        let mut bytes = Vec::new();
        write(strategies, &mut bytes)?;
        summary.bytes = bytes.len() as u64;
        let of_file = summary.of_file(file.path());
        // The strategy is printed, whether or not its file can be written.
        let kept = Kept::after(wanted.running.json, &summary, || summary.found());
        let written = output::write_file(file, |file| Ok(file.write_all(&bytes)?));
        kept.and(written.map(|()| of_file)).end()
    }
}

pub(super) fn run(args: &StrategyArgs) -> Result<(), Failure> {
    let start = Start::of(&args.wanted)?;
    let at_least = match args.claim {
        Some(Promise::Win) => 1,
        Some(Promise::Draw) => 0,
        None => outcome_for(&start, args.side)?,
    };
    let strategy = start.strategy(Claim { side: args.side, at_least })?;
    start.finish(&[strategy])
}

fn outcome_for(start: &Start<'_>, side: Side) -> Result<i32, Failure> {
    let Start { position, solver, .. } = start;
    let (outcome, _) = start.solve(|control| solver.outcome_only(*position, control))?;
    match if Side::to_move(*position) == side { outcome } else { -outcome } {
        Outcome::Win => Ok(1),
        Outcome::Draw => Ok(0),
        Outcome::Loss => Err(usage!(
            "the {} player loses and has nothing to claim; `analyze prove` shows for how long a \
             loser holds out",
            side.name()
        )),
    }
}

pub(super) fn prove(args: &ProveArgs) -> Result<(), Failure> {
    let start = Start::of(&args.wanted)?;
    let Start { position, solver, .. } = &start;
    let value = start.solve(|control| solver.value(*position, control))?.value;
    let score = score_of(value, solver.game().plies_left(*position) as i32);
    let side = Side::to_move(*position);
    let claims = [(side, score), (side.opponent(), -score)];
    let strategy = |(side, at_least)| start.strategy(Claim { side, at_least });
    let strategies: Vec<Strategy> = claims.into_iter().map(strategy).collect::<Result<_, _>>()?;
    start.finish(&strategies)
}

/// Checks the strategies of a file, for `analyze verify`.
pub(super) fn verify(
    path: &Path,
    strategies: &[Strategy],
    running: &Running,
) -> Result<(), Failure> {
    let session = Session::start(running)?;
    let failed = |fault| match fault {
        Fault::Stopped(_) => session.interrupted(""),
        fault => mismatch!("{}: {fault}", path.display()),
    };
    let mut summary = FileSummary::check(strategies, &session, &session.control, failed)?;
    summary.bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    text::print_result(running.json, &summary, || summary.found() + &summary.of_file(path))
}

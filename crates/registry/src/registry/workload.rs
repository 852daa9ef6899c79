//! The fixed workload of `analyze bench`.

use everyply_connect_four::solver::Solver;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Solution, walk};
use everyply_core::game::{Game, Keyed};
use everyply_core::games::line::notation::parse_moves;
use everyply_core::games::line::{ConnectFour, LineGame, Mnk, Size, Standard, Stones, TicTacToe};
use everyply_core::search::{Evaluation, Settings, SharedTable, minimax, search};
use everyply_core::statistics::SearchCounters;

/// A piece of the workload: its name, and the function that counts its nodes or positions.
type Work = (&'static str, fn(&Control) -> Result<u64, Stopped>);

/// A fixed workload of known node counts, which takes some seconds of one thread. (The crate that
/// reads a constant compiles it, with its own settings; so this is a static.)
pub static WORKLOAD: [Work; 8] = [
    ("walk ttt 3x3", |control| {
        let game = TicTacToe::fixed();
        Ok(walk(&game, game.initial(), u32::MAX, control)?.nodes())
    }),
    ("walk connect4 7x6 to ply 10", |control| {
        let game = Standard::fixed();
        Ok(walk(&game, game.initial(), 10, control)?.nodes())
    }),
    ("solve ttt 4x3, 4 in a row (positions)", |control| {
        let game = Mnk::new(Size { width: 4, height: 3, line: 4 }).expect("a board of 12 cells");
        positions(game, control)
    }),
    ("solve connect4 5x4 (positions)", |control| {
        let size = Size { width: 5, height: 4, line: 4 };
        positions(ConnectFour::new(size).expect("a board of 25 bits"), control)
    }),
    ("minimax connect4 7x6 to depth 7", |control| {
        let game = Standard::fixed();
        let mut counters = SearchCounters::default();
        minimax(&game, game.initial(), 7, Evaluation::Own, control, &mut counters)?;
        Ok(counters.nodes)
    }),
    ("search connect4 7x6 to depth 11, 4 positions", |control| {
        let game = Standard::fixed();
        ["", "4453", "444433", "12345676"].iter().try_fold(0, |sum, moves| {
            let root = parse_moves(&game, moves).expect("a position of the workload");
            Ok(sum + to_depth(&game, root, 11, control)?)
        })
    }),
    ("exact value, connect4 6x6", |control| exact(6, 6, &[""], control)),
    ("exact values, connect4 7x6, 8 positions", |control| {
        let middle = ["44455554221", "5244447677225", "437655244463", "23163416124767"];
        let begin = ["12345676", "4444443322", "3432554", "7573471"];
        Ok(exact(7, 6, &middle, control)? + exact(7, 6, &begin, control)?)
    }),
];

/// Counts the nodes of exact values of positions, one after the other with one table.
fn exact(width: u8, height: u8, positions: &[&str], control: &Control) -> Result<u64, Stopped> {
    let solver = Solver::<u64>::without_book(Size { width, height, line: 4 }, 8)
        .expect("8 MiB are available");
    positions.iter().try_fold(0, |sum, moves| {
        let root = parse_moves(solver.game(), moves).expect("a position of the workload");
        Ok(sum + solver.value(root, control)?.nodes)
    })
}

fn positions<G: LineGame>(game: G, control: &Control) -> Result<u64, Stopped> {
    let solution =
        Solution::within(game, game.initial(), u64::MAX, control).map_err(|_| Stopped)?;
    Ok(solution.totals().positions)
}

fn to_depth(game: &Standard, root: Stones, depth: u32, control: &Control) -> Result<u64, Stopped> {
    let settings = Settings { split_after: u64::MAX, ..Settings::to_depth(depth) };
    let table = SharedTable::new(16, game.key_bits()).expect("16 MiB are available");
    let report = search(game, root, &settings, Some(&table), control, &mut |_| ());
    let bare = Settings { principal_variation: false, ..Settings::to_depth(depth - 4) };
    let plain = search(game, root, &bare, None, control, &mut |_| ());
    if report.stopped || plain.stopped {
        return Err(Stopped);
    }
    Ok(report.counters().nodes + report.variation_counters.nodes + plain.counters().nodes)
}

//! Exact values of small two-player games: whole trees, searches, solvers, a database of solved positions.
//!
//! All games are in [`games`]: [`TicTacToe`](games::TicTacToe) and every [m,n,k board](games::Mnk),
//! [`ConnectFour`](games::ConnectFour), [`Nim`](games::Nim), [`Othello`](games::Othello) and the others. A game is a
//! small value; its rules, positions and notation come from the traits of [`game`]. Moves print and read as
//! people write them, counted from 1; values and scores are for the side to move.
//!
//! # Solve a game
//! [`Solution`](exhaustive::Solution) visits every position that follows and keeps its value:
//!
//! ```
//! use everyply::control::Control;
//! use everyply::exhaustive::Solution;
//! use everyply::game::{Game, Keyed, Notation};
//! use everyply::games::TicTacToe;
//!
//! let game = TicTacToe::fixed();
//! let most = 1_000_000; // positions
//! let solution = Solution::within(game, game.initial(), most, &Control::default())?;
//! let corner_then_edge = game.key(game.parse_position("12")?);
//! assert_eq!(solution.value_of(corner_then_edge).unwrap().to_string(), "win in 5 plies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Games whose play may never end have [`Solution::endless`](exhaustive::Solution::endless), games that number
//! their positions [`Solution::ranked`](exhaustive::Solution::ranked), whole Connect Four boards [`profiles`](connect_four::profiles).
//!
//! # Search to a depth
//! [`search`](search::search) gives the plain minimax score at a depth, on the threads of the current rayon pool:
//!
//! ```
//! use everyply::control::Control;
//! use everyply::game::{Keyed, Notation};
//! use everyply::games::{ConnectFour, Size};
//! use everyply::search::{Settings, SharedTable, search};
//!
//! let game = ConnectFour::new(Size::new(7, 6, 4)?)?;
//! let position = game.parse_position("4453")?;
//! let table = SharedTable::new(16, game.key_bits())?; // MiB
//! let settings = Settings::to_depth(8);
//! let report = search(&game, position, &settings, Some(&table), &Control::default(), &mut |_| {});
//! assert_eq!(report.depth, 8);
//! println!("{} with {:?}", report.score, report.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Prove an exact value
//! [`prove`](search::prove) searches to the end of any game that ends. Connect Four has a
//! [`Solver`](connect_four::solver::Solver) of its own, which is much faster:
//!
//! ```
//! use everyply::connect_four::solver::Solver;
//! use everyply::control::Control;
//! use everyply::game::Notation;
//! use everyply::games::Size;
//!
//! let solver: Solver = Solver::new(Size::new(7, 6, 4)?, 8)?; // MiB
//! let position = solver.game().parse_position("44444326")?;
//! let value = solver.value(position, &Control::default())?.value;
//! assert_eq!(value.to_string(), "draw in 34 plies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Keep values
//! A [`Database`](database::Database) is one SQLite file. Positions that are images of each other share a row:
//!
//! ```
//! use everyply::control::Control;
//! use everyply::database::{Database, Ending, PositionRow};
//! use everyply::exhaustive::Solution;
//! use everyply::game::{Game, Keyed, Notation};
//! use everyply::games::TicTacToe;
//! use everyply::games::line::LineGame;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("ttt.db");
//! let game = TicTacToe::fixed();
//! let solution = Solution::within(game, game.initial(), 1_000_000, &Control::default())?;
//! let mut rows = Vec::new();
//! solution.canonical(&mut |part| {
//!     rows.extend(part.iter().map(|solved| PositionRow {
//!         key: solved.key,
//!         ply: game.position_of(solved.key).expect("a key of this game").ply(),
//!         value: solved.value,
//!         best: Some(solved.best),
//!     }));
//! });
//! let database = Database::create_or_open(&path)?;
//! let run = database.begin_run(&game.game_id(), "an example", 1)?;
//! run.sink().send(rows)?;
//! assert_eq!(run.finish(Ending::Finished)?.added, 765);
//!
//! let database = Database::create_or_open(&path)?;
//! let row = database.lookup(&game.game_id())?.find(&game, game.parse_position("12")?)?.expect("stored");
//! assert_eq!(row.value.to_string(), "win in 5 plies");
//! assert_eq!(format!("{:?}", row.best.expect("stored")), "{4, 5, 7}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # And then
//! [`registry`] has all games by name, without their types; [`oracle`] takes a value from the cheapest source that
//! has it; [`verify`] checks files, [`export`] writes data sets, [`cli`] is the program `analyze`. For a game of your
//! own, implement [`Game`](game::Game) and pass it to [`cli::run`]: `analyze new NAME DIR` writes such a crate.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Shared code may be used by one feature alone; with all features, none may be unused.
#![cfg_attr(
    not(all(feature = "cli", feature = "web", feature = "report", feature = "parquet")),
    allow(dead_code, unused_imports)
)]

pub use everyply_connect_four as connect_four;
pub use everyply_core::{control, exhaustive, game, games, random, search, statistics};
pub use everyply_files::{disk, store};
#[cfg(feature = "registry")]
pub use everyply_registry::{registry, solutions};
#[cfg(feature = "database")]
pub use everyply_results::{database, verify};
#[cfg(feature = "registry")]
pub use everyply_results::{export, opponent, oracle, stored};

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(feature = "page", feature = "report"))]
mod html;
#[cfg(feature = "report")]
pub mod report;
#[cfg(any(feature = "page", feature = "report"))]
pub mod svg;
#[cfg(feature = "page")]
pub mod web;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The report of `analyze count`.

use super::{CountTask, Counted, Divided, Method};
use crate::cli::prelude::*;
use everyply_connect_four::profiles::{Counts, Longest, Values};
use everyply_core::exhaustive::Games;
use everyply_core::game::ValueRow;
use everyply_core::games::line::notation::{picture, some_moves_to, write_moves};
use everyply_core::games::line::on_board;

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(in crate::cli) struct CountDocument {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    /// True if every game ends within the plies counted.
    complete: bool,
    threads: usize,
    elapsed_s: f64,
    method: Method,
    plies: Vec<PlyCounts>,
    totals: Totals,
    /// Average moves of a non-terminal position; where profiles were used.
    branching_factor: Option<f64>,
    /// The value of the board, the longest ways to the end, and positions by value; with
    /// `--values` where profiles were used.
    value: Option<ValueRow>,
    longest_win: Option<Example>,
    longest_loss: Option<Example>,
    by_value: Option<Vec<ByValue>>,
    /// The nodes of the last ply below each move, with `--divide`.
    divide: Option<Vec<Divided>>,
}

#[derive(JsonSchema, Serialize)]
struct Totals {
    nodes: Option<u64>,
    games: Option<u64>,
    first_player_wins: Option<u64>,
    second_player_wins: Option<u64>,
    /// Drawn games (histories), as in the counts of `ttt`.
    drawn_games: Option<u64>,
    positions: Option<u64>,
    canonical: Option<u64>,
    terminal: Option<u64>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    /// Orderings that fill the board, and their nodes, if wins did not stop play; whole trees.
    full_board_leaves: Option<u64>,
    full_board_nodes: Option<u64>,
}

/// The slowest way to an end, with an example.
#[derive(JsonSchema, Serialize)]
struct Example {
    #[serde(flatten)]
    value: ValueRow,
    position: String,
    moves: Option<String>,
}

/// Positions of a ply with one value.
#[derive(JsonSchema, Serialize)]
struct ByValue {
    ply: usize,
    #[serde(flatten)]
    value: ValueRow,
    positions: u64,
}

impl CountDocument {
    pub(super) fn new(
        task: &CountTask,
        counted: &Counted,
        session: &Session,
        elapsed: Duration,
    ) -> Self {
        let known = |n: u64| (n != u64::MAX).then_some(n);
        let total = |f: fn(&PlyCounts) -> Option<u64>| {
            counted.plies.iter().try_fold(0u64, |sum, c| sum.checked_add(f(c)?))
        };
        let position = &task.position;
        let games = counted.histories.as_ref().map(|h| match position.lines() {
            Some(_) => h.games().after(position.tier()),
            None => h.games(),
        });
        let of_games = |f: fn(Games) -> u64| games.and_then(|games| known(f(games)));
        let full = position.full_board().filter(|_| task.args.plies.is_none());
        let example = |Longest { value, position: at }: Longest| {
            let (rules, size) = position.lines()?;
            let in_words = on_board!(rules, size, |game| {
                let moves = some_moves_to(&game, at).ok().map(|moves| write_moves(&game, &moves));
                (picture(&game, at), moves)
            });
            let (position, moves) = in_words.ok()?;
            Some(Example { value: value.into(), position, moves })
        };
        let values = counted.profiles.as_ref().and_then(|counts| counts.values.as_ref());
        Self {
            game: GameFields::of(position.as_ref()),
            position: position.picture(),
            complete: counted.complete,
            threads: session.threads,
            elapsed_s: elapsed.as_secs_f64(),
            method: task.method,
            plies: counted.plies.clone(),
            totals: Totals {
                nodes: counted.histories.as_ref().and_then(|h| known(h.nodes())),
                games: of_games(|g| g.games),
                first_player_wins: of_games(|g| g.first_player_wins),
                second_player_wins: of_games(|g| g.second_player_wins),
                drawn_games: of_games(|g| g.draws),
                positions: total(|c| c.positions),
                canonical: total(|c| c.canonical),
                terminal: total(|c| c.terminal),
                wins: total(|c| c.wins),
                draws: total(|c| c.draws),
                losses: total(|c| c.losses),
                full_board_leaves: full.and_then(|f| f.leaves),
                full_board_nodes: full.and_then(|f| f.nodes),
            },
            branching_factor: counted.profiles.as_ref().and_then(branching_factor),
            value: values.map(|values| values.start.into()),
            longest_win: values.and_then(|v| v.longest_win).and_then(example),
            longest_loss: values.and_then(|v| v.longest_loss).and_then(example),
            by_value: values.map(by_value),
            divide: counted.divided.clone(),
        }
    }

    pub(super) fn text(&self, task: &CountTask, counted: &Counted) -> String {
        let mut text = format!("{}\n\n", text::heading(task.position.as_ref()));
        text.push_str(&text::ply_table(&counted.plies));
        if task.position.lines().is_none() {
            text.push_str("(positions: a position reached at several plies is counted at each)\n");
        }
        text.push('\n');
        if let Some(divided) = &counted.divided {
            let mut table = Table::new("move,nodes");
            divided.iter().for_each(|row| table.row([row.text.clone(), grouped(row.nodes)]));
            let last = counted.plies.last().map_or(0, |ply| ply.ply.0);
            let _ = writeln!(text, "nodes of ply {last} below each move\n{}", table.render());
        }
        let t = &self.totals;
        let [first, second] = text::sides(task.position.as_ref());
        let games = t.games.map(|games| {
            let ends = [t.first_player_wins, t.second_player_wins, t.drawn_games];
            let [first_wins, second_wins, draws] = ends.map(text::count);
            format!(
                "{}: {first} wins {first_wins}, {second} wins {second_wins}, draws {draws}",
                grouped(games)
            )
        });
        let is_uncounted = counted.histories.is_none() && self.method == Method::Profiles;
        let uncounted =
            "nodes and games are not counted by profiles: --method positions counts them";
        text +=
            &text::facts([("games", games), ("games", is_uncounted.then(|| uncounted.to_owned()))]);
        if t.full_board_nodes.is_some() || t.full_board_leaves.is_some() {
            text += &text::full_board(t.full_board_leaves, t.full_board_nodes);
        }
        let branching = self
            .branching_factor
            .map(|factor| format!("{factor:.4} moves on average from a non-terminal position"));
        text += &text::facts([("branching", branching)]);
        if let Some(values) = counted.profiles.as_ref().and_then(|counts| counts.values.as_ref()) {
            text.push_str(&self.values_text(values));
        }
        let rate = |n: f64| text::magnitude(n / self.elapsed_s.max(1e-9));
        let leaves = counted.plies.last().and_then(|c| c.nodes).unwrap_or(0) as f64;
        let (leaves, nodes) = (rate(leaves), rate(t.nodes.unwrap_or(0) as f64));
        let how = match task.position.lines() {
            Some(_) => {
                " (the last two plies are counted on their parents' masks without being visited)"
            }
            // Other games visit every history.
            None => "",
        };
        let rate = format!("{leaves} leaves/s, {nodes} histories/s{how}");
        text + &text::facts([
            ("time", Some(text::time(self.elapsed_s, self.threads))),
            ("rate", (self.method == Method::Walk).then_some(rate)),
        ])
    }

    fn values_text(&self, values: &Values) -> String {
        let mut text = format!("value      {}\n", values.start);
        for (name, longest, example) in [
            ("win", values.longest_win, &self.longest_win),
            ("loss", values.longest_loss, &self.longest_loss),
        ] {
            let Some(longest) = longest else { continue };
            let plies = counted(longest.value.remoteness.0.into(), "ply");
            let moves = example.as_ref().and_then(|example| example.moves.as_deref());
            let moves = moves.filter(|moves| !moves.is_empty()).unwrap_or("from the start");
            let _ = writeln!(text, "longest {name:<4} {plies}, for example {moves}");
        }
        let mut table = Table::new("plies to the end,wins,draws,losses");
        let mut rows: Vec<[u64; 3]> = Vec::new();
        for &(value, positions) in values.plies.iter().flatten() {
            let r = usize::from(value.remoteness.0);
            rows.resize(rows.len().max(r + 1), [0; 3]);
            let column = match value.outcome {
                Outcome::Win => 0,
                Outcome::Draw => 1,
                Outcome::Loss => 2,
            };
            rows[r][column] += positions;
        }
        for (r, row) in rows.iter().enumerate() {
            table.row(std::iter::once(r.to_string()).chain(row.map(grouped)));
        }
        text + "\npositions by value for the side to move\n" + &table.render() + "\n"
    }
}

fn branching_factor(counts: &Counts) -> Option<f64> {
    let branching = counts.branching;
    (branching.positions > 0).then(|| branching.moves as f64 / branching.positions as f64)
}

fn by_value(values: &Values) -> Vec<ByValue> {
    let plies = values.plies.iter().enumerate();
    let rows = plies.flat_map(|(ply, values)| {
        values.iter().map(move |&(value, positions)| ByValue {
            ply,
            value: value.into(),
            positions,
        })
    });
    rows.collect()
}

//! Pages of strategies: one position each, with the follower's last move and its replies to every
//! move of the attacker. The visitor can play the attacker.

mod board;
mod tree;

use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use super::{error_page, not_found, page};
use crate::connect_four::strategy::{FollowedPosition, Follower, Reply, Turn};
use crate::export::{self, CardFormat};
use crate::game::{Game, Move};
use crate::games::line::LineGame;
use crate::games::line::notation::{IndexBase, parse_moves_from, write_moves};
use crate::statistics::counted;
use crate::web::Shared;
use crate::web::request::{BadRequest, Query, shown};
use crate::web::text::sentence;

/// A strategy that is served.
#[derive(Debug)]
pub struct ServedStrategy {
    follower: Follower,
    /// The number of positions that each position leads to, itself included.
    reachable: Vec<u32>,
}

impl ServedStrategy {
    pub fn new(follower: Follower) -> Self {
        let reachable = follower.reachable_counts();
        Self { follower, reachable }
    }

    /// Returns the title, capitalised.
    fn title(&self) -> String {
        sentence(&self.follower.strategy().title())
    }
}

/// `/strategy`: the first position of a strategy; `/strategy/MOVES`: a position of a game against
/// it.
pub async fn walk(
    explorer: Shared,
    moves: Option<Path<String>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    if explorer.strategies.is_empty() {
        return not_found(&explorer, &headers);
    }
    let moves = moves.as_ref().map(|Path(moves)| &moves[..]);
    match Walk::read(&explorer.strategies, query.as_deref(), moves) {
        Ok(walk) => {
            page(&headers, StatusCode::OK, &walk.served.title(), &main(&walk, &explorer.strategies))
        }
        Err(refused) => error_page(&headers, refused.into()),
    }
}

/// Reads the number of a strategy, from 1.
fn number(query: &mut Query, strategies: &[ServedStrategy]) -> Result<usize, BadRequest> {
    match query.take("number").filter(|number| !number.is_empty()) {
        None => Ok(1),
        Some(number) => {
            let most = strategies.len();
            let known = number.parse().ok().filter(|number| (1..=most).contains(number));
            known.ok_or_else(|| {
                let number = shown(&number);
                BadRequest(format!("invalid value '{number}' for 'number': 1 to {most}"))
            })
        }
    }
}

/// `/cards`: the flash cards of a strategy, as a file.
pub async fn flash_cards(
    explorer: Shared,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    if explorer.strategies.is_empty() {
        return not_found(&explorer, &headers);
    }
    let read = || {
        let mut query = Query::new(query.as_deref())?;
        let number = number(&mut query, &explorer.strategies)?;
        let format = match query.take("format").as_deref() {
            Some("anki") => CardFormat::Anki,
            Some("csv") => CardFormat::Csv,
            _ => return Err(BadRequest("'format' is missing: anki or csv".to_owned())),
        };
        query.done()?;
        Ok((number, format))
    };
    match read() {
        Ok((number, format)) => {
            let (text, _) =
                export::flash_cards([&explorer.strategies[number - 1].follower], format);
            ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
        }
        Err(refused) => error_page(&headers, refused.into()),
    }
}

/// A game against the follower of a strategy.
struct Walk<'s> {
    served: &'s ServedStrategy,
    /// The number of the strategy, from 1.
    number: usize,
    moves: Vec<Move>,
    standings: Vec<FollowedPosition>,
}

impl<'s> Walk<'s> {
    fn read(
        strategies: &'s [ServedStrategy],
        query: Option<&str>,
        moves: Option<&str>,
    ) -> Result<Self, BadRequest> {
        let mut query = Query::new(query)?;
        let number = number(&mut query, strategies)?;
        query.done()?;
        let served = &strategies[number - 1];
        let follower = &served.follower;
        let moves = match moves {
            Some(moves) => {
                let parsed = parse_moves_from(follower.game(), moves, IndexBase::One);
                parsed.map_err(|error| BadRequest(format!("moves: {error}")))?.1
            }
            None => first_moves(follower),
        };
        let standings = follower.replay(&moves);
        Ok(Self { served, number, moves, standings })
    }

    fn follower(&self) -> &'s Follower {
        &self.served.follower
    }

    fn here(&self) -> &FollowedPosition {
        &self.standings[self.standings.len() - 1]
    }

    /// Finds the follower's last move by the strategy, and its number.
    fn replied(&self) -> Option<(usize, Reply)> {
        let mut moves = self.moves.iter().enumerate().rev();
        moves.find_map(|(at, m)| match self.standings[at].turn {
            Turn::Follower(Some(reply)) if reply.column == *m => Some((at, reply)),
            _ => None,
        })
    }

    /// Returns the address of the game after these moves.
    fn url(&self, moves: &[Move]) -> String {
        let number =
            if self.number > 1 { format!("?number={}", self.number) } else { String::new() };
        if moves.is_empty() {
            return format!("/strategy{number}");
        }
        format!("/strategy/{}{number}", write_moves(self.follower().game(), moves))
    }

    /// Plays a move of the attacker and the follower's reply to it.
    fn after(&self, column: Move) -> (FollowedPosition, Vec<Move>) {
        let mut moves = self.moves.clone();
        moves.push(column);
        let standing = self.follower().position_after(&moves);
        if let Turn::Follower(Some(reply)) = standing.turn {
            moves.push(reply.column);
        }
        (standing, moves)
    }

    /// Returns the columns that the side to move may choose.
    fn columns(&self) -> Vec<Move> {
        let game = self.follower().game();
        let is_over = matches!(self.here().turn, Turn::Over(_));
        if is_over { Vec::new() } else { game.moves(self.here().position).into_iter().collect() }
    }
}

/// Returns the moves to the first position of a strategy, or else to its start.
fn first_moves(follower: &Follower) -> Vec<Move> {
    follower.root().map_or_else(|| follower.start().to_vec(), |(_, moves)| moves)
}

fn main(walk: &Walk<'_>, strategies: &[ServedStrategy]) -> Markup {
    let follower = walk.follower();
    let size = follower.game().size();
    let explored = format!(
        "/{}?size={}&line={}&moves={}",
        follower.game().name(),
        size.board(),
        size.line,
        write_moves(follower.game(), &walk.moves)
    );
    html! {
        div.columns {
            div.head {
                div #state {}
                h1 { (walk.served.title()) " " small { (counts(walk.served)) } }
                p #status role="status" { (status(walk)) }
                @if let Some((at, reply)) = walk.replied() {
                    @let other = export::other_moves(follower, walk.standings[at].position, reply.column);
                    @if !other.is_empty() { p.help #otherwise { (other) } }
                }
            }
            div.table {
                div.scroll tabindex="-1" { (board::board(walk)) }
                p #notice role="status" {}
                @if let Turn::Follower(Some(reply)) = walk.here().turn {
                    @let moves: Vec<Move> = walk.moves.iter().copied().chain([reply.column]).collect();
                    p { a.button href=(walk.url(&moves)) { "Let " (follower.strategy().claim.side.stone()) " move" } }
                }
                div.controls {
                    @let before = before(walk);
                    (super::panels::button("undo", "Undo", "u", before.map(|moves| walk.url(&moves))))
                    (super::panels::button("new", "Start", "n", Some(walk.url(&[]))))
                    a.button href=(explored) { "Exact values" }
                }
                (board::legend(walk))
            }
            div.side {
                (tree::replies(walk))
                (tree::unfolded(walk))
                (record(walk))
                (to_learn(walk))
                (others(walk, strategies))
            }
        }
    }
}

/// Returns the game before the visitor's last move.
fn before(walk: &Walk<'_>) -> Option<Vec<Move>> {
    let mut plies = (0..walk.moves.len()).rev();
    let at = plies.find(|at| walk.standings[*at].turn == Turn::Attacker)?;
    Some(walk.moves[..at].to_vec()).filter(|moves| !moves.is_empty())
}

fn counts(served: &ServedStrategy) -> String {
    let strategy = served.follower.strategy();
    format!(
        "{}, {} of them settled by a plan",
        counted(strategy.positions.len() as u64, "position"),
        crate::statistics::grouped(strategy.settled() as u64)
    )
}

/// The follower's last move, and the side to move.
fn status(walk: &Walk<'_>) -> String {
    let side = walk.follower().strategy().claim.side;
    let (own, other) = (side.stone(), side.opponent().stone());
    let done = match walk.replied() {
        Some((at, reply)) if at + 2 >= walk.moves.len() => {
            format!("{own} played {}: {}. ", reply.column.number(), reply.reason)
        }
        _ => String::new(),
    };
    let now = match walk.here().turn {
        Turn::Over(None) => "The game is over: a draw.".to_owned(),
        Turn::Over(Some(winner)) => format!("The game is over: {} wins.", winner.stone()),
        Turn::Follower(Some(reply)) => {
            format!("{own} to move: {} {}.", reply.column.number(), reply.reason)
        }
        Turn::Follower(None) => format!(
            "{own} to move, outside the strategy: a move of {own} was not the strategy's, or the game \
             has not reached its start."
        ),
        Turn::Attacker => match walk.here().active {
            None => format!("{other} to move, in a position outside the strategy."),
            Some(active) => {
                let exits = match active.exits_open {
                    true => walk.follower().exits(active).len() as u64,
                    false => 0,
                };
                let positions = walk.served.reachable[active.index] - 1;
                match exits {
                    0 => {
                        format!("{other} to move: settled, the plan answers every move from here.")
                    }
                    n => format!(
                        "{other} to move: a position with {}; {} below it.",
                        counted(n, "exit"),
                        counted(u64::from(positions), "position")
                    ),
                }
            }
        },
    };
    done + &now
}

fn record(walk: &Walk<'_>) -> Markup {
    html! {
        section.panel {
            h2 { "Moves" }
            ol.steps #record {
                @for at in 1..=walk.moves.len() {
                    li {
                        a href=(walk.url(&walk.moves[..at])) class=(if at % 2 == 1 { "x" } else { "o" })
                            aria-current=[(at == walk.moves.len()).then_some("step")] {
                            (walk.moves[at - 1].number())
                        }
                    }
                }
            }
        }
    }
}

/// Links to the flash cards.
fn to_learn(walk: &Walk<'_>) -> Markup {
    let name = walk.follower().strategy().size.board();
    let link = |format: &str, ending: &str, label: &str| {
        let href = format!("/cards?number={}&format={format}", walk.number);
        html! { a href=(href) download={ (name) "." (ending) } { (label) } }
    };
    html! {
        section.panel #cards {
            h2 { "Flash cards" }
            p {
                "Every move that the strategy chooses, with its plan: "
                (link("anki", "anki.txt", "to import into Anki")) " or " (link("csv", "csv", "as CSV")) "."
            }
        }
    }
}

fn others(walk: &Walk<'_>, strategies: &[ServedStrategy]) -> Markup {
    html! {
        @if strategies.len() > 1 {
            section.panel {
                h2 { "Strategies" }
                ul {
                    @for (i, served) in strategies.iter().enumerate() {
                        li {
                            @if i + 1 == walk.number { (served.title()) }
                            @else { a href={ "/strategy?number=" (i + 1) } { (served.title()) } }
                        }
                    }
                }
            }
        }
    }
}

/// Links to the strategies, for the first page.
pub fn cards(explorer: &Shared) -> Markup {
    html! {
        @if !explorer.strategies.is_empty() {
            h2 { "Strategies" }
            ul.cards #strategies {
                @for (i, served) in explorer.strategies.iter().enumerate() {
                    @let number = if i > 0 { format!("?number={}", i + 1) } else { String::new() };
                    li { a href={ "/strategy" (number) } { b { (served.title()) } " " (counts(served)) } }
                }
            }
        }
    }
}

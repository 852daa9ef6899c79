//! A game as the parts of its page show it.

use maud::{Markup, html};

use crate::game::PartialValue;
use crate::web::record::Side;
use crate::web::text;

/// A position of the game as a link: the start, or the position after a move.
pub struct PositionLink {
    pub url: String,
    /// The move, or `start`.
    pub label: String,
    pub to_move: Side,
}

/// A game and the position of it that a page shows.
pub struct Model {
    /// The start and the position after each move, moves that were taken back included.
    pub positions: Vec<PositionLink>,
    /// The index of the position that is shown.
    pub at: usize,
    /// Names of the first and of the second side in sentences.
    pub sides: [&'static str; 2],
    /// The side for which values are drawn.
    pub visitor: Side,
    /// The word for a move: column, cell or move.
    pub word: &'static str,
    /// Most plies of a game; 0 if play may be endless.
    pub plies: u32,
    /// True if a draw without a distance is one by endless play.
    pub has_endless_draws: bool,
}

impl Model {
    /// The name of a side in sentences.
    pub const fn name(&self, side: Side) -> &'static str {
        self.sides[side as usize]
    }

    /// The position that is shown.
    pub fn current(&self) -> &PositionLink {
        &self.positions[self.at]
    }

    /// The side whose move led to a position; `None` for the start.
    pub fn mover(&self, at: usize) -> Option<Side> {
        at.checked_sub(1).map(|before| self.positions[before].to_move)
    }

    /// True if the side whose move led to a position is to move again.
    pub fn keeps_turn(&self, at: usize) -> bool {
        self.mover(at) == Some(self.positions[at].to_move)
    }

    /// True if a value is a draw by endless play.
    pub fn is_endless(&self, value: PartialValue) -> bool {
        text::is_endless_draw(value, self.has_endless_draws)
    }

    /// A value of a side in words.
    pub fn words(&self, value: PartialValue, side: Side) -> String {
        text::value(value, self.name(side), self.has_endless_draws)
    }

    /// A link to a position, with the side whose move led there.
    pub fn step(&self, position: &PositionLink, mover: Option<Side>, is_current: bool) -> Markup {
        html! {
            li {
                a href=(position.url) class=[mover.map(Side::class)]
                    aria-current=[is_current.then_some("step")] {
                    @if let Some(mover) = mover { span.spoken { (self.name(mover)) " " } }
                    (position.label)
                }
            }
        }
    }

    /// The moves played, each a link, and their move string.
    pub fn record(&self, text: &str) -> Markup {
        html! {
            @if self.positions.len() > 1 {
                section.panel {
                    h2 { "Moves" }
                    ol.steps #record {
                        @for (at, position) in self.positions.iter().enumerate() {
                            (self.step(position, self.mover(at), at == self.at))
                        }
                    }
                    p { "Move string " code #moves { (text) } }
                }
            }
        }
    }
}

/// A move on the page, with its value if that is known and shown.
pub struct Mark<'m> {
    pub model: &'m Model,
    pub label: &'m str,
    pub value: Option<PartialValue>,
    pub is_best: bool,
    /// The text for an unknown value.
    pub unknown: &'static str,
}

impl Mark<'_> {
    pub fn class(&self) -> String {
        let best = if self.is_best { " best" } else { "" };
        match self.value {
            Some(value) => format!("place v-{}{best}", value.outcome),
            None => "place".to_owned(),
        }
    }

    pub fn inside(&self) -> Markup {
        let unit = match self.value.and_then(|value| value.remoteness) {
            None => "",
            Some(r) if r.0 == 1 => " ply",
            Some(_) => " plies",
        };
        html! {
            span.spoken { (self.model.word) " " }
            span.number { (self.label) }
            span.value {
                @match self.value {
                    Some(value) => {
                        span.spoken { ": " }
                        (value.outcome)
                        @if let Some(r) = value.remoteness {
                            " " span.spoken { "in " } b { (r) }
                        } @else if self.model.is_endless(value) { " " b { "endless" } }
                    }
                    None => (self.unknown),
                }
            }
            span class="spoken rest" { (unit) @if self.is_best { ", best" } }
        }
    }
}

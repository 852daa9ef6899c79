//! A game as the parts of its page show it, be it one of stones and lines or of the registry.

use maud::{Markup, html};

use crate::game::{Outcome, PartialValue, Worth};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

impl Side {
    pub const fn of(is_second: bool) -> Self {
        if is_second { Self::Second } else { Self::First }
    }

    pub const fn other(self) -> Self {
        Self::of(matches!(self, Self::First))
    }

    /// The class of what belongs to the side.
    const fn class(self) -> &'static str {
        match self {
            Self::First => "x",
            Self::Second => "o",
        }
    }
}

/// The start, or what a move led to.
pub struct Place {
    pub url: String,
    /// The move, or `start`.
    pub label: String,
    pub to_move: Side,
}

/// A game, and where in it a page is.
pub struct Model {
    /// The start and what each move led to, moves that were taken back included.
    pub places: Vec<Place>,
    /// The place that is shown.
    pub at: usize,
    /// What sentences call the first side and the second.
    pub sides: [&'static str; 2],
    /// The side that is looked from.
    pub visitor: Side,
    /// What a move is: a column, a cell, a move.
    pub word: &'static str,
    /// Plies that a game can have; 0 if there may be no end.
    pub plies: u32,
}

impl Model {
    /// What sentences call a side.
    pub const fn name(&self, side: Side) -> &'static str {
        self.sides[side as usize]
    }

    /// The place that is shown.
    pub fn here(&self) -> &Place {
        &self.places[self.at]
    }

    /// The side whose move led to a place; `None` for the start.
    pub fn mover(&self, at: usize) -> Option<Side> {
        at.checked_sub(1).map(|before| self.places[before].to_move)
    }

    /// True if the side whose move led to a place is to move again.
    pub fn keeps_turn(&self, at: usize) -> bool {
        self.mover(at) == Some(self.places[at].to_move)
    }

    /// True if a value is a draw because play has no end.
    pub fn is_endless(&self, value: PartialValue) -> bool {
        self.plies == 0 && value.outcome == Outcome::Draw && !value.is_exact()
    }

    /// A value of a side in words.
    pub fn words(&self, value: PartialValue, side: Side) -> String {
        if self.is_endless(value) {
            return Worth::Endless.to_string();
        }
        value.words_for(self.name(side))
    }

    /// A link to a place, with the side whose move led there.
    pub fn step(&self, place: &Place, mover: Option<Side>, is_current: bool) -> Markup {
        html! {
            li {
                a href=(place.url) class=[mover.map(Side::class)]
                    aria-current=[is_current.then_some("step")] {
                    @if let Some(mover) = mover { span.spoken { (self.name(mover)) " " } }
                    (place.label)
                }
            }
        }
    }

    /// The moves played, each a link; `text` is how they are written.
    pub fn record(&self, text: &str) -> Markup {
        html! {
            @if self.places.len() > 1 {
                section.panel {
                    h2 { "Moves" }
                    ol.steps #record {
                        @for (at, place) in self.places.iter().enumerate() {
                            (self.step(place, self.mover(at), at == self.at))
                        }
                    }
                    p { "Move string " code #moves { (text) } }
                }
            }
        }
    }
}

/// A move as it is offered: its name, and what it leads to as far as that is known and shown.
pub struct Mark<'m> {
    pub model: &'m Model,
    pub label: &'m str,
    pub value: Option<PartialValue>,
    pub is_best: bool,
    /// What stands in the place of an unknown value.
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

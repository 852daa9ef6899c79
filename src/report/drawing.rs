//! A picture without its heading.

use maud::Markup;

/// A picture without its heading.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// Width and height.
    pub size: [f64; 2],
    pub inside: Markup,
}

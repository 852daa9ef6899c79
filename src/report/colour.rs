//! Colours of a report: one for each outcome in all figures, others for everything else.

use everyply_core::game::Outcome;

/// A colour for light and one for dark backgrounds. Each has a contrast of at least 4.5 to its
/// background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    pub light: &'static str,
    pub dark: &'static str,
}

const fn colour(light: &'static str, dark: &'static str) -> Colour {
    Colour { light, dark }
}

/// Returns the colour of an outcome: green, grey or violet. The explorer uses tints of them.
pub const fn of_outcome(outcome: Outcome) -> Colour {
    match outcome {
        Outcome::Win => colour("#0B6B45", "#58D6A0"),
        Outcome::Draw => colour("#595959", "#C4C4C4"),
        Outcome::Loss => colour("#7A35A8", "#CFA0F2"),
    }
}

/// Colours of counts, sides, algorithms and runs.
pub const LINES: [Colour; 6] = [
    colour("#2459AD", "#8FC1F7"),
    colour("#B34700", "#F2A25C"),
    colour("#1F6F7F", "#7CCBD8"),
    colour("#A3243B", "#F09AA8"),
    colour("#7A5C00", "#D9BF5A"),
    colour("#545B63", "#AAB3BD"),
];

/// The background, which is also the colour of text on a coloured ground.
pub const GROUND: Colour = colour("#FFFFFF", "#14181C");

/// The colours of text and of ruled lines, which the page replaces by its own.
pub const INK: &str = "#000000";
pub const RULE: &str = "#BBBBBB";

pub fn all() -> impl Iterator<Item = Colour> {
    OUTCOMES.map(of_outcome).into_iter().chain(LINES).chain([GROUND])
}

/// The outcomes in the order of figures.
pub const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance of WCAG 2.
    fn luminance(hex: &str) -> f64 {
        let part = |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        let linear =
            |c: f64| if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        (a / b).max(b / a)
    }

    #[test]
    fn colours_can_be_read_and_are_used_once() {
        let colours: Vec<Colour> = all().filter(|colour| *colour != GROUND).collect();
        for (i, colour) in colours.iter().enumerate() {
            assert!(contrast(colour.light, GROUND.light) >= 4.5, "{colour:?}");
            assert!(contrast(colour.dark, GROUND.dark) >= 4.5, "{colour:?}");
            assert!(!colours[..i].contains(colour), "{colour:?} is used twice");
        }
    }
}

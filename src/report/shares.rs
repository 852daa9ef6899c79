//! Shares of won, drawn and lost positions, one bar a ply.

use maud::{Markup, html};

use super::colour::{GROUND, INK, OUTCOMES, of_outcome};
use super::drawing::Drawing;
use super::figure::{DataTable, Figure, Subject};
use super::plot::{LETTER, LETTERS, WIDTH};
use crate::game::Outcome;
use crate::svg::{Font, rectangle, text};

/// Left end of the bars, after the ply.
const LEFT: f64 = 44.0;
/// Length of the bars.
const LENGTH: f64 = WIDTH - LEFT - 4.0;
/// Height of the line of words above the bars.
const HEADING: f64 = 26.0;
/// Between the tops of two bars.
const STEP: f64 = 22.0;

const fn font(anchor: &'static str) -> Font {
    Font { size: LETTERS, anchor }
}

/// Positions of a ply that are won, drawn and lost.
pub type Outcomes = (u8, [u64; 3]);

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    }
}

/// Draws the shares of the outcomes of every ply with positions; `None` if there is none.
pub fn figure(about: &Subject, kind: &str, positions: &str, plies: &[Outcomes]) -> Option<Figure> {
    let plies: Vec<&Outcomes> = plies.iter().filter(|(_, n)| n.iter().sum::<u64>() > 0).collect();
    if plies.is_empty() {
        return None;
    }
    let mut table = DataTable::new(&["ply", "won_percent", "drawn_percent", "lost_percent"]);
    for (ply, counts) in &plies {
        let all = counts.iter().sum::<u64>() as f64;
        let percent = counts.map(|count| format!("{:.3}", 100.0 * count as f64 / all));
        table.rows.push(std::iter::once(ply.to_string()).chain(percent).collect());
    }
    let height = HEADING + STEP * plies.len() as f64;
    let inside = html! {
        (text([LEFT - 8.0, 15.0], font("end"), INK, "ply"))
        @for (outcome, (x, anchor)) in OUTCOMES.into_iter().zip([(0.0, "start"), (0.5, "middle"), (1.0, "end")]) {
            @let at = [LEFT + LENGTH * x, 15.0];
            g font-weight="bold" { (text(at, font(anchor), of_outcome(outcome).light, word(outcome))) }
        }
        @for (row, ply) in plies.into_iter().enumerate() { (bar(ply, HEADING + STEP * row as f64)) }
    };
    let note = format!("The {positions} of each ply, for the side to move.");
    Some(Figure {
        drawing: Some(Drawing { size: [WIDTH, height], inside }),
        ..Figure::listed(about, kind, "Won, drawn and lost positions, ply by ply", &note, table)
    })
}

/// Draws the bar of a ply.
fn bar((ply, counts): &Outcomes, top: f64) -> Markup {
    let all = counts.iter().sum::<u64>() as f64;
    let baseline = top + STEP / 2.0 + 5.0;
    let mut right = LEFT;
    let parts = OUTCOMES.into_iter().zip(counts).filter(|(_, count)| **count > 0);
    let parts = parts.map(|(outcome, count)| {
        let (share, left) = (*count as f64 / all, right);
        right += LENGTH * share;
        (outcome, left, LENGTH * share, format!("{} {:.0} %", word(outcome), 100.0 * share))
    });
    html! {
        (text([LEFT - 8.0, baseline], font("end"), INK, &ply.to_string()))
        @for (outcome, left, length, label) in parts {
            // A gap divides neighbours without their colours.
            @let size_of_bar = [(length - 1.0).max(0.5), STEP - 2.0];
            (rectangle([left, top + 1.0], size_of_bar, of_outcome(outcome).light))
            @if length > label.len() as f64 * LETTER + 6.0 {
                (text([left + length / 2.0, baseline], font("middle"), GROUND.light, &label))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::decimal;

    #[test]
    fn bars_are_as_long_as_their_shares() {
        let about = Subject { stem: "x".to_owned(), game: "Nim".to_owned() };
        let figure = |plies: &[Outcomes]| super::figure(&about, "shares", "positions", plies);
        let drawn = figure(&[(0, [0, 1, 0]), (1, [3, 0, 1]), (2, [0; 3])]).unwrap();
        assert_eq!(
            drawn.table.rows,
            [["0", "0.000", "100.000", "0.000"], ["1", "75.000", "0.000", "25.000"]]
        );
        let svg = drawn.svg().unwrap();
        let three_quarters = format!("width=\"{}\"", decimal(LENGTH * 0.75 - 1.0));
        assert!(svg.contains(&three_quarters) && svg.contains("won 75 %"), "{svg}");
        // The ground, and one for each share above zero.
        assert_eq!(svg.matches("<rect").count(), 4, "{svg}");
        assert!(svg.contains(">Nim</text>"), "{svg}");
        assert!(figure(&[(0, [0; 3])]).is_none());
    }
}

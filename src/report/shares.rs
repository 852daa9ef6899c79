//! Shares of won, drawn and lost positions, one bar a ply.

use maud::{Markup, html};

use super::colour::{GROUND, OUTCOMES, of_outcome};
use super::figure::{DataTable, Figure};
use super::plot::WIDTH;
use crate::game::Outcome;
use crate::svg::{Font, picture, rectangle, text};

/// Left end of the bars, after the ply.
const LEFT: f64 = 44.0;
/// Length of the bars.
const LENGTH: f64 = WIDTH as f64 - LEFT - 12.0;
/// Height of the legend.
const HEADING: f64 = 22.0;

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
pub fn figure(id: String, title: &str, plies: &[Outcomes]) -> Option<Figure> {
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
    // The bars of a long game are thinner, so that they stay on one screen.
    let (step, size) = if plies.len() > 20 { (14.0, 10) } else { (22.0, 13) };
    let height = HEADING + step * plies.len() as f64 + 4.0;
    let font = |anchor| Font { size: 13, anchor };
    let bars = html! {
        (text([LEFT - 8.0, 15.0], font("end"), "#000000", "ply"))
        @for (i, outcome) in OUTCOMES.into_iter().enumerate() {
            @let x = LEFT + LENGTH / 3.0 * i as f64;
            (rectangle([x, 4.0], [13.0; 2], of_outcome(outcome).light))
            (text([x + 19.0, 15.0], font("start"), "#000000", word(outcome)))
        }
        @for (row, ply) in plies.into_iter().enumerate() {
            (bar(ply, HEADING + step * row as f64, step, size))
        }
    };
    Some(Figure {
        id,
        title: title.to_owned(),
        note: "For the side to move; from left to right won, drawn and lost.".to_owned(),
        svg: Some(picture(title, [0.0, 0.0, f64::from(WIDTH), height], &bars)),
        table,
    })
}

/// Draws the bar of a ply.
fn bar((ply, counts): &Outcomes, top: f64, step: f64, size: u32) -> Markup {
    let all = counts.iter().sum::<u64>() as f64;
    let baseline = top + (step / 2.0).floor() + f64::from(size) / 3.0;
    let mut right = LEFT;
    let parts = OUTCOMES.into_iter().zip(counts).filter(|(_, count)| **count > 0);
    let parts = parts.map(|(outcome, count)| {
        let (share, left) = (*count as f64 / all, right);
        right += LENGTH * share;
        (outcome, left, LENGTH * share, format!("{} {:.0} %", word(outcome), 100.0 * share))
    });
    html! {
        (text([LEFT - 8.0, baseline], Font { size, anchor: "end" }, "#000000", &ply.to_string()))
        @for (outcome, left, length, label) in parts {
            // A gap divides neighbours without their colours.
            @let size_of_bar = [(length - 1.0).max(0.5), step - 2.0];
            (rectangle([left, top + 1.0], size_of_bar, of_outcome(outcome).light))
            // The label if it fits: a character is about six tenths as wide as it is high.
            @if length > label.len() as f64 * f64::from(size) * 0.6 + 6.0 {
                @let font = Font { size, anchor: "middle" };
                (text([left + length / 2.0, baseline], font, GROUND.light, &label))
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
        let figure =
            figure("x".to_owned(), "Shares", &[(0, [0, 1, 0]), (1, [3, 0, 1]), (2, [0; 3])]);
        let figure = figure.unwrap();
        assert_eq!(
            figure.table.rows,
            [["0", "0.000", "100.000", "0.000"], ["1", "75.000", "0.000", "25.000"]]
        );
        let svg = figure.svg.unwrap();
        let three_quarters = format!("width=\"{}\"", decimal(LENGTH * 0.75 - 1.0));
        assert!(svg.contains(&three_quarters) && svg.contains("won 75 %"), "{svg}");
        // Three in the legend, and one for each share above zero.
        assert_eq!(svg.matches("<rect").count(), 6, "{svg}");
        assert!(super::figure("x".to_owned(), "Shares", &[(0, [0; 3])]).is_none());
    }
}

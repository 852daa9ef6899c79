//! Shares of won, drawn and lost positions, one bar a ply.

use std::fmt::Write;

use super::colour::{GROUND, OUTCOMES, of_outcome};
use super::figure::{Figure, Table};
use super::plot::WIDTH;
use crate::game::Outcome;

/// Where the bars begin and how long they are; before them is the ply.
const LEFT: f64 = 44.0;
const LENGTH: f64 = WIDTH as f64 - LEFT - 12.0;
const HEADING: u32 = 22;

/// Positions of a ply that are won, drawn and lost.
pub type Outcomes = (u8, [u64; 3]);

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    }
}

/// The shares of the outcomes of every ply with positions; `None` if there is none.
pub fn figure(id: String, title: &str, plies: &[Outcomes]) -> Option<Figure> {
    let plies: Vec<&Outcomes> = plies.iter().filter(|(_, n)| n.iter().sum::<u64>() > 0).collect();
    if plies.is_empty() {
        return None;
    }
    let mut table = Table::new(&["ply", "won_percent", "drawn_percent", "lost_percent"]);
    // The bars of a long game are thinner, so that they stay on one screen.
    let (step, font) = if plies.len() > 20 { (14, 10) } else { (22, 13) };
    let height = HEADING + step * plies.len() as u32 + 4;
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"{title}\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n"
    );
    text(&mut svg, LEFT - 8.0, 15.0, ("end", 13), "#000000", "ply");
    for (i, outcome) in OUTCOMES.into_iter().enumerate() {
        let x = LEFT + LENGTH / 3.0 * i as f64;
        bar(&mut svg, (x, 4.0), (14.0, 13.0), outcome);
        text(&mut svg, x + 19.0, 15.0, ("start", 13), "#000000", word(outcome));
    }
    for (row, (ply, counts)) in (0u32..).zip(plies) {
        let (top, middle) = (HEADING + row * step, HEADING + row * step + step / 2);
        let all = counts.iter().sum::<u64>() as f64;
        let baseline = f64::from(middle) + f64::from(font) / 3.0;
        text(&mut svg, LEFT - 8.0, baseline, ("end", font), "#000000", &ply.to_string());
        let mut x = LEFT;
        for (outcome, count) in OUTCOMES.into_iter().zip(counts) {
            let length = LENGTH * *count as f64 / all;
            if *count > 0 {
                bar(&mut svg, (x, f64::from(top + 1)), (length, f64::from(step - 2)), outcome);
            }
            let told = format!("{} {:.0} %", word(outcome), 100.0 * *count as f64 / all);
            // Where it fits: a character is about six tenths as wide as it is high.
            if length > told.len() as f64 * f64::from(font) * 0.6 + 6.0 {
                let at = x + length / 2.0;
                text(&mut svg, at, baseline, ("middle", font), GROUND.light, &told);
            }
            x += length;
        }
        let percent = counts.map(|count| format!("{:.3}", 100.0 * count as f64 / all));
        table.rows.push(std::iter::once(ply.to_string()).chain(percent).collect());
    }
    svg.push_str("</svg>\n");
    Some(Figure {
        id,
        title: title.to_owned(),
        note: "For the side to move; from left to right won, drawn and lost.".to_owned(),
        svg: Some(svg),
        table,
    })
}

fn bar(svg: &mut String, (x, y): (f64, f64), (length, height): (f64, f64), outcome: Outcome) {
    let fill = of_outcome(outcome).light;
    // A gap tells neighbours apart without their colours.
    let length = (length - 1.0).max(0.5);
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.2}\" y=\"{y}\" width=\"{length:.2}\" height=\"{height}\" fill=\"{fill}\"/>"
    );
}

fn text(svg: &mut String, x: f64, y: f64, (anchor, font): (&str, u32), fill: &str, said: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.2}\" y=\"{y:.1}\" font-family=\"sans-serif\" font-size=\"{font}\" \
         text-anchor=\"{anchor}\" fill=\"{fill}\">{said}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let three_quarters = format!("width=\"{:.2}\"", LENGTH * 0.75 - 1.0);
        assert!(svg.contains(&three_quarters) && svg.contains("won 75 %"), "{svg}");
        // Three in the legend and one for each share that is not nothing.
        assert_eq!(svg.matches("<rect").count(), 6, "{svg}");
        assert!(super::figure("x".to_owned(), "Shares", &[(0, [0; 3])]).is_none());
    }
}

//! Line charts whose lines are named at their ends and differ by more than colour. The vertical axis
//! is logarithmic: zero is in the table only.

use maud::{Markup, html};

use super::colour::{Colour, INK, LINES, OUTCOMES, RULE, of_outcome};
use crate::svg::{Font, decimal, disc, stroke, text};
use everyply_core::game::Outcome;

#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// The outcome that the line shows, for its colour.
    pub outcome: Option<Outcome>,
    pub points: Vec<(f64, f64)>,
}

impl Series {
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), outcome: None, points }
    }

    pub fn of_outcome(name: &str, outcome: Outcome, points: Vec<(f64, f64)>) -> Self {
        Self { outcome: Some(outcome), ..Self::new(name, points) }
    }
}

/// Lines, and the meanings of the axes, with units.
#[derive(Clone, Debug)]
pub struct Plot {
    pub x: &'static str,
    pub y: &'static str,
    pub series: Vec<Series>,
}

/// Width of a chart, whose letters can be read on a telephone too, and its height without names below it.
pub const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 380.0;
pub const LETTERS: u32 = 16;
/// The approximate width of a letter.
const LETTER: f64 = 0.56 * LETTERS as f64;
/// The edges of the ruled area.
const LEFT: f64 = 64.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = HEIGHT - 52.0;
/// The width of a marker, between the ruled area and the name of a line.
const NAME: f64 = 38.0;
const NAME_HEIGHT: f64 = 20.0;
/// Letters of a name that fits beside the lines; longer ones stand below them.
const BESIDE: usize = 16;

const fn font(anchor: &'static str) -> Font {
    Font { size: LETTERS, anchor }
}

/// The style of a line: its colour, and signs that distinguish it without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineStyle {
    colour: Colour,
    marker: usize,
    dashed: bool,
}

impl LineStyle {
    fn all(series: &[Series]) -> Vec<Self> {
        let mut others = 0..;
        let style = |series: &Series| match series.outcome {
            Some(outcome) => {
                let marker = OUTCOMES.iter().position(|other| *other == outcome).unwrap_or(0);
                Self { colour: of_outcome(outcome), marker, dashed: outcome != Outcome::Win }
            }
            None => {
                let i: usize = others.next().unwrap_or(0);
                // The marker moves on after each round of colours, so that no two lines look alike.
                let marker = (i + i / LINES.len() + OUTCOMES.len()) % MARKERS;
                Self { colour: LINES[i % LINES.len()], marker, dashed: i % 2 == 1 }
            }
        };
        series.iter().map(style).collect()
    }
}

impl Plot {
    /// Iterates over the lines that have points above zero.
    fn visible(&self) -> impl Iterator<Item = (LineStyle, &str, Vec<(f64, f64)>)> {
        let lines = self.series.iter().zip(LineStyle::all(&self.series));
        let lines = lines.map(|(series, style)| {
            let points = series.points.iter().copied().filter(|(_, y)| *y > 0.0);
            (style, series.name.as_str(), points.collect::<Vec<_>>())
        });
        lines.filter(|(_, _, points)| !points.is_empty())
    }

    /// Draws the plot, and returns its height too; `None` without points.
    pub fn draw(&self) -> Option<(Markup, f64)> {
        let lines: Vec<_> = self.visible().collect();
        let all = || lines.iter().flat_map(|(_, _, points)| points);
        let x_axis = Axis::whole(range(all().map(|point| point.0))?);
        let y_axis = Axis::of_powers(range(all().map(|point| point.1.log10()))?);
        let longest = lines.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
        let is_below = longest > BESIDE;
        let beside = if is_below { 0.0 } else { NAME + LETTER * longest as f64 };
        let right = WIDTH - beside - 12.0;
        let across = |x| LEFT + 10.0 + x_axis.share(x) * (right - LEFT - 20.0);
        let up = |power| BOTTOM + y_axis.share(power) * (TOP - BOTTOM);
        let at = |(x, y): (f64, f64)| [across(x), up(y.log10())];
        let ends: Vec<[f64; 2]> =
            lines.iter().filter_map(|(_, _, points)| points.last().map(|last| at(*last))).collect();
        // The places of markers with names.
        let below = |i: usize| HEIGHT + NAME_HEIGHT * (i as f64 + 0.5);
        let (names, height): (Vec<[f64; 2]>, f64) = match is_below {
            true => {
                ((0..lines.len()).map(|i| [LEFT + 6.0, below(i)]).collect(), below(lines.len()))
            }
            false => (apart(&ends).into_iter().map(|y| [right + 24.0, y]).collect(), HEIGHT),
        };
        let chart = html! {
            (text([4.0, 16.0], font("start"), INK, &format!("{} (logarithmic axis)", self.y)))
            (text([f64::midpoint(LEFT, right), HEIGHT - 8.0], font("middle"), INK, self.x))
            @for power in y_axis.ticks() {
                @let y = up(power);
                (stroke([LEFT, y], [right, y], RULE, 1.0))
                (text([LEFT - 8.0, y + 5.0], font("end"), INK, &short(10f64.powf(power))))
            }
            (stroke([LEFT, BOTTOM], [right, BOTTOM], INK, 1.0))
            @for tick in x_axis.ticks() {
                @let x = across(tick);
                (stroke([x, BOTTOM], [x, BOTTOM + 5.0], INK, 1.0))
                (text([x, BOTTOM + 22.0], font("middle"), INK, &short(tick)))
            }
            @for (((style, name, points), end), [x, y]) in lines.iter().zip(&ends).zip(names) {
                @let places: Vec<[f64; 2]> = points.iter().map(|point| at(*point)).collect();
                g.line {
                    (line(&places, *style))
                    @for place in &places { (marker(*style, *place)) }
                    @if !is_below {
                        g opacity="0.45" { (stroke(*end, [x - 6.0, y], style.colour.light, 1.0)) }
                    }
                    (marker(*style, [x, y]))
                    (text([x + 14.0, y + 5.0], font("start"), style.colour.light, name))
                }
            }
        };
        Some((chart, height))
    }
}

/// Returns the lowest and the highest number; `None` without numbers.
fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = numbers.fold(start, |(low, high), n| (low.min(n), high.max(n)));
    (low <= high).then_some((low, high))
}

/// A linear axis from its lowest to its highest number, with the step of the numbers written at it.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Creates an axis of whole numbers, with at most about ten ticks at multiples of 1, 2 or 5
    /// times a power of ten.
    fn whole((low, high): (f64, f64)) -> Self {
        let high = high.max(low + 1.0);
        let rough = ((high - low) / 10.0).max(1.0);
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
        let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
        Self { low, high, step }
    }

    /// Creates an axis of decimal logarithms, between whole ones.
    fn of_powers((low, high): (f64, f64)) -> Self {
        let low = low.floor();
        let high = high.ceil().max(low + 1.0);
        Self { low, high, step: ((high - low) / 8.0).ceil() }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil() as i64;
        (first..).map(|n| n as f64 * self.step).take_while(|tick| *tick <= self.high)
    }

    /// Returns the place of a number: 0 at the lowest, 1 at the highest.
    fn share(&self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }
}

/// Returns heights for the names of lines, in the order of the ends of the lines, and apart.
fn apart(ends: &[[f64; 2]]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|a, b| ends[*a][1].total_cmp(&ends[*b][1]));
    let mut heights: Vec<f64> = ends.iter().map(|end| end[1]).collect();
    let mut highest = TOP;
    for at in &order {
        heights[*at] = heights[*at].max(highest);
        highest = heights[*at] + NAME_HEIGHT;
    }
    let mut lowest = BOTTOM;
    for at in order.into_iter().rev() {
        heights[at] = heights[at].min(lowest);
        lowest = heights[at] - NAME_HEIGHT;
    }
    heights
}

fn corners(places: impl Iterator<Item = [f64; 2]>) -> String {
    let places = places.map(|[x, y]| format!("{},{}", decimal(x), decimal(y)));
    places.collect::<Vec<_>>().join(" ")
}

fn line(places: &[[f64; 2]], style: LineStyle) -> Markup {
    html! {
        polyline points=(corners(places.iter().copied())) fill="none" stroke=(style.colour.light)
            stroke-width="2.5" stroke-linejoin="round"
            stroke-dasharray=[style.dashed.then_some("7 4")] {}
    }
}

const MARKERS: usize = 6;

/// Draws the marker that identifies a line without its colour.
fn marker(style: LineStyle, [x, y]: [f64; 2]) -> Markup {
    let colour = style.colour.light;
    let around: &[[f64; 2]] = match style.marker {
        0 => return disc([x, y], 4.5, colour, "none"),
        1 => &[[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]],
        2 => {
            return html! {
                (stroke([x - 4.5, y - 4.5], [x + 4.5, y + 4.5], colour, 2.5))
                (stroke([x - 4.5, y + 4.5], [x + 4.5, y - 4.5], colour, 2.5))
            };
        }
        3 => &[[0.0, -6.0], [5.5, 4.0], [-5.5, 4.0]],
        4 => &[[0.0, -6.0], [6.0, 0.0], [0.0, 6.0], [-6.0, 0.0]],
        _ => return html! { g stroke-width="2" { (disc([x, y], 4.5, "none", colour)) } },
    };
    html! { polygon points=(corners(around.iter().map(|[a, b]| [x + a, y + b]))) fill=(colour) {} }
}

/// Writes a number for an axis: `20k`, `1.5M`.
fn short(number: f64) -> String {
    let size = number.abs();
    if size > 0.0 && size < 0.000_999 {
        return format!("{number:.0e}");
    }
    let (scaled, unit) = match size {
        s if s >= 1e12 => (number / 1e12, "T"),
        s if s >= 1e9 => (number / 1e9, "G"),
        s if s >= 1e6 => (number / 1e6, "M"),
        s if s >= 1e3 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let digits = match scaled.abs() {
        s if s == 0.0 || s >= 10.0 || s.fract() == 0.0 => 0,
        s if s >= 0.1 => 1,
        _ => 5,
    };
    let text = format!("{scaled:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_axes_are_short() {
        let labels = [0.0, 7.0, 2.5, 1_000.0, 1_500_000.0, 3e10, 0.001, 549_946.0, 1e-5].map(short);
        assert_eq!(labels, ["0", "7", "2.5", "1k", "1.5M", "30G", "0.001", "550k", "1e-5"]);
    }

    #[test]
    fn an_outcome_has_its_colour_at_every_place() {
        let lost = || Series::of_outcome("lost", Outcome::Loss, vec![(0.0, 1.0)]);
        let other = |name| Series::new(name, vec![(0.0, 2.0)]);
        let styles = LineStyle::all(&[other("all"), lost(), other("more"), lost()]);
        assert_eq!(styles[1], styles[3]);
        assert_eq!(styles[1], LineStyle::all(&[lost()])[0]);
        let colours = [styles[0].colour, styles[1].colour, styles[2].colour];
        let markers = [styles[0].marker, styles[1].marker, styles[2].marker];
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            assert!(colours[a] != colours[b] && markers[a] != markers[b]);
        }
    }

    #[test]
    fn every_line_is_drawn_and_named_at_its_end() {
        let points = |k: f64| (0..5).map(|x| (f64::from(x), k * f64::from(x))).collect();
        let series = |name: &str, k: f64| Series::new(name, points(k));
        let plot = |series| Plot { x: "ply", y: "nodes", series };
        let all = vec![series("a & b", 1.0), series("c", 9.0), Series::new("none", vec![])];
        let (svg, height) = plot(all).draw().unwrap();
        let svg = svg.into_string();
        assert_eq!(svg.matches("class=\"line\"").count(), 2, "{svg}");
        assert!(svg.contains(">a &amp; b</text>") && !svg.contains(">none</text>"), "{svg}");
        assert!(LINES[..2].iter().all(|colour| svg.contains(colour.light)), "{svg}");
        assert_eq!(svg.matches("font-size").count(), svg.matches("font-size=\"16\"").count());
        assert!(plot(vec![series("zero", 0.0)]).draw().is_none());
        // A name too long to stand beside its line makes the chart higher.
        let long = plot(vec![series("a name of many letters", 1.0)]).draw().unwrap();
        assert!(long.1 > height && long.0.into_string().contains(">a name of many letters</text>"));
    }

    #[test]
    fn names_stand_apart_in_the_order_of_their_lines() {
        let ends = [100.0, 98.0, 20.0, BOTTOM, BOTTOM].map(|height| [0.0, height]);
        let heights = apart(&ends);
        let mut sorted = heights.clone();
        sorted.sort_by(f64::total_cmp);
        let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.min_by(f64::total_cmp) >= Some(NAME_HEIGHT - 1e-9), "{heights:?}");
        assert!(heights[2] < heights[1] && heights[1] < heights[0], "{heights:?}");
        assert!(sorted[0] >= TOP && sorted[4] <= BOTTOM, "{heights:?}");
    }

    #[test]
    fn axes_have_round_numbers() {
        let whole = |low, high| Axis::whole((low, high)).ticks().collect::<Vec<_>>();
        assert_eq!(whole(0.0, 9.0).len(), 10);
        assert_eq!(whole(0.0, 25.0)[..3], [0.0, 5.0, 10.0]);
        assert_eq!(whole(3.0, 3.0), [3.0, 4.0]);
        let powers = |low, high| Axis::of_powers((low, high)).ticks().collect::<Vec<_>>();
        assert_eq!(powers(0.3, 2.95), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(powers(0.85, 0.85), [0.0, 1.0]);
        assert_eq!(powers(-3.5, 8.0)[..2], [-4.0, -2.0]);
    }
}

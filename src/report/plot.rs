//! Line charts in which lines differ by more than colour.

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::colour::{LINES, OUTCOMES, of_outcome};
use crate::game::Outcome;

/// A line of a plot.
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

/// The scale of the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// A scale without zero and negative numbers, which only the table shows.
    Logarithmic,
}

/// Lines, and the meanings of the axes, with units.
#[derive(Clone, Debug)]
pub struct Plot {
    pub x: &'static str,
    pub y: &'static str,
    pub scale: Scale,
    pub series: Vec<Series>,
}

/// Width of a chart: text can be read on a phone and in two columns on paper.
pub const WIDTH: u32 = 480;
const HEIGHT: u32 = 300;
/// The largest number that is drawn, beyond all counts and times: near the limits of floating-point
/// numbers the axis has no end.
const LARGEST: f64 = 1e30;
/// Height of a line of the legend.
const LEGEND: u32 = 22;
/// The longest name, in characters, for a legend of two columns.
const HALF_A_LINE: usize = 26;

/// The look of a line: in colour, and without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    colour: RGBColor,
    marker: usize,
    dashed: bool,
}

impl Look {
    /// Returns the look of each line.
    fn all(series: &[Series]) -> Vec<Self> {
        let mut others = 0..;
        let look = |series: &Series| match series.outcome {
            Some(outcome) => {
                let marker = OUTCOMES.iter().position(|other| *other == outcome).unwrap_or(0);
                let colour = rgb(of_outcome(outcome).light);
                Self { colour, marker, dashed: outcome != Outcome::Win }
            }
            None => {
                let i: usize = others.next().unwrap_or(0);
                let colour = rgb(LINES[i % LINES.len()].light);
                Self { colour, marker: (i + OUTCOMES.len()) % MARKERS, dashed: i % 2 == 1 }
            }
        };
        series.iter().map(look).collect()
    }
}

fn rgb(hex: &str) -> RGBColor {
    let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    RGBColor(part(1), part(3), part(5))
}

impl Plot {
    /// Iterates over the lines with the points that can be drawn.
    fn visible(&self) -> impl Iterator<Item = (usize, &Series, Vec<(f64, f64)>)> {
        let shown = |&(x, y): &(f64, f64)| match self.scale {
            Scale::Linear => x.abs() <= LARGEST && y.abs() <= LARGEST,
            Scale::Logarithmic => x.abs() <= LARGEST && (1.0 / LARGEST..=LARGEST).contains(&y),
        };
        self.series.iter().enumerate().map(move |(i, series)| {
            (i, series, series.points.iter().copied().filter(shown).collect())
        })
    }

    pub fn is_empty(&self) -> bool {
        self.visible().all(|(_, _, points)| points.is_empty())
    }
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws the plot as SVG.
pub fn draw(title: &str, plot: &Plot) -> Result<String, String> {
    let mut svg = String::new();
    drawn(&mut svg, plot).map_err(|error| error.to_string())?;
    // A name for readers who do not see the picture; the data table has the numbers.
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let head = format!("<svg role=\"img\" aria-label=\"{title}\" ");
    Ok(svg.replacen("<svg ", &head, 1))
}

fn drawn(svg: &mut String, plot: &Plot) -> Drawn {
    let legend_height = LEGEND * (plot.series.len() as u32).div_ceil(columns(plot)) + 8;
    let root = SVGBackend::with_string(svg, (WIDTH, HEIGHT + legend_height)).into_drawing_area();
    let (upper, lower) = root.split_vertically(HEIGHT);
    let all: Vec<(f64, f64)> = plot.visible().flat_map(|(_, _, points)| points).collect();
    let low = |f: fn(&(f64, f64)) -> f64| all.iter().map(f).fold(f64::INFINITY, f64::min);
    let high = |f: fn(&(f64, f64)) -> f64| all.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = (low(|p| p.0), high(|p| p.0));
    let x = (left - 0.4)..(right + 0.4);
    let (bottom, top) = (low(|p| p.1), high(|p| p.1));
    let mut builder = ChartBuilder::on(&upper);
    builder.margin(8).margin_right(14).x_label_area_size(42).y_label_area_size(66);
    match plot.scale {
        Scale::Linear => {
            let y = bottom.min(0.0)..(top * 1.08).max(bottom.min(0.0) + 1e-9);
            fill(&mut builder.build_cartesian_2d(x, y)?, plot, right - left)?;
        }
        Scale::Logarithmic => {
            // Whole powers of ten, so that the axis has at least two numbers.
            let (low, high) = (bottom.log10().floor(), top.log10().ceil());
            let y = 10f64.powf(low)..10f64.powf(high.max(low + 1.0));
            fill(&mut builder.build_cartesian_2d(x, y.log_scale())?, plot, right - left)?;
        }
    }
    legend(&lower, plot)?;
    root.present()?;
    Ok(())
}

/// Draws axes, lines and markers.
fn fill<DB, Y>(
    chart: &mut ChartContext<'_, DB, Cartesian2d<RangedCoordf64, Y>>,
    plot: &Plot,
    span: f64,
) -> Drawn
where
    DB: DrawingBackend,
    DB::ErrorType: 'static,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .x_desc(plot.x)
        .y_desc(plot.y)
        .x_labels((span as usize + 1).clamp(2, 15))
        .y_labels(6)
        .x_label_formatter(&|x| {
            if x.fract().abs() < 1e-9 { format!("{x:.0}") } else { String::new() }
        })
        .y_label_formatter(&|y| short(*y))
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(0xBB, 0xBB, 0xBB))
        .axis_style(BLACK)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    let looks = Look::all(&plot.series);
    for (i, _, points) in plot.visible() {
        let look = looks[i];
        let style = look.colour.stroke_width(2);
        if look.dashed {
            chart.draw_series(DashedLineSeries::new(points.iter().copied(), 7, 4, style))?;
        } else {
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        }
        chart.draw_series(
            points.into_iter().map(|at| EmptyElement::at(at) + marker(look, (0, 0))),
        )?;
    }
    Ok(())
}

const MARKERS: usize = 6;

/// Draws the marker that identifies a line without its colour.
fn marker<DB: DrawingBackend>(
    look: Look,
    (x, y): (i32, i32),
) -> DynElement<'static, DB, (i32, i32)> {
    let style = look.colour.filled();
    let line = look.colour.stroke_width(2);
    match look.marker {
        0 => Circle::new((x, y), 4, style).into_dyn(),
        1 => Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], style).into_dyn(),
        2 => Cross::new((x, y), 5, line).into_dyn(),
        3 => TriangleMarker::new((x, y), 6, style).into_dyn(),
        4 => Polygon::new(vec![(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], style).into_dyn(),
        _ => Circle::new((x, y), 5, line).into_dyn(),
    }
}

/// Returns the number of columns of the legend.
fn columns(plot: &Plot) -> u32 {
    let short = |series: &Series| series.name.chars().count() <= HALF_A_LINE;
    if plot.series.iter().all(short) { 2 } else { 1 }
}

/// Draws the legend, below the axis.
fn legend<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, plot: &Plot) -> Drawn
where
    DB::ErrorType: 'static,
{
    let columns = columns(plot) as i32;
    for (i, (series, look)) in (0i32..).zip(plot.series.iter().zip(Look::all(&plot.series))) {
        let x = 12 + (i % columns) * WIDTH as i32 / 2;
        let y = (i / columns) * LEGEND as i32 + 12;
        let line = vec![(x, y), (x + 32, y)];
        let style = look.colour.stroke_width(2);
        if look.dashed {
            area.draw(&DashedPathElement::new(line, 7, 4, style))?;
        } else {
            area.draw(&PathElement::new(line, style))?;
        }
        area.draw(&marker(look, (x + 16, y)))?;
        area.draw(&Text::new(series.name.clone(), (x + 40, y - 7), ("sans-serif", 14)))?;
    }
    Ok(())
}

/// Writes a number for an axis: `20k`, `1.5M`.
fn short(number: f64) -> String {
    let size = number.abs();
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
        let labels = [0.0, 7.0, 2.5, 1_000.0, 1_500_000.0, 3e10, 0.001, 549_946.0].map(short);
        assert_eq!(labels, ["0", "7", "2.5", "1k", "1.5M", "30G", "0.001", "550k"]);
    }

    #[test]
    fn an_outcome_has_its_colour_at_every_place() {
        let lost = || Series::of_outcome("lost", Outcome::Loss, vec![(0.0, 1.0)]);
        let other = |name| Series::new(name, vec![(0.0, 2.0)]);
        let looks = Look::all(&[other("all"), lost(), other("more"), lost()]);
        assert_eq!(looks[1], looks[3]);
        assert_eq!(looks[1], Look::all(&[lost()])[0]);
        let colours = [looks[0].colour, looks[1].colour, looks[2].colour];
        let markers = [looks[0].marker, looks[1].marker, looks[2].marker];
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            assert!(colours[a] != colours[b] && markers[a] != markers[b]);
        }
    }

    #[test]
    fn every_line_is_drawn_and_named() {
        let points = |k: f64| (0..5).map(|x| (f64::from(x), k * f64::from(x))).collect();
        let series = |name: &str, k: f64| Series::new(name, points(k));
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let plot = Plot {
                x: "ply",
                y: "nodes",
                scale,
                series: vec![series("a & b", 1.0), series("c", 9.0)],
            };
            let svg = draw("A <picture>", &plot).unwrap();
            assert!(svg.contains("aria-label=\"A &lt;picture>\""), "{svg}");
            assert!(
                svg.contains("a &amp; b")
                    && svg.contains(LINES[0].light)
                    && svg.contains(LINES[1].light)
            );
        }
        let nothing =
            Plot { x: "", y: "", scale: Scale::Logarithmic, series: vec![series("zero", 0.0)] };
        assert!(nothing.is_empty());
        for far in [1e308, 1e-320, f64::INFINITY, f64::NAN] {
            let series = vec![series("near", 1.0), Series::new("far", vec![(1.0, far)])];
            draw("", &Plot { x: "", y: "", scale: Scale::Logarithmic, series }).unwrap();
        }
    }
}

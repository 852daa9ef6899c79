//! Lines over an axis, drawn so that colour is never the only difference between them.

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// A line of a plot.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// The scale of the upward axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Numbers that are not positive cannot be shown; the table has them.
    Logarithmic,
}

/// Lines, and what the axes mean, with units.
#[derive(Clone, Debug)]
pub struct Plot {
    pub x: &'static str,
    pub y: &'static str,
    pub scale: Scale,
    pub series: Vec<Series>,
}

/// Six colours that differ for every kind of colour vision, after Okabe and Ito (2008, "Color
/// Universal Design"), darkened until each has a contrast of 4.5 to white. Pages give them
/// lighter twins on dark ground.
pub const COLOURS: [&str; 6] = ["#0072B2", "#B34700", "#00795A", "#9C3F77", "#7A5C00", "#4D4D4D"];

const WIDTH: u32 = 720;
const HEIGHT: u32 = 380;
/// Height of a line of the legend.
const LEGEND: u32 = 24;

fn colour(index: usize) -> RGBColor {
    let hex = COLOURS[index % COLOURS.len()];
    let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    RGBColor(part(1), part(3), part(5))
}

impl Plot {
    /// The points that can be shown.
    fn visible(&self) -> impl Iterator<Item = (usize, &Series, Vec<(f64, f64)>)> {
        let shown = |&(x, y): &(f64, f64)| {
            x.is_finite() && y.is_finite() && (self.scale == Scale::Linear || y > 0.0)
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

/// The plot as SVG.
pub fn draw(title: &str, plot: &Plot) -> Result<String, String> {
    let mut svg = String::new();
    drawn(&mut svg, plot).map_err(|error| error.to_string())?;
    // A name for those who do not see it; the data table says the rest.
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let head = format!("<svg role=\"img\" aria-label=\"{title}\" ");
    Ok(svg.replacen("<svg ", &head, 1))
}

fn drawn(svg: &mut String, plot: &Plot) -> Drawn {
    let legend = LEGEND * (plot.series.len() as u32).div_ceil(2) + 8;
    let root = SVGBackend::with_string(svg, (WIDTH, HEIGHT + legend)).into_drawing_area();
    let (upper, lower) = root.split_vertically(HEIGHT);
    let all: Vec<(f64, f64)> = plot.visible().flat_map(|(_, _, points)| points).collect();
    let low = |f: fn(&(f64, f64)) -> f64| all.iter().map(f).fold(f64::INFINITY, f64::min);
    let high = |f: fn(&(f64, f64)) -> f64| all.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = (low(|p| p.0), high(|p| p.0));
    let x = (left - 0.4)..(right + 0.4);
    let (bottom, top) = (low(|p| p.1), high(|p| p.1));
    let mut builder = ChartBuilder::on(&upper);
    builder.margin(12).margin_right(20).x_label_area_size(46).y_label_area_size(90);
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
    explain(&lower, plot)?;
    root.present()?;
    Ok(())
}

/// Axes, lines and markers.
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
        .x_labels((span as usize + 1).clamp(2, 22))
        .y_labels(7)
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
    for (i, _, points) in plot.visible() {
        let style = colour(i).stroke_width(2);
        if i % 2 == 0 {
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        } else {
            chart.draw_series(DashedLineSeries::new(points.iter().copied(), 7, 4, style))?;
        }
        chart.draw_series(points.into_iter().map(|at| EmptyElement::at(at) + marker(i, (0, 0))))?;
    }
    Ok(())
}

/// A marker by which a line is known without its colour.
fn marker<DB: DrawingBackend>(
    index: usize,
    (x, y): (i32, i32),
) -> DynElement<'static, DB, (i32, i32)> {
    let style = colour(index).filled();
    let line = colour(index).stroke_width(2);
    match index % 6 {
        0 => Circle::new((x, y), 4, style).into_dyn(),
        1 => TriangleMarker::new((x, y), 6, style).into_dyn(),
        2 => Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], style).into_dyn(),
        3 => Cross::new((x, y), 5, line).into_dyn(),
        4 => Polygon::new(vec![(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], style).into_dyn(),
        _ => Circle::new((x, y), 5, line).into_dyn(),
    }
}

/// The legend, below the axis.
fn explain<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, plot: &Plot) -> Drawn
where
    DB::ErrorType: 'static,
{
    for (i, series) in plot.series.iter().enumerate() {
        let x = 90 + (i as i32 % 2) * (WIDTH as i32 - 110) / 2;
        let y = (i as i32 / 2) * LEGEND as i32 + 12;
        let line = vec![(x, y), (x + 40, y)];
        let style = colour(i).stroke_width(2);
        if i % 2 == 0 {
            area.draw(&PathElement::new(line, style))?;
        } else {
            area.draw(&DashedPathElement::new(line, 7, 4, style))?;
        }
        area.draw(&marker(i, (x + 20, y)))?;
        area.draw(&Text::new(series.name.clone(), (x + 50, y - 7), ("sans-serif", 14)))?;
    }
    Ok(())
}

/// A number on an axis: `20k`, `1.5M`.
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
        let told = [0.0, 7.0, 2.5, 1_000.0, 1_500_000.0, 3e10, 0.001, 549_946.0].map(short);
        assert_eq!(told, ["0", "7", "2.5", "1k", "1.5M", "30G", "0.001", "550k"]);
    }

    #[test]
    fn every_line_is_drawn_and_named() {
        let series = |name: &str, k: f64| Series {
            name: name.to_owned(),
            points: (0..5).map(|x| (f64::from(x), k * f64::from(x))).collect(),
        };
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
                svg.contains("a &amp; b") && svg.contains(COLOURS[0]) && svg.contains(COLOURS[1])
            );
        }
        let nothing =
            Plot { x: "", y: "", scale: Scale::Logarithmic, series: vec![series("zero", 0.0)] };
        assert!(nothing.is_empty());
    }
}

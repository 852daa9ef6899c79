//! Elements of SVG pictures: boards, trees and bars.

use maud::{Markup, html};

use crate::html::plain;

/// The height of a text in pixels, and the part of it at its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Font {
    pub size: u32,
    /// `start`, `middle` or `end`.
    pub anchor: &'static str,
}

/// Colours of the stones of both players. Both stand out on white and on black, and differ in
/// lightness.
pub(crate) const STONES: [&str; 2] = ["#d1495b", "#e8b023"];

/// Returns a number with one decimal, or without it if it is zero.
pub(crate) fn decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Returns a whole picture. The name is for readers who do not see the picture; the view is left,
/// top, width and height.
pub(crate) fn picture(name: &str, view: [f64; 4], inside: &Markup) -> String {
    let [left, top, width, height] = view.map(decimal);
    let picture = html! {
        svg role="img" aria-label=(plain(name)) width=(width) height=(height)
            viewBox={ (left) " " (top) " " (width) " " (height) }
            xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" { (inside) }
    };
    picture.into_string() + "\n"
}

pub(crate) fn text([x, y]: [f64; 2], font: Font, fill: &str, text: &str) -> Markup {
    html! {
        text x=(decimal(x)) y=(decimal(y)) font-size=(font.size) text-anchor=(font.anchor)
            fill=(fill) { (plain(text)) }
    }
}

pub(crate) fn rectangle([x, y]: [f64; 2], [width, height]: [f64; 2], fill: &str) -> Markup {
    html! {
        rect x=(decimal(x)) y=(decimal(y)) width=(decimal(width)) height=(decimal(height))
            fill=(fill) {}
    }
}

pub(crate) fn stroke([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: &str, width: f64) -> Markup {
    html! {
        line x1=(decimal(x1)) y1=(decimal(y1)) x2=(decimal(x2)) y2=(decimal(y2)) stroke=(colour)
            stroke-width=(decimal(width)) {}
    }
}

pub(crate) fn disc([x, y]: [f64; 2], radius: f64, fill: &str, stroke: &str) -> Markup {
    html! {
        circle cx=(decimal(x)) cy=(decimal(y)) r=(decimal(radius)) fill=(fill) stroke=(stroke) {}
    }
}

/// Draws the cells of a board, row by row. `cell` receives the column, the row from the top, and
/// the middle of the cell.
pub(crate) fn cells(
    [columns, rows]: [u8; 2],
    side: f64,
    cell: impl Fn(u8, u8, [f64; 2]) -> Markup,
) -> Markup {
    let middle = |at: u8| (f64::from(at) + 0.5) * side;
    html! {
        @for row in 0..rows {
            @for column in 0..columns { (cell(column, row, [middle(column), middle(row)])) }
        }
    }
}

/// The numbers on a drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Below the columns.
    Columns,
    /// In the empty cells, row by row.
    Cells,
    None,
}

/// A note on a cell of a drawn board: a frame, or a text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The column, from the left.
    pub column: u8,
    /// The row, from the top.
    pub row: u8,
    /// The text; `None` for a frame.
    pub text: Option<String>,
}

/// Draws a board for light and dark grounds, with marks. The text of the picture has a line for
/// each row, divided by `/`, as long as the first one. Stones carry their letter.
pub fn board(picture_text: &str, numbers: Numbers, marks: &[Mark]) -> String {
    const SIDE: f64 = 36.0;
    const FONT: Font = Font { size: 12, anchor: "middle" };
    let rows: Vec<Vec<char>> = picture_text.split('/').map(|row| row.chars().collect()).collect();
    let [columns, lines] = [rows[0].len() as u8, rows.len() as u8];
    let [width, height] = [columns, lines].map(|cells| SIDE * f64::from(cells));
    let number = |at, number: u32| html! { g opacity="0.5" { (text(at, FONT, "currentColor", &number.to_string())) } };
    let cell = |column: u8, row: u8, [x, y]: [f64; 2]| {
        let label = [x, y + 4.0];
        let mark = rows[usize::from(row)].get(usize::from(column)).copied().unwrap_or('.');
        let marks_of_cell = || marks.iter().filter(|mark| (mark.column, mark.row) == (column, row));
        let is_framed = marks_of_cell().any(|mark| mark.text.is_none());
        let note = marks_of_cell().find_map(|mark| mark.text.as_deref());
        let colour = match mark {
            'X' => Some(STONES[0]),
            'O' => Some(STONES[1]),
            _ => None,
        };
        html! {
            g stroke="currentColor" stroke-opacity="0.35" { (rectangle([x - SIDE / 2.0, y - SIDE / 2.0], [SIDE; 2], "none")) }
            @if is_framed {
                g stroke="currentColor" stroke-width="3" { (rectangle([x - SIDE / 2.0 + 2.0, y - SIDE / 2.0 + 2.0], [SIDE - 4.0; 2], "none")) }
            }
            @match colour {
                Some(colour) => {
                    (disc([x, y], 14.0, colour, "none"))
                    (text(label, FONT, "#1b1b1b", note.unwrap_or(&mark.to_string())))
                }
                None if note.is_some() => (text(label, FONT, "currentColor", note.unwrap_or_default())),
                None if mark != '.' => (text(label, FONT, "currentColor", &mark.to_string())),
                None if numbers != Numbers::Cells => {}
                None => (number(label, u32::from(columns) * u32::from(row) + u32::from(column) + 1)),
            }
        }
    };
    let below = if numbers == Numbers::Columns { 20.0 } else { 0.0 };
    picture(
        picture_text,
        [-1.0, -1.0, width + 2.0, height + 2.0 + below],
        &html! {
            (cells([columns, lines], SIDE, cell))
            @if numbers == Numbers::Columns {
                @for column in 0..columns {
                    (number([SIDE * (f64::from(column) + 0.5), height + 15.0], u32::from(column) + 1))
                }
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_show_stones_and_numbers() {
        let cells = board("X.O/.../.X.", Numbers::Cells, &[]);
        assert_eq!(cells.matches("<circle").count(), 3, "{cells}");
        assert_eq!(cells.matches("<rect").count(), 9, "{cells}");
        assert!(cells.contains(">2</text>") && !cells.contains(">1</text>"), "{cells}");
        let columns = board("....", Numbers::Columns, &[]);
        assert!(columns.contains(">4</text>") && !columns.contains("<circle"), "{columns}");
        let frame = Mark { column: 3, row: 0, text: None };
        let text = Mark { column: 0, row: 0, text: Some("-7".into()) };
        let marked = board("....", Numbers::Cells, &[frame, text]);
        assert!(marked.contains(">-7</text>") && !marked.contains(">1</text>"), "{marked}");
        assert_eq!(marked.matches("<rect").count(), 5, "{marked}");
        let edges = board("+-+/.../+.+:1", Numbers::None, &[]);
        assert_eq!(edges.matches("<rect").count(), 9, "{edges}");
        assert_eq!(edges.matches("<text").count(), 5, "{edges}");
        let name = picture("<a> & \"b\"", [0.0; 4], &html! {});
        assert!(name.contains("aria-label=\"&lt;a&gt; &amp; &quot;b&quot;\""), "{name}");
    }

    #[test]
    fn numbers_have_one_decimal_or_none() {
        assert_eq!(
            [0.0, 12.0, 0.26, -3.96, 100.06].map(decimal),
            ["0", "12", "0.3", "-4", "100.1"]
        );
    }
}

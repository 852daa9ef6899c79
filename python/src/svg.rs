//! Boards as pictures for notebooks, in light and dark.

use std::fmt::Write;

use everyply::games::line::LineGame;

/// A cell's side.
const CELL: usize = 36;

/// A board of stones and lines, drawn from its text.
pub fn board(game: &impl LineGame, picture: &str) -> String {
    let size = game.size();
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let falls = game.rules().stones_fall();
    let (full_width, full_height) =
        (CELL * width + 2, CELL * height + 2 + if falls { 20 } else { 0 });
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{picture}\" \
         width=\"{full_width}\" height=\"{full_height}\" viewBox=\"-1 -1 {full_width} {full_height}\" \
         style=\"color:currentColor;font:12px sans-serif\">"
    );
    for (row, cells) in picture.split('/').enumerate() {
        for (column, cell) in cells.chars().enumerate() {
            let (x, y) = (CELL * column, CELL * row);
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"none\" \
                 stroke=\"currentColor\" stroke-opacity=\".35\"/>"
            );
            let (x, y) = (x + CELL / 2, y + CELL / 2);
            // Both colours stand out on white and on black, and differ in lightness.
            let colour = match cell {
                'X' => "#d1495b",
                'O' => "#e8b023",
                _ if falls => continue,
                _ => {
                    let number = width * row + column + 1;
                    let _ = write!(
                        svg,
                        "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\" \
                         fill-opacity=\".45\">{number}</text>",
                        y + 4
                    );
                    continue;
                }
            };
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{colour}\"/>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1b1b1b\">{cell}</text>",
                y + 4
            );
        }
    }
    if falls {
        for column in 0..width {
            let x = CELL * column + CELL / 2;
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\" \
                 fill-opacity=\".6\">{}</text>",
                CELL * height + 15,
                column + 1
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// A position that is text only.
pub fn text(picture: &str) -> String {
    format!("<pre>{}</pre>", escaped(picture).replace('/', "\n"))
}

/// Text as HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

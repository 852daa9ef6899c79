//! Flash cards of strategies: every move that a strategy chooses, as a question with its answer.

use std::fmt::Write;

use crate::connect_four::OpeningBook;
use crate::connect_four::strategy::{
    ActivePlan, AnswerRule, Cell, Follower, Reply, SpanningTree, Turn, column_letter,
};
use crate::game::{Game, Move, Notation, Outcome, Remoteness, Value};
use crate::games::line::notation::write_moves;
use crate::games::line::{LineGame, Stones};

/// The formats of flash cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardFormat {
    /// Text that Anki imports, with the board as a picture.
    Anki,
    /// A table with a header.
    Csv,
}

/// A position with the follower to move, and the strategy's move there.
struct Card {
    moves: Vec<Move>,
    position: Stones,
    reply: Reply,
    /// The plan after the move, in a sentence.
    plan: String,
}

/// Returns the cards of strategies in a format, and their number. Each position of a strategy is the
/// answer of one card, in the order of the fewest moves.
pub fn flash_cards<'f>(
    followers: impl IntoIterator<Item = &'f Follower>,
    format: CardFormat,
) -> (String, usize) {
    let (mut text, mut count) = match format {
        // Without a type Anki takes the last one used, which may be for texts with gaps.
        CardFormat::Anki => {
            ("#separator:tab\n#html:true\n#notetype:Basic\n#deck column:3\n".to_owned(), 0)
        }
        CardFormat::Csv => {
            ("strategy,moves,to_move,board,answer,reason,plan,otherwise\n".to_owned(), 0)
        }
    };
    for follower in followers {
        let (title, game) = (follower.strategy().title(), follower.game());
        let side = follower.strategy().claim.side.stone();
        for card in cards(follower) {
            let answer = card.reply.column.number();
            let (plan, reason) = (&card.plan, card.reply.reason);
            let otherwise = other_moves(follower, card.position, card.reply.column);
            // Neither field has a tab, and only those in quotes have a comma.
            let written = match format {
                CardFormat::Anki => {
                    let moves: Vec<_> = card.moves.iter().map(|m| m.number().to_string()).collect();
                    let picture = picture(follower, card.position);
                    let played = match &moves[..] {
                        [] => "the empty board".to_owned(),
                        moves => format!("after {}", moves.join(" ")),
                    };
                    writeln!(
                        text,
                        "{picture}<br>{side} to move, {played}\t<b>{answer}</b> {reason}.<br>{plan}\
                         {}{otherwise}\teveryply: {title}",
                        if otherwise.is_empty() { "" } else { "<br>" },
                    )
                }
                CardFormat::Csv => writeln!(
                    text,
                    "\"{title}\",{},{side},{},{answer},\"{reason}\",\"{plan}\",\"{otherwise}\"",
                    write_moves(game, &card.moves),
                    game.picture(card.position),
                ),
            };
            written.expect("a text takes all");
            count += 1;
        }
    }
    (text, count)
}

fn cards(follower: &Follower) -> Vec<Card> {
    let mut cards = Vec::new();
    let mut add = |before: &[Move], active| {
        let standing = follower.position_after(before);
        if let Turn::Follower(Some(reply)) = standing.turn {
            let (moves, plan) = (before.to_vec(), plan(follower, active));
            cards.push(Card { moves, position: standing.position, reply, plan });
        }
    };
    let tree = SpanningTree::of(follower);
    let mut lines = vec![Vec::new(); tree.nodes.len()];
    if let Some((active, moves)) = follower.root() {
        add(&moves[..moves.len().min(follower.start().len())], active);
        lines[0] = moves;
    }
    for (at, node) in tree.nodes.iter().enumerate() {
        for child in node.children.clone() {
            let Some([exit, reply]) = tree.nodes[child].moves else { continue };
            let mut line = lines[at].clone();
            line.push(exit);
            add(&line, tree.nodes[child].active);
            line.push(reply);
            lines[child] = line;
        }
    }
    cards
}

/// The plan of a position in a sentence.
fn plan(follower: &Follower, active: ActivePlan) -> String {
    let (game, position) = (follower.game(), follower.position(active));
    let (width, height) = (u32::from(game.size().width), u32::from(game.size().height));
    let side = follower.strategy().claim.side;
    let is_exit = |column: &u32| follower.is_exit(active, *column);
    let mut elsewhere = vec![Vec::new(); width as usize];
    for column in (0..width).filter(|column| !is_exit(column)) {
        for row in 0..height {
            let cell = Cell { column, row };
            if position.occupied() & game.cell(column, height - 1 - row) != 0 {
                continue;
            }
            if let AnswerRule::InColumn(to) = follower.planned_answer(active, cell) {
                elsewhere[usize::from(to.0)].push(cell.to_string());
            }
        }
    }
    let exits: Vec<String> =
        (0..width).filter(is_exit).map(|column| (column + 1).to_string()).collect();
    if exits.len() == game.moves(position).into_iter().count() {
        return "Then the next move depends on every reply.".to_owned();
    }
    let mut said = format!("Then {} answers on top of {}", side.stone(), side.opponent().stone());
    for (column, cells) in (1..).zip(elsewhere).filter(|(_, cells)| !cells.is_empty()) {
        let _ = write!(said, "; {} in column {column}", cells.join(", "));
    }
    if !exits.is_empty() {
        let _ = write!(said, "; after {} the next move depends on it", exits.join(", "));
    }
    said + "."
}

/// Returns the outcomes of the moves that are not the answer in a sentence; nothing if the opening book
/// has not all of them.
pub fn other_moves(follower: &Follower, position: Stones, answer: Move) -> String {
    let game = follower.game();
    let Some(book) = OpeningBook::builtin(game.size()) else { return String::new() };
    let mut by_outcome = [
        (Outcome::Win, "win", "wins"),
        (Outcome::Draw, "draw", "draws"),
        (Outcome::Loss, "lose", "loses"),
    ]
    .map(|words| (words, Vec::new()));
    for m in game.moves(position) {
        let child = game.play(position, m);
        let over = game.result(child).map(|outcome| Value::new(outcome, Remoteness(0)));
        let Some(value) = over.or_else(|| book.value(child)) else { return String::new() };
        let outcome = value.for_parent().outcome;
        let alike = by_outcome.iter_mut().find(|((of, ..), _)| *of == outcome);
        if m != answer {
            alike.expect("all outcomes are there").1.push(m.number().to_string());
        }
    }
    let said =
        by_outcome.iter().filter(|(_, moves)| !moves.is_empty()).map(|((_, many, one), moves)| {
            format!("{} {}", moves.join(", "), if moves.len() == 1 { one } else { many })
        });
    let said = said.collect::<Vec<_>>().join("; ");
    if said.is_empty() { said } else { format!("Otherwise: {said}.") }
}

/// The board as SVG in one line: a path for the holes and one for each side. Columns have the numbers of
/// moves above them, and cells their names as plans write them: letters below, and rows on the left.
fn picture(follower: &Follower, position: Stones) -> String {
    let game = follower.game();
    let (width, height) = (u32::from(game.size().width), u32::from(game.size().height));
    let (first, second) = position.by_player();
    let path_of = |mask: u64, shape: &str| {
        let mut path = String::new();
        for row in 0..height {
            for column in 0..width {
                if mask & game.cell(column, row) != 0 {
                    let _ = write!(path, "M{column}.5 {row}.5{shape}");
                }
            }
        }
        path
    };
    let holes = path_of(!position.occupied(), "h0");
    let crosses = path_of(first, "m-.2-.2l.4.4m0-.4l-.4.4");
    let [first, second] = [first, second].map(|stones| path_of(stones, "h0"));
    let mut labels = String::new();
    let mut label = |x: &str, y: &str, text: &str| {
        let _ = write!(labels, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
    };
    for column in 0..width {
        let x = format!("{column}.5");
        label(&x, "-.1", &(column + 1).to_string());
        label(&x, &format!("{height}.4"), &column_letter(column).to_string());
    }
    for row in 0..height {
        label("-.25", &format!("{row}.65"), &(height - row).to_string());
    }
    format!(
        "<svg viewBox=\"-.5 -.5 {width}.5 {}\" width=\"{}\" fill=\"none\" stroke-linecap=\"round\" \
         stroke-width=\".8\"><path fill=\"#2459ad\" d=\"M0 0h{width}v{height}H0z\"/>\
         <path stroke=\"#f6f4ef\" d=\"{holes}\"/><path stroke=\"#c8293c\" d=\"{first}\"/>\
         <path stroke=\"#fff\" stroke-width=\".1\" d=\"{crosses}\"/>\
         <path stroke=\"#f4bc2f\" d=\"{second}\"/>\
         <g fill=\"currentColor\" font-size=\".4\" text-anchor=\"middle\">{labels}</g></svg>",
        height + 1,
        40 * width + 20,
    )
}

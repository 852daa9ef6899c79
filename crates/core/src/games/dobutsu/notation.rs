//! Notation, drawing and parameters of dōbutsu shōgi.

use super::{Act, Animals, CELLS, CHICK, Dobutsu, KINDS, LETTERS, WIDTH};
use crate::game::{Drawn, Look, Notation, Pieces};
use crate::games::masks;

impl Notation for Dobutsu {
    const POSITION_HELP: &'static str = "the moves played, separated by commas: b2b3 steps, C*b2 drops a chick, E an elephant, G a \
         giraffe";

    fn parameters(&self) -> [u8; 3] {
        [1, 1, 1]
    }

    fn title(&self) -> String {
        "Dōbutsu shōgi".to_owned()
    }

    /// `b2b3` steps, `C*b2` drops a chick; columns by letter, rows from the first player's side.
    fn write_move(&self, m: Act) -> String {
        let name = |cell: u8| masks::cell_name(cell.into(), WIDTH.into());
        match m.from.checked_sub(CELLS) {
            Some(held) => format!("{}*{}", &LETTERS[1 + usize::from(held)..][..1], name(m.to)),
            None => name(m.from) + &name(m.to),
        }
    }

    /// Lion, giraffe, elephant, chick and hen by their letters, the first player's as capitals; then
    /// who moves, and what both sides have in hand.
    fn picture(&self, p: Animals) -> String {
        let letter = |kind: u8| char::from(LETTERS.as_bytes()[usize::from(kind - 1)]);
        let rows = u32::from(CELLS / WIDTH);
        let board = masks::picture(WIDTH.into(), rows, |x, y| {
            let cell = ((rows - 1 - y) * u32::from(WIDTH) + x) as u8;
            match (p.kind(cell, 0), p.kind(cell, 1)) {
                (Some(kind), _) => letter(kind),
                (_, Some(kind)) => letter(kind).to_ascii_lowercase(),
                _ => '.',
            }
        });
        let hand = |side| {
            let held = |kind| vec![letter(kind); p.held(side, kind - 2).into()];
            (2..=CHICK).flat_map(held).collect::<String>()
        };
        let turn = ['X', 'O'][usize::from(p.turn)];
        format!("{board}:{turn}+{}+{}", hand(0), hand(1).to_lowercase())
    }

    fn of_picture(&self, text: &str) -> Option<Animals> {
        let (board, turn, rest) = masks::board_and_turn(text)?;
        let rows: Vec<&str> = board.split('/').collect();
        let size = usize::from(WIDTH);
        if rows.len() != usize::from(CELLS) / size || rows.iter().any(|row| row.len() != size) {
            return None;
        }
        let mut p = Animals { cells: 0, hands: 0, turn: turn as u8 };
        let kind_of =
            |letter: char| LETTERS.find(letter.to_ascii_uppercase()).map(|kind| kind as u8 + 1);
        for (y, row) in (0..).zip(rows.iter().rev()) {
            for (x, letter) in (0..).zip(row.chars()).filter(|(_, letter)| *letter != '.') {
                let side = u8::from(letter.is_ascii_lowercase());
                p.put(y * WIDTH + x, kind_of(letter)? + side * KINDS);
            }
        }
        let (first, second) = rest.strip_prefix('+')?.split_once('+')?;
        for (side, held) in (0..).zip([first, second]) {
            for letter in held.chars() {
                let kind = kind_of(letter).filter(|kind| (2..=CHICK).contains(kind))?;
                p.hands = p.hands.checked_add(1 << Animals::pocket(side, kind - 2))?;
            }
        }
        Some(p)
    }

    fn to_move(&self, p: Animals) -> Option<char> {
        Some(['X', 'O'][usize::from(p.turn)])
    }
}

impl Drawn for Dobutsu {
    fn squares(&self, _: Animals, m: Act) -> Vec<(u8, u8)> {
        let square = |cell: u8| (cell % WIDTH, CELLS / WIDTH - 1 - cell / WIDTH);
        [m.from, m.to].into_iter().filter(|cell| *cell < CELLS).map(square).collect()
    }

    fn look(&self) -> Look {
        Look { pieces: Pieces::Tiles, ..Look::default() }
    }

    fn beside(&self, p: Animals) -> Option<String> {
        let picture = self.picture(p).to_uppercase();
        let mut hands = picture.split('+').skip(1);
        let (first, second) = (hands.next()?, hands.next()?);
        let [first, second] =
            [first, second].map(|held| if held.is_empty() { "none" } else { held });
        Some(format!("In hand: X {first}, O {second}."))
    }
}

registered!(
    impl Dobutsu: Self = "dobutsu",
    "Dōbutsu shōgi: lions, giraffes, elephants and chicks on 3x4 cells",
    &[],
    |_| Ok(Self::default())
);

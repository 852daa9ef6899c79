//! Notation, drawing and parameters of Gobblet Gobblers.

use super::{CELLS, Gobble, Gobblet, SIZES, Stacks, WIDTH};
use crate::game::{Drawn, Look, Notation, Parameter, Pieces, Unreadable};
use crate::games::masks;

/// The first player's pieces by size, from the smallest; the second player's are small letters.
const LETTERS: &str = "SML";

fn cell(cell: u8) -> String {
    masks::cell_name((WIDTH * (WIDTH - 1 - cell / WIDTH) + cell % WIDTH).into(), WIDTH.into())
}

impl Notation for Gobblet {
    const POSITION_HELP: &'static str = "the moves played, separated by commas: L*b2 puts a large piece on b2, M a medium one, S a \
         small one, and b2c3 moves the uppermost piece";

    fn parameters(&self) -> [u8; 3] {
        [SIZES as u8 - self.smallest, 1, 1]
    }

    fn title(&self) -> String {
        match self.smallest {
            0 => "Gobblet Gobblers".to_owned(),
            smallest => format!("Gobblet Gobblers, sizes {}", &LETTERS[smallest.into()..]),
        }
    }

    /// `a1b2` moves the uppermost piece, `L*b2` puts a large one: columns by letter, rows from below.
    fn write_move(&self, m: Gobble) -> String {
        match m.from.checked_sub(CELLS) {
            Some(size) => format!("{}*{}", &LETTERS[size.into()..][..1], cell(m.to)),
            None => cell(m.from) + &cell(m.to),
        }
    }

    /// Returns the board as the players see it, then the board without its largest pieces, size by
    /// size; then who moves.
    fn picture(&self, p: Stacks) -> String {
        let mark = |x: u32, y: u32, most: usize| {
            let at = y * u32::from(WIDTH) + x;
            let size =
                (0..=most).rev().find(|&size| p.sides.iter().any(|s| s[size] >> at & 1 == 1));
            let Some(size) = size else { return '.' };
            let letter = char::from(LETTERS.as_bytes()[size]);
            if p.sides[0][size] >> at & 1 == 1 { letter } else { letter.to_ascii_lowercase() }
        };
        let sizes = SIZES as u32 - u32::from(self.smallest);
        let width = u32::from(WIDTH) + 1;
        let board = masks::picture(sizes * width - 1, WIDTH.into(), |x, y| {
            let below = (x / width) as usize;
            if x % width == width - 1 { ' ' } else { mark(x % width, y, SIZES - 1 - below) }
        });
        format!("{board}:{}", ['X', 'O'][usize::from(p.turn)])
    }

    fn of_picture(&self, text: &str) -> Option<Stacks> {
        let (board, turn, rest) = masks::board_and_turn(text)?;
        let mut p = Stacks { sides: [[0; SIZES]; 2], turn: turn as u8 };
        // Every piece is seen on the board without the larger ones.
        for (y, row) in (0..u32::from(WIDTH)).zip(board.split('/')) {
            for (x, letter) in (0..).zip(row.chars()).filter(|(_, c)| *c != '.' && *c != ' ') {
                let at = y * u32::from(WIDTH) + x % (u32::from(WIDTH) + 1);
                let size = LETTERS.find(letter.to_ascii_uppercase())?;
                p.sides[usize::from(letter.is_ascii_lowercase())][size] |= 1 << at;
            }
        }
        rest.is_empty().then_some(p)
    }

    fn to_move(&self, p: Stacks) -> Option<char> {
        Some(['X', 'O'][usize::from(p.turn)])
    }
}

impl Drawn for Gobblet {
    fn squares(&self, _: Stacks, m: Gobble) -> Vec<(u8, u8)> {
        let square = |cell: u8| (cell % WIDTH, cell / WIDTH);
        [m.from, m.to].into_iter().filter(|cell| *cell < CELLS).map(square).collect()
    }

    fn look(&self) -> Look {
        Look { pieces: Pieces::Sizes(LETTERS), ..Look::default() }
    }

    /// Returns the board as the players see it.
    fn drawn(&self, p: Stacks) -> String {
        let seen = |row: &str| row.chars().take(WIDTH.into()).collect::<String>();
        self.picture(p).split('/').map(seen).collect::<Vec<_>>().join("/")
    }

    /// Returns the covered pieces.
    fn beside(&self, p: Stacks) -> Option<String> {
        let mut covered = Vec::new();
        for at in 0..CELLS {
            let on = |size: usize| (0..2).find(|&side| p.sides[side][size] >> at & 1 == 1);
            let stack: Vec<_> = (0..SIZES).filter_map(|size| Some((size, on(size)?))).collect();
            for (size, side) in &stack[..stack.len().saturating_sub(1)] {
                let (of, letter) = (['X', 'O'][*side], &LETTERS[*size..][..1]);
                covered.push(format!("{letter} of {of} on {}", cell(at)));
            }
        }
        (!covered.is_empty()).then(|| format!("Covered: {}.", covered.join(", ")))
    }
}

registered!(
    impl Gobblet: Self = "gobblet",
    "Gobblet Gobblers: three in a row win, and large pieces cover small ones",
    &[Parameter::number("sizes", "Sizes of pieces, two pieces of each", 3, 1..=SIZES as u8)],
    |[sizes, ..]: [u8; 3]| match sizes {
        1..=3 => Ok(Self::new(sizes)),
        _ => Err(Unreadable(format!("{sizes} sizes: there are one to three"))),
    }
);

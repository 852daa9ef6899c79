//! Checks that a side never loses Connect Four on few columns, whatever the height: docs/theorem.md.
//!
//!     rustc --edition 2024 -O tools/check_theorem.rs -o /tmp/check_theorem && /tmp/check_theorem
//!     /tmp/check_theorem 4 6 7    the claims for four, six and seven columns: seconds
//! `check_theorem.py` does the same search and is easier to read; here stones are bits, and the search leaves out
//! settled positions and dead stones, which the page proves to be needless. It shares no code with the crate.

use std::process::ExitCode;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    First,
    Second,
}
use Side::{First, Second};

/// Columns, the defender, whether heights are odd (1) or even (0), and the row from which the defender follows.
type Claim = (usize, Side, usize, usize);

const CLAIMS: [Claim; 11] = [
    (4, First, 1, 1),
    (4, First, 0, 3),
    (4, Second, 1, 2),
    (4, Second, 0, 2),
    (5, First, 1, 3),
    (5, First, 0, 7),
    (5, Second, 1, 6),
    (5, Second, 0, 2),
    (6, First, 1, 1),
    (6, Second, 0, 2),
    (7, First, 1, 3),
];

/// The other side wins 6x7, 6x6 and 7x6: a search that called these true would prove nothing.
const FALSE: [Claim; 3] = [(6, Second, 1, 1), (6, First, 0, 1), (7, Second, 0, 2)];

/// States of a column: OPEN while cells in sight are empty or have just been filled; later, when the attacker is to
/// move, EVEN or ODD as the number of cells left; FULL if none is.
const OPEN: u32 = 0;
const EVEN: u32 = 1;
const ODD: u32 = 2;
const FULL: u32 = 3;

/// Entries of the table, 16 bytes each.
const ENTRIES: usize = 1 << 26;

/// A bit for every cell in sight, a column after the other from the bottom, with an unused bit on top of each column;
/// and two bits for the state of each column.
#[derive(Clone, Copy)]
struct Position {
    attacker: u64,
    defender: u64,
    states: u32,
}

impl Position {
    const EMPTY: Position = Position { attacker: 0, defender: 0, states: 0 };

    fn state(self, column: usize) -> u32 {
        (self.states >> (2 * column)) & 3
    }

    fn with_state(self, column: usize, state: u32) -> Position {
        Position { states: self.states & !(3 << (2 * column)) | state << (2 * column), ..self }
    }
}

struct Search {
    columns: usize,
    follow: usize,
    odd: usize,
    /// The height of a single board, all of it in sight; none for all heights of a parity from `follow` + 5 on.
    height: Option<usize>,
    sight: usize,
    stride: usize,
    board: u64,
    bottom: u64,
    /// The cells up to row `follow`: every line that matters has one.
    low: u64,
    middle_first: Vec<usize>,
    /// A position and whether the attacker wins, the lowest bit; 0 is free. Four entries in a row for each hash.
    table: Vec<u128>,
    positions: u64,
}

impl Search {
    fn new(columns: usize, follow: usize, odd: usize, height: Option<usize>) -> Search {
        let sight = height.unwrap_or(follow + 3);
        let stride = sight + 1;
        assert!(columns * stride <= 56, "a position and its result need 128 bits");
        let bottom: u64 = (0..columns).map(|column| 1 << (column * stride)).sum();
        let mut middle_first: Vec<usize> = (0..columns).collect();
        middle_first.sort_by_key(|&column| (2 * column + 1).abs_diff(columns));
        Search {
            columns,
            follow,
            odd,
            height,
            sight,
            stride,
            board: bottom * ((1 << sight) - 1),
            bottom,
            low: bottom * ((1 << follow.min(sight)) - 1),
            middle_first,
            table: vec![0; ENTRIES],
            positions: 0,
        }
    }

    fn cells(&self, column: usize) -> u64 {
        ((1 << self.sight) - 1) << (column * self.stride)
    }

    /// The lowest empty cell of each column that has one in sight.
    fn next(&self, at: Position) -> u64 {
        ((at.attacker | at.defender) + self.bottom) & self.board
    }

    /// The distances between neighbouring cells of a line: diagonal, in a row, diagonal, in a column.
    fn directions(&self) -> [usize; 4] {
        [self.stride - 1, self.stride, self.stride + 1, 1]
    }

    /// Does one more stone, on a cell of `next`, complete a line?
    fn completes(&self, stones: u64, next: u64) -> bool {
        self.directions().into_iter().any(|by| {
            let before = (stones << by) & (stones << (2 * by));
            let behind = (stones >> by) & (stones >> (2 * by));
            let either = before & (stones << (3 * by) | stones >> by)
                | behind & (stones << by | stones >> (3 * by));
            either & next != 0
        })
    }

    /// The first cells of all lines within `cells` in a direction.
    fn lines(cells: u64, by: usize) -> u64 {
        cells & (cells >> by) & (cells >> (2 * by)) & (cells >> (3 * by))
    }

    /// The cells of all lines within `cells`.
    fn in_lines(&self, cells: u64) -> u64 {
        self.directions().into_iter().fold(0, |found, by| {
            let first = Self::lines(cells, by);
            found | first | first << by | first << (2 * by) | first << (3 * by)
        })
    }

    /// Is there no line left for the attacker, who cannot complete one at once, if the defender answers every stone
    /// right above from here on? The line would be in the lowest row or have a cell right above an attacker's stone.
    fn settled(&self, at: Position) -> bool {
        let (free, free_below) = (self.board & !at.defender, self.board & !at.attacker);
        self.directions()[..3].iter().all(|&by| {
            let with = |cells: u64| cells | cells >> by | cells >> (2 * by) | cells >> (3 * by);
            Self::lines(free, by) & !(Self::lines(free_below, by) << 1) & with(self.low) == 0
        })
    }

    /// The position or its mirror image, without dead stones: those on no line that is open to either side.
    fn key(&self, at: Position) -> u128 {
        let live =
            self.in_lines(self.board & !at.defender) | self.in_lines(self.board & !at.attacker);
        let stones = at.attacker | at.defender;
        let bits = self.columns * self.stride;
        let pack = |attacker: u64, stones: u64, dead: u64, states: u32| {
            let heights_too = u128::from(attacker + stones + self.bottom);
            (u128::from(states) << (2 * bits - 1) | u128::from(dead) << bits | heights_too) << 1
        };
        let mirror = |cells: u64, width: usize| {
            let column = |index: usize| cells >> (index * width) & ((1 << width) - 1);
            (0..self.columns).fold(0, |mirrored, index| mirrored << width | column(index))
        };
        let (attacker, dead, wide) = (at.attacker & live, stones & !live, self.stride);
        let image = pack(
            mirror(attacker, wide),
            mirror(stones, wide),
            mirror(dead, wide),
            mirror(at.states.into(), 2) as u32,
        );
        pack(attacker, stones, dead, at.states).min(image)
    }

    /// The first of the four entries for a key.
    fn slot(&self, key: u128) -> usize {
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 24) as usize % (self.table.len() / 4) * 4
    }

    /// Does the attacker, to move, complete a line that reaches down to row `follow` or further?
    fn attacker_wins(&mut self, at: Position) -> bool {
        let next = self.next(at);
        if self.completes(at.attacker, next) {
            return true;
        }
        if self.settled(at) {
            return false;
        }
        let key = self.key(at);
        let slot = self.slot(key);
        if let Some(entry) = self.table[slot..slot + 4].iter().find(|&entry| entry & !1 == key) {
            return entry & 1 == 1;
        }
        self.positions += 1;
        let wins = (0..self.columns).any(|index| self.attack_wins(at, self.middle_first[index]));
        let free = self.table[slot..slot + 4].iter().position(|&entry| entry == 0);
        self.table[slot + free.unwrap_or(self.positions as usize % 4)] = key | u128::from(wins);
        wins
    }

    fn attack_wins(&mut self, at: Position, column: usize) -> bool {
        match at.state(column) {
            FULL => return false,
            // He fills the column: the defender follows, to the last stone or to the last but one.
            EVEN => return self.attacker_wins(at.with_state(column, FULL)),
            ODD => return self.answer_loses(at.with_state(column, FULL), column),
            _ => {}
        }
        let row = ((at.attacker | at.defender) & self.cells(column)).count_ones() as usize + 1;
        let attacked = self.after(at, column, true);
        if attacked.state(column) == FULL || row < self.follow {
            return self.answer_loses(attacked, column);
        }
        let defender_wins = self.completes(attacked.defender, self.next(attacked));
        !defender_wins && self.attacker_wins(self.after(attacked, column, false))
    }

    /// Does the attacker win whichever column the defender takes? The one of the last stone is tried first.
    fn answer_loses(&mut self, at: Position, last: usize) -> bool {
        if self.completes(at.defender, self.next(at)) {
            return false;
        }
        let mut columns = vec![last];
        columns.extend(self.middle_first.iter().filter(|&&column| column != last));
        columns.retain(|&column| at.state(column) != FULL);
        !columns.is_empty()
            && columns.into_iter().all(|column| self.attacker_wins(self.after(at, column, false)))
    }

    fn after(&self, at: Position, column: usize, by_attacker: bool) -> Position {
        let cells = self.cells(column);
        let cell = self.next(at) & cells;
        if cell == 0 {
            let empty = match at.state(column) {
                OPEN => self.odd + self.sight,
                state => usize::from(state == ODD),
            };
            return at.with_state(column, if empty % 2 == 0 { ODD } else { EVEN });
        }
        let to = match by_attacker {
            true => Position { attacker: at.attacker | cell, ..at },
            false => Position { defender: at.defender | cell, ..at },
        };
        let is_full = self.height.is_some() && (to.attacker | to.defender) & cells == cells;
        if is_full { to.with_state(column, FULL) } else { to }
    }

    fn holds(&mut self, defender: Side) -> bool {
        match defender {
            First => !self.answer_loses(Position::EMPTY, self.columns / 2),
            Second => !self.attacker_wins(Position::EMPTY),
        }
    }
}

/// Prints a claim with its proof, and returns whether it holds.
fn check((columns, defender, odd, follow): Claim) -> bool {
    let started = Instant::now();
    let many = follow + 5 + (follow + 5 + odd) % 2;
    let alone: Vec<usize> = (1..many).filter(|height| height % 2 == odd).collect();
    let holds_alone =
        |&height: &usize| Search::new(columns, follow, odd, Some(height)).holds(defender);
    let (held, failed): (Vec<usize>, Vec<usize>) =
        alone.iter().partition(|height| holds_alone(height));
    let mut search = Search::new(columns, follow, odd, None);
    let all_hold = search.holds(defender);
    println!(
        "{columns} columns, {} heights: the {} player {}; follows from row {follow}; heights {held:?} alone, {many} \
         and more together: {} positions; {:.1} s",
        ["even", "odd"][odd],
        if defender == First { "first" } else { "second" },
        if all_hold && failed.is_empty() { "never loses" } else { "IS NOT SHOWN TO HOLD" },
        search.positions,
        started.elapsed().as_secs_f64(),
    );
    all_hold && failed.is_empty()
}

fn run(chosen: &[Claim]) -> bool {
    let called_true =
        FALSE.into_iter().find(|claim| Search::new(claim.0, claim.3, claim.2, None).holds(claim.1));
    if let Some((columns, _, _, follow)) = called_true {
        println!("a false claim was called true: {columns} columns, follows from row {follow}");
    }
    chosen.iter().fold(called_true.is_none(), |fine, &claim| check(claim) && fine)
}

fn main() -> ExitCode {
    let columns: Vec<String> = std::env::args().skip(1).collect();
    let is_chosen = |claim: &Claim| columns.is_empty() || columns.contains(&claim.0.to_string());
    let chosen: Vec<Claim> = CLAIMS.into_iter().filter(is_chosen).collect();
    if columns.iter().any(|number| !CLAIMS.iter().any(|claim| *number == claim.0.to_string())) {
        eprintln!(
            "usage: check_theorem [COLUMNS]...\n\nThere are claims for 4, 5, 6 and 7 columns."
        );
        return ExitCode::from(2);
    }
    if Vec::<u128>::new().try_reserve_exact(ENTRIES).is_err() {
        eprintln!("check_theorem needs {} MiB of memory for its table", ENTRIES >> 16);
        return ExitCode::FAILURE;
    }
    // Two calls for each stone: more than a thread's usual stack holds.
    let search = std::thread::Builder::new()
        .stack_size(1 << 28)
        .spawn(move || run(&chosen))
        .expect("a thread");
    if search.join().is_ok_and(|fine| fine) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

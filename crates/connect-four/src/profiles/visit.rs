//! A visit of every position of a board with its value, for tests of other engines.

use rayon::prelude::*;

use super::board::Board;
use super::code::Codes;
use super::counts::{Extent, run};
use super::lane::Lane;
use super::making::{Fetched, Maker};
use super::piece::Geometry;
use super::scheduler::Consumer;
use super::storage::Memory;
use super::unit::{Content, PassError, Unit};
use everyply_core::control::Control;
use everyply_core::game::Value;
use everyply_core::games::line::Stones;

struct Visit<F>(F);

/// Calls `visit`, on all threads and in no order, with every non-terminal position of a board (full
/// boards without a line included) and its value. Of two mirror images at least one is visited.
pub fn visit(board: &Board, visit: impl Fn(Stones, Value) + Sync) {
    let (memory, control) = (Memory::new(), Control::default());
    run(board, Extent::WholeWithValues, &memory, &control, Some(&Visit(visit))).unwrap();
}

impl<F: Fn(Stones, Value) + Sync> Consumer for Visit<F> {
    fn content(&self) -> Content {
        Content::Verified
    }

    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError> {
        let board = maker.plan.board;
        let codes = Codes::new(board.size());
        let [non_terminal, values] = [Content::NonTerminal, Content::Values]
            .map(|content| maker.arrays(content, unit.ply.index()));
        let tier = values.tier;
        let fetch =
            |arrays| Fetched::new(maker.storage, arrays, vec![tier.unit(unit.number as usize)]);
        let (non_terminal, values) = (fetch(&non_terminal)?, fetch(&values)?);
        for (number, piece) in maker.plan.pieces(unit) {
            let Geometry { n, block, .. } = Geometry::new(board, piece.profile);
            let lanes = tier.piece(number);
            let groups = values.lanes(&lanes).par_chunks_exact(codes.planes());
            let groups = non_terminal.lanes(&lanes).par_iter().zip(groups).enumerate();
            groups.for_each(|(lane, (non_terminal, planes))| {
                for bit in (0..512).filter(|&bit| bit_at(non_terminal, bit) == 1) {
                    let code = planes.iter().rev().fold(0, |code, p| code << 1 | bit_at(p, bit));
                    let ones = Board::first_players(n);
                    let place = (lane, bit);
                    let bits = board.sizes.colouring(block, n, ones, place);
                    self.0(board.position(piece.profile, bits), codes.value(unit.ply, code));
                }
            });
        }
        Ok(maker.storage.keep_bytes(unit, Vec::new(), &[])?)
    }
}

const fn bit_at(lane: &Lane, bit: u32) -> u8 {
    (lane.0[bit as usize / 64] >> (bit % 64) & 1) as u8
}

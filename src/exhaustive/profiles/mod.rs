//! Whole Connect Four boards, bit by bit.

mod backward;
mod board;
mod code;
mod descent;
mod forward;
mod lane;
mod patterns;
mod ranks;
mod tier;
mod count;
pub use board::{Board, Profile};
pub use code::Codes;
pub use count::count;
pub use lane::{Lane, Processor};

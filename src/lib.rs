#![doc = include_str!("../README.md")]

pub mod control;
pub mod exhaustive;
pub mod game;
pub mod statistics;

#![doc = include_str!("../README.md")]

pub mod control;
pub mod database;
pub mod export;
pub mod game;
pub mod statistics;

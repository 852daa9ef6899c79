#![doc = include_str!("../README.md")]

pub mod cli;
pub mod control;
pub mod database;
pub mod exhaustive;
pub mod export;
pub mod game;
pub mod games;
mod html;
pub mod interchange;
pub mod opponent;
mod processor;
pub mod registry;
pub mod report;
pub mod search;
pub mod sources;
pub mod statistics;
pub mod web;

//! Visit everything: exact counts and strong solutions, by engines that leave nothing out.

pub mod profiles;

mod chunks;
mod folder;

use super::{check_name, is_name};

#[test]
fn names_are_plain() {
    for name in ["a", "values-07.tier", "0", "a..b", &"x".repeat(200)] {
        assert!(is_name(name), "{name}");
    }
    for name in ["", ".", "..", ".a", "A", "a/b", "a b", "ä", "a\0", "a_b", &"x".repeat(201)] {
        assert!(check_name(name).is_err(), "{name}");
    }
}

#[cfg(feature = "bucket")]
mod bucket;
mod chunks;
mod folder;
mod places;

use std::io::ErrorKind;

use super::Store;

/// Checks the operations of an empty store.
fn objects_are_put_read_listed_and_removed_in(store: &dyn Store) {
    assert_eq!(store.read("a.tier", 0..10).unwrap(), None);
    assert_eq!(store.len("a.tier").unwrap(), None);
    store.remove("a.tier").unwrap();
    store.put("a.tier", b"0123456789").unwrap();
    store.put("b.tier", b"").unwrap();
    store.put("a-1", b"x").unwrap();
    assert_eq!(store.len("a.tier").unwrap(), Some(10));
    for (range, expected) in [
        (0..10, "0123456789"),
        (3..5, "34"),
        (8..u64::MAX, "89"),
        (8..100, "89"),
        (0..u64::MAX, "0123456789"),
        (10..20, ""),
        (99..100, ""),
        (3..3, ""),
        (99..u64::MAX, ""),
    ] {
        let found = store.read("a.tier", range.clone()).unwrap().unwrap();
        assert_eq!(found, expected.as_bytes(), "{range:?}");
    }
    for range in [0..u64::MAX, 0..64] {
        assert_eq!(store.read("b.tier", range).unwrap().unwrap(), b"");
    }
    assert_eq!(store.list("").unwrap(), ["a-1", "a.tier", "b.tier"]);
    assert_eq!(store.list("a").unwrap(), ["a-1", "a.tier"]);
    assert_eq!(store.list("c").unwrap(), [""; 0]);
    store.put("a.tier", b"new").unwrap();
    assert_eq!(store.read("a.tier", 0..10).unwrap().unwrap(), b"new");
    assert!(!store.put_new("a.tier", b"later").unwrap());
    assert_eq!(store.read("a.tier", 0..10).unwrap().unwrap(), b"new");
    store.remove("a.tier").unwrap();
    assert_eq!(store.list("").unwrap(), ["a-1", "b.tier"]);
    assert!(store.put_new("a.tier", b"again").unwrap());
    assert_eq!(store.read("a.tier", 0..10).unwrap().unwrap(), b"again");
    store.remove("a.tier").unwrap();
    assert_eq!(store.put("../a", b"x").unwrap_err().kind(), ErrorKind::InvalidInput);
}

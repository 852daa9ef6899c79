#[cfg(feature = "bucket")]
mod bucket;
mod chunks;
mod folder;

use std::io::{self, ErrorKind};

use super::{Store, check_name, is_name, open};

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

#[test]
fn a_place_is_a_folder_unless_it_is_a_url() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("a/b");
    let store = open(folder.to_str().unwrap()).unwrap();
    assert_eq!(store.place(), folder.to_str().unwrap());
    assert!(folder.is_dir());
    for (place, expected) in [
        ("", "the name of the store is empty: name a folder"),
        ("ftp://x/y", "ftp is not a kind of store: name a folder, or s3://bucket/prefix"),
    ] {
        let error = open(place).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[cfg(not(feature = "bucket"))]
#[test]
fn a_program_without_buckets_says_how_to_get_them() {
    let error = open("s3://bucket/prefix").unwrap_err().to_string();
    assert!(error.contains("s3://bucket/prefix") && error.contains("the feature `bucket`"));
}

#[test]
fn names_are_plain() {
    for name in ["a", "values-07.tier", "0", "a..b", &"x".repeat(200)] {
        assert!(is_name(name), "{name}");
    }
    for name in ["", ".", "..", ".a", "A", "a/b", "a b", "ä", "a\0", "a_b", &"x".repeat(201)] {
        assert!(check_name(name).is_err(), "{name}");
    }
}

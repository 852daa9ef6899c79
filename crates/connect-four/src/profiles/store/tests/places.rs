//! Names of objects and places of stores.

use std::io;

use super::super::{check_name, is_name, open};

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

//! Folder stores: objects appear whole or not at all, whatever the disk does.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use everyply_files::store::{Folder, Store};
use everyply_test_support::{Simulated, Trouble};

fn on(disk: &Simulated) -> Folder {
    Folder::open_on(Arc::new(disk.clone()), Path::new("/work")).unwrap()
}

fn on_failing(disk: &Simulated) -> std::io::Result<Folder> {
    Folder::open_on(Arc::new(disk.clone()), Path::new("/work"))
}

#[test]
fn objects_are_put_read_listed_and_removed() {
    let place = tempfile::tempdir().unwrap();
    let store = Folder::open(place.path()).unwrap();
    // A file that is not an object.
    fs::write(place.path().join("README"), "x").unwrap();
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
fn one_of_many_writers_puts_a_new_object() {
    let place = tempfile::tempdir().unwrap();
    for round in 0..50 {
        let name = format!("new-{round}");
        let start = std::sync::Barrier::new(4);
        let first: Vec<u8> = std::thread::scope(|scope| {
            let put = |writer: u8| {
                let (name, place, start) = (&name, place.path(), &start);
                move || {
                    let store = Folder::open(place).unwrap();
                    start.wait();
                    let is_first = store.put_new(name, &[writer; 10_000]).unwrap();
                    let there = store.read(name, 0..1).unwrap().expect("it is there for all");
                    assert!(!is_first || there == [writer]);
                    is_first.then_some(writer)
                }
            };
            let threads: Vec<_> = (0..4).map(|writer| scope.spawn(put(writer))).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        let [first] = first[..] else { panic!("{first:?}") };
        let store = Folder::open(place.path()).unwrap();
        assert!(!store.put_new(&name, b"late").unwrap());
        assert_eq!(store.read(&name, 0..u64::MAX).unwrap().unwrap(), [first; 10_000]);
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 50);
}

#[test]
fn a_new_object_is_whole_or_missing_after_any_failure() {
    let run = |disk: &Simulated| on(disk).put_new("a", b"content");
    let disk = Simulated::new(Trouble::None);
    assert!(run(&disk).unwrap());
    for at in 0..disk.operations() {
        for trouble in [Trouble::Broken(at), Trouble::Full(at), Trouble::PowerLoss(at)] {
            let disk = Simulated::new(Trouble::None);
            on(&disk);
            disk.set_trouble(trouble);
            let put = on_failing(&disk).and_then(|store| store.put_new("a", b"content"));
            for seed in 0..20 {
                let after = on(&disk.reboot(seed));
                let found = after.read("a", 0..u64::MAX).unwrap();
                assert!(found.is_none() || found.as_deref() == Some(b"content"), "{trouble:?}");
                assert!(put.is_err() || found.is_some(), "{trouble:?}: what was put is lost");
                assert_eq!(after.put_new("a", b"later").unwrap(), found.is_none());
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn special_files_are_refused_without_waiting() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    fs::create_dir(place.path().join("folder")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", place.path().join("device")).unwrap();
    let store = Folder::open(place.path()).unwrap();
    for name in ["pipe", "folder", "device"] {
        let errors = [
            store.read(name, 0..1).unwrap_err(),
            store.len(name).unwrap_err(),
            store.put(name, b"x").unwrap_err(),
        ];
        for error in errors {
            let message = error.to_string();
            assert!(
                message.contains(name) && message.contains("not a regular file")
                    || message.contains("is a directory"),
                "{message}"
            );
        }
    }
}

#[test]
fn names_are_plain() {
    let place = tempfile::tempdir().unwrap();
    let store = Folder::open(place.path()).unwrap();
    for name in ["a", "values-07.tier", "0", "a..b", &"x".repeat(200)] {
        store.put(name, b"").unwrap();
        assert!(store.list("").unwrap().iter().any(|listed| listed == name), "{name}");
    }
    for name in ["", ".", "..", ".a", "A", "a/b", "a b", "ä", "a\0", "a_b", &"x".repeat(201)] {
        assert_eq!(store.put(name, b"").unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
    }
}

//! Files in the making, on the real file system.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::entries;
use everyply_files::disk::{FileError, NewFile, in_directory};

#[test]
fn a_file_appears_with_its_commit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    let mut file = NewFile::create(&path).unwrap();
    file.write_all(b"a,b\n").unwrap();
    file.flush().unwrap();
    assert!(!path.exists());
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"a,b\n");
    assert_eq!(entries(directory.path()), ["out.csv"]);
}

#[test]
fn a_file_that_is_dropped_leaves_the_old_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    fs::write(&path, "old").unwrap();
    let mut file = NewFile::create(&path).unwrap();
    file.write_all(&[b'x'; 100_000]).unwrap();
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(entries(directory.path()), ["out.csv"]);

    let mut file = NewFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn a_file_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let mode = |name: &str| fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
    fs::File::create(directory.path().join("usual")).unwrap();
    NewFile::create(&directory.path().join("ours")).unwrap().commit().unwrap();
    assert_eq!(mode("ours"), mode("usual"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("file"), directory.path().join("link"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink("file", &link).unwrap();
    let mut new = NewFile::create(&link).unwrap();
    new.write_all(b"new").unwrap();
    new.commit().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"new");
}

#[test]
fn places_that_cannot_be_written_are_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |path: &Path| NewFile::create(path).unwrap_err();
    assert!(matches!(refused(directory.path()), FileError::Directory(_)));
    for end in ["new/", "new/."] {
        assert!(matches!(refused(&directory.path().join(end)), FileError::Directory(_)), "{end}");
    }
    let nowhere = directory.path().join("none").join("out.csv");
    let error = refused(&nowhere);
    assert!(matches!(error, FileError::Create { .. }));
    let message = error.to_string();
    assert!(message.contains(nowhere.to_str().unwrap()), "{message}");
    assert!(!message.contains(".everyply-"), "{message}");
    assert!(matches!(refused(Path::new("")), FileError::Create { .. }));
    #[cfg(target_os = "linux")]
    assert!(matches!(refused(Path::new("/dev/full")), FileError::NotAFile(_)));
}

#[test]
fn a_directory_is_made_for_its_files() {
    let directory = tempfile::tempdir().unwrap();
    let csv = directory.path().join("a").join("b");
    let [one, two] = in_directory(&csv, ["one.csv", "two.csv"]).unwrap();
    one.commit().unwrap();
    drop(two);
    assert_eq!(entries(&csv), ["one.csv"]);
    // An existing directory serves as well.
    in_directory(&csv, ["one.csv"]).unwrap();
    // Created directories without a file are removed.
    let [one, two] = in_directory(&csv.join("c").join("d"), ["one.csv", "two.csv"]).unwrap();
    drop(one);
    assert_eq!(entries(&csv.join("c")), ["d"]);
    drop(two);
    assert_eq!(entries(&csv), ["one.csv"]);
    let [] = in_directory(&csv.join("c"), []).unwrap();
    std::fs::remove_dir(csv.join("c")).unwrap();

    let file = csv.join("one.csv");
    assert!(matches!(in_directory(&file, ["x"]), Err(FileError::NotADirectory(_))));
    let below = file.join("c");
    assert!(matches!(in_directory(&below, ["x"]), Err(FileError::CreateDirectory { .. })));
    #[cfg(target_os = "linux")]
    assert!(matches!(
        in_directory(Path::new("/dev/full"), ["x"]),
        Err(FileError::NotADirectory(_))
    ));
}

#[cfg(unix)]
#[test]
fn a_file_may_go_away_while_another_takes_its_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.csv");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = fs::write(&path, "other");
                let _ = fs::remove_file(&path);
            }
        });
        let failed = (0..3_000).find_map(|_| NewFile::create(&path).err());
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(failed.is_none(), "{failed:?}");
    });
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_yet_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("below")).unwrap();
    let link = |name: &str, to: &str| {
        let path = directory.path().join(name);
        std::os::unix::fs::symlink(to, &path).unwrap();
        path
    };
    let (one, two) = (link("one", "two"), link("two", "below/file"));
    let mut new = NewFile::create(&one).unwrap();
    new.write_all(b"new").unwrap();
    new.commit().unwrap();
    assert!([&one, &two].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
    assert_eq!(fs::read(directory.path().join("below/file")).unwrap(), b"new");
    assert_eq!(entries(directory.path()), ["below", "one", "two"]);

    let nowhere = NewFile::create(&link("three", "none/file")).unwrap_err();
    assert!(matches!(nowhere, FileError::Create { .. }), "{nowhere}");
    let circle = NewFile::create(&link("four", "four")).unwrap_err();
    assert!(matches!(circle, FileError::Create { .. }), "{circle}");
}

#[cfg(unix)]
#[test]
fn what_becomes_a_socket_meanwhile_is_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out");
    let file = NewFile::create(&path).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert!(matches!(file.commit(), Err(FileError::NotAFile(_))));
    assert!(matches!(NewFile::create(&path), Err(FileError::NotAFile(_))));
    assert_eq!(entries(directory.path()), ["out"]);
}

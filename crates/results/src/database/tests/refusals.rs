//! Files that are refused and left as they were.

use std::fs;

use super::*;

/// Checks that both ways of opening refuse the file and leave it unchanged, with nothing beside it.
fn refused(test: &TestFile, expected: fn(&DatabaseError) -> bool, remedy: &str) {
    let before = fs::read(&test.path).ok();
    let entries = test.entries();
    for open in [Database::create_or_open, Database::open] {
        let error = open(&test.path).unwrap_err();
        let message = error.to_string();
        assert!(expected(&error), "{error:?}");
        assert!(message.contains(test.path.to_str().unwrap()), "{message}");
        assert!(message.contains(remedy), "{message}");
        assert_eq!(fs::read(&test.path).ok(), before);
        assert_eq!(test.entries(), entries);
    }
}

fn with_content(content: &[u8]) -> TestFile {
    let test = TestFile::new();
    fs::write(&test.path, content).unwrap();
    test
}

#[test]
fn other_files_are_refused() {
    let text = "It was a dark and stormy night. ".repeat(1000);
    for length in [1, 99, 100, 512, 4096, 32_000] {
        let test = with_content(&text.as_bytes()[..length]);
        refused(&test, |e| matches!(e, DatabaseError::NotADatabase(_)), "choose another file");
    }
    let wal = "PRAGMA journal_mode = wal;";
    for sql in [
        "PRAGMA application_id = 7; CREATE TABLE t (x); INSERT INTO t VALUES (1);",
        "PRAGMA user_version = 1; CREATE TABLE game (x);",
        "PRAGMA page_size = 512; CREATE TABLE t (x); DROP TABLE t;",
    ] {
        for sql in [sql.to_owned(), format!("{wal}{sql}")] {
            let test = TestFile::new();
            test.tamper(&sql);
            refused(&test, |e| matches!(e, DatabaseError::Foreign(_)), "another file");
        }
    }
    // The log of another program at work is not touched.
    let test = TestFile::new();
    let other = Connection::open(&test.path).unwrap();
    other.execute_batch(&format!("CREATE TABLE t (x); {wal} INSERT INTO t VALUES (1)")).unwrap();
    let log = test.directory.path().join("test.db-wal");
    let before = fs::read(&log).unwrap();
    refused(&test, |e| matches!(e, DatabaseError::Foreign(_)), "choose another file");
    assert_eq!(fs::read(&log).unwrap(), before);
}

#[test]
fn other_versions_and_files_without_their_tables_are_refused() {
    for version in [0, schema::VERSION - 1, schema::VERSION + 1] {
        let test = TestFile::new();
        test.write(&rows(10)).unwrap();
        test.tamper(&format!("PRAGMA user_version = {version}"));
        refused(&test, |e| matches!(e, DatabaseError::OtherVersion { .. }), "use that version");
    }
    let test = TestFile::new();
    test.write(&rows(10)).unwrap();
    test.tamper("PRAGMA foreign_keys = off; DROP TABLE position");
    refused(&test, |e| matches!(e, DatabaseError::Damaged { .. }), "no table position");
}

#[test]
fn a_file_of_the_wrong_length_is_refused() {
    let is_damaged = |e: &DatabaseError| matches!(e, DatabaseError::Damaged { .. });
    let test = TestFile::new();
    test.write(&rows(2000)).unwrap();
    let whole = fs::read(&test.path).unwrap();
    assert!(whole.len() > 40_000, "{}", whole.len());
    for length in [1, 99, 100, 512, 4095, 4096, 4097, 40_000] {
        let is_cut = |e: &DatabaseError| {
            matches!(e, DatabaseError::NotADatabase(_) | DatabaseError::Damaged { .. })
        };
        refused(&with_content(&whole[..length]), is_cut, "");
    }
    refused(&with_content(&whole[..whole.len() - 1]), is_damaged, "restore it from a copy");
    // The length of the file in pages (file format, 1.3.10): too small, new pages would go into the
    // place of old ones.
    let mut bytes = whole.clone();
    let pages = u32::from_be_bytes(bytes[28..32].try_into().unwrap());
    assert_eq!(pages as usize * 4096, bytes.len());
    bytes[28..32].copy_from_slice(&(pages - 1).to_be_bytes());
    refused(&with_content(&bytes), is_damaged, "longer");
    // The change counter for which that length is valid (1.3.14), with half a page and one too much.
    let mut bytes = whole;
    bytes[93] ^= 0x10;
    for more in [512, 4096] {
        bytes.extend(vec![0; more]);
        refused(&with_content(&bytes), is_damaged, "from a copy");
    }
}

/// Deletions by other programs leave free pages; new rows go into them.
#[test]
fn a_free_page_that_is_in_use() {
    let test = TestFile::new();
    test.write(&rows(2000)).unwrap();
    test.tamper(
        "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(9 * 4096)); DROP TABLE t; VACUUM;
         CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(9 * 4096)); DROP TABLE t",
    );
    let sound = fs::read(&test.path).unwrap();
    let word = |at: usize| u32::from_be_bytes(sound[at..at + 4].try_into().unwrap());
    // The first trunk page of the list, and the number of leaves that it names (file format,
    // 1.5): from the third word on.
    let trunk = (word(32) as usize - 1) * 4096;
    let leaves = word(trunk + 4) as usize;
    assert!(leaves > 5, "{leaves}");
    let free: Vec<u32> = (0..leaves).map(|leaf| word(trunk + 8 + 4 * leaf)).collect();
    for page in [3, 8, 13] {
        assert!(!free.contains(&page), "page {page} of {free:?}");
        let mut bytes = sound.clone();
        let last = trunk + 8 + 4 * (leaves - 1);
        bytes[last..last + 4].copy_from_slice(&u32::to_be_bytes(page));
        let flipped = with_content(&bytes);
        let error = Database::create_or_open(&flipped.path)
            .expect_err(&format!("page {page} is said to be free"));
        assert!(matches!(error, DatabaseError::Damaged { .. }), "page {page}: {error}");
        assert_eq!(fs::read(&flipped.path).unwrap(), bytes);
        // Reading uses no free pages.
        assert_eq!(flipped.read(), rows(2000));
    }
    // A sound list does no harm.
    test.write(&rows(3000)).unwrap();
    assert_eq!(test.read(), rows(3000));
    Database::open(&test.path).unwrap().check().unwrap();
}

#[test]
fn places_without_a_database_have_errors_of_their_own() {
    let test = TestFile::new();
    let missing = test.directory.path().join("none/test.db");
    let [folder, empty] = ["folder", "empty"].map(|name| test.directory.path().join(name));
    fs::create_dir(&folder).unwrap();
    fs::write(&empty, "").unwrap();
    let create = |path: &Path| Database::create_or_open(path).unwrap_err();
    let open = |path: &Path| Database::open(path).unwrap_err();
    assert!(matches!(create(&missing), DatabaseError::Io { .. }));
    assert!(matches!(create(Path::new("")), DatabaseError::Io { .. }));
    assert!(matches!(create(&empty.join("test.db")), DatabaseError::Io { .. }));
    assert!(matches!(open(&missing), DatabaseError::Missing(_)));
    assert!(matches!(open(&empty), DatabaseError::Empty(_)));
    for path in [&folder, &test.directory.path().join("new/"), &test.directory.path().join("new/.")]
    {
        for error in [create(path), open(path)] {
            assert!(matches!(error, DatabaseError::Directory(_)), "{error}");
        }
    }
    #[cfg(target_os = "linux")]
    for error in [create(Path::new("/dev/full")), open(Path::new("/dev/null"))] {
        assert!(matches!(error, DatabaseError::NotAFile(_)), "{error}");
    }
    assert_eq!(test.entries(), ["empty", "folder"]);
    // To write to, an empty file is as good as none. Names that mean something to SQLite are files.
    let names = ["empty", "a?mode=memory#%20.db", "file:b", ":memory:", "ü b.db"];
    for path in names.map(|name| test.directory.path().join(name)) {
        drop(Database::create_or_open(&path).unwrap());
        let database = Database::open(&path).unwrap();
        assert!(fs::metadata(&path).unwrap().len() > 0);
        let error = database.begin_run(&game(), "", 1).unwrap_err();
        assert!(matches!(error, DatabaseError::ReadOnly(_)), "{error:?}");
    }
}

#[cfg(unix)]
#[test]
fn missing_permissions_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let test = TestFile::new();
    test.write(&rows(3)).unwrap();
    let crashed = with_content(&fs::read(&test.path).unwrap());
    crashed.tamper("PRAGMA journal_mode = wal");
    for test in [&test, &crashed] {
        allow(&test.path, 0o444);
        allow(test.directory.path(), 0o555);
        let is_root = fs::OpenOptions::new().append(true).open(&test.path).is_ok();
        // A file that may be written in a directory that may not, as well.
        for mode in [0o444, 0o644].into_iter().filter(|_| !is_root) {
            allow(&test.path, mode);
            let new = test.directory.path().join("new.db");
            for path in [&test.path, &new] {
                let error = Database::create_or_open(path).unwrap_err();
                assert!(matches!(error, DatabaseError::ReadOnly(_)), "{error:?}");
            }
            assert_eq!(test.read(), rows(3));
            assert_eq!(test.entries(), ["test.db"]);
        }
        allow(test.directory.path(), 0o755);
    }
}

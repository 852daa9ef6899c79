//! Files that are refused, and that refusing leaves them as they were.

use std::fs;

use super::*;

/// Both ways of opening refuse the file, which stays as it is with nothing beside it.
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
fn other_kinds_of_files() {
    let text = "It was a dark and stormy night. ".repeat(1000);
    for length in [1, 16, 99, 100, 101, 511, 512, 513, 4096, 32_000] {
        let test = with_content(&text.as_bytes()[..length]);
        refused(&test, |e| matches!(e, DatabaseError::NotADatabase(_)), "choose another file");
    }
    let test = with_content(b"SQLite format 3\0");
    refused(&test, |e| matches!(e, DatabaseError::NotADatabase(_)), "choose another file");
}

#[test]
fn databases_of_other_programs() {
    let wal = "PRAGMA journal_mode = wal;";
    for sql in [
        "CREATE TABLE t (x); INSERT INTO t VALUES (1);",
        "PRAGMA application_id = 7; CREATE TABLE t (x);",
        "PRAGMA user_version = 1; CREATE TABLE game (x);",
        "PRAGMA page_size = 512; CREATE TABLE t (x);",
        "CREATE TABLE t (x); DROP TABLE t;",
    ] {
        for sql in [sql.to_owned(), format!("{wal}{sql}"), format!("{sql}{wal}")] {
            let test = TestFile::new();
            test.tamper(&sql);
            refused(&test, |e| matches!(e, DatabaseError::Foreign(_)), "another file");
        }
    }
}

#[test]
fn the_log_of_another_program_is_not_touched() {
    let test = TestFile::new();
    let other = rusqlite::Connection::open(&test.path).unwrap();
    other
        .execute_batch("CREATE TABLE t (x); PRAGMA journal_mode = wal; INSERT INTO t VALUES (1);")
        .unwrap();
    let log = test.directory.path().join("test.db-wal");
    let before = fs::read(&log).unwrap();
    assert!(!before.is_empty());
    refused(&test, |e| matches!(e, DatabaseError::Foreign(_)), "choose another file");
    assert_eq!(fs::read(&log).unwrap(), before);
    drop(other);
}

#[test]
fn other_versions() {
    let test = TestFile::new();
    test.write(&rows(10)).unwrap();
    test.tamper("PRAGMA user_version = 5");
    refused(&test, |e| matches!(e, DatabaseError::Newer { found: 5, known: 4, .. }), "update");
    for older in 0..4 {
        test.tamper(&format!("PRAGMA user_version = {older}"));
        refused(&test, |e| matches!(e, DatabaseError::Older { known: 4, .. }), "another file");
    }
}

#[test]
fn a_file_cut_short_anywhere() {
    let test = TestFile::new();
    test.write(&rows(2000)).unwrap();
    let whole = fs::read(&test.path).unwrap();
    assert!(whole.len() > 40_000, "{}", whole.len());
    for length in (1..whole.len()).step_by(97).chain([99, 100, 511, 512, 4095, 4096, 4097]) {
        let cut = with_content(&whole[..length]);
        refused(
            &cut,
            |e| matches!(e, DatabaseError::NotADatabase(_) | DatabaseError::Damaged { .. }),
            "",
        );
    }
    let cut = with_content(&whole[..whole.len() - 1]);
    refused(&cut, |e| matches!(e, DatabaseError::Damaged { .. }), "restore it from a copy");
}

#[test]
fn a_file_with_half_a_page_too_much_and_a_stale_page_count() {
    let test = TestFile::new();
    test.write(&rows(10)).unwrap();
    let mut bytes = fs::read(&test.path).unwrap();
    // The change counter for which the page count in the header is valid (file format, 1.3.14).
    bytes[93] ^= 0x10;
    bytes.extend([0; 512]);
    refused(&with_content(&bytes), |e| matches!(e, DatabaseError::Damaged { .. }), "from a copy");
    // Bytes of a page more than the header knows of.
    bytes.extend([0; 4096]);
    refused(&with_content(&bytes), |e| matches!(e, DatabaseError::Damaged { .. }), "from a copy");
}

#[test]
fn a_page_count_that_would_let_new_pages_replace_old_ones() {
    let test = TestFile::new();
    test.write(&rows(2000)).unwrap();
    let mut bytes = fs::read(&test.path).unwrap();
    // The length of the file in pages (file format, 1.3.10).
    let pages = u32::from_be_bytes(bytes[28..32].try_into().unwrap());
    assert_eq!(pages as usize * 4096, bytes.len());
    for fewer in 1..4 {
        bytes[28..32].copy_from_slice(&(pages - fewer).to_be_bytes());
        refused(&with_content(&bytes), |e| matches!(e, DatabaseError::Damaged { .. }), "longer");
    }
}

/// Free pages are there after other programs have deleted; new rows go into them.
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
        // Whoever only reads has no use for free pages.
        assert_eq!(flipped.read(), rows(2000));
    }
    // A sound list is as good as none.
    test.write(&rows(3000)).unwrap();
    assert_eq!(test.read(), rows(3000));
    Database::open(&test.path).unwrap().check().unwrap();
}

#[test]
fn a_file_without_its_tables() {
    let test = TestFile::new();
    test.write(&rows(10)).unwrap();
    test.tamper("PRAGMA foreign_keys = off; DROP TABLE position");
    refused(&test, |e| matches!(e, DatabaseError::Damaged { .. }), "no table position");
}

#[test]
fn values_that_are_never_written() {
    for sql in [
        "UPDATE position SET outcome = 2",
        "UPDATE position SET ply = 256",
        "UPDATE position SET ply = -1",
        "UPDATE position SET remoteness = 1000",
    ] {
        let test = TestFile::new();
        test.write(&rows(3)).unwrap();
        test.tamper(&format!("PRAGMA ignore_check_constraints = on; {sql}"));
        let database = Database::open(&test.path).unwrap();
        let error = database.positions(&game(), None, |_| Ok::<_, DatabaseError>(()));
        assert!(matches!(error, Err(DatabaseError::Damaged { .. })), "{sql}: {error:?}");
    }
}

#[test]
fn a_damaged_text_of_the_schema() {
    let test = TestFile::new();
    test.write(&rows(3)).unwrap();
    let mut bytes = fs::read(&test.path).unwrap();
    let comment = b"-- Which game";
    let at = bytes.windows(comment.len()).position(|part| part == comment).unwrap();
    bytes[at + 3] |= 0x80;
    fs::write(&test.path, &bytes).unwrap();
    let opened = Database::create_or_open(&test.path);
    let error = opened.and_then(|database| database.begin_run(&game(), "run", 1).map(|_| ()));
    assert!(matches!(error, Err(DatabaseError::Damaged { .. })), "{error:?}");
    assert_eq!(fs::read(&test.path).unwrap(), bytes);
}

#[test]
fn directories_and_devices() {
    let test = TestFile::new();
    fs::create_dir(&test.path).unwrap();
    refused(&test, |e| matches!(e, DatabaseError::Directory(_)), "the name of a file");
    #[cfg(target_os = "linux")]
    for device in ["/dev/full", "/dev/null"] {
        for open in [Database::create_or_open, Database::open] {
            let error = open(Path::new(device)).unwrap_err();
            assert!(matches!(error, DatabaseError::NotAFile(_)), "{error:?}");
        }
    }
}

#[test]
fn places_where_no_file_can_be() {
    let test = TestFile::new();
    let nowhere = test.directory.path().join("none").join("test.db");
    let error = Database::create_or_open(&nowhere).unwrap_err();
    assert!(matches!(error, DatabaseError::Io { .. }), "{error:?}");
    assert!(error.to_string().contains("No such file"), "{error}");
    assert!(matches!(Database::create_or_open(Path::new("")), Err(DatabaseError::Io { .. })));
    fs::write(&test.path, "").unwrap();
    let below = test.path.join("test.db");
    for open in [Database::create_or_open, Database::open] {
        assert!(matches!(open(&below), Err(DatabaseError::Io { .. })));
    }
}

#[test]
fn nothing_to_read() {
    let test = TestFile::new();
    assert!(matches!(Database::open(&test.path), Err(DatabaseError::Missing(_))));
    assert!(test.entries().is_empty());
    fs::write(&test.path, "").unwrap();
    assert!(matches!(Database::open(&test.path), Err(DatabaseError::Empty(_))));
    assert_eq!(fs::read(&test.path).unwrap(), b"");
    // To write to, an empty file is as good as none.
    test.write(&rows(3)).unwrap();
    assert_eq!(test.read(), rows(3));
}

#[test]
fn names_that_mean_something_to_sqlite_are_files() {
    let test = TestFile::new();
    for name in ["a?mode=memory#%20.db", "file:b", ":memory:", "ü b.db"] {
        let path = test.directory.path().join(name);
        drop(Database::create_or_open(&path).unwrap());
        drop(Database::open(&path).unwrap());
        assert!(fs::metadata(&path).unwrap().len() > 0);
    }
    assert_eq!(test.entries().len(), 4);
}

#[test]
fn a_file_opened_for_reading_takes_no_run() {
    let test = TestFile::new();
    test.write(&rows(3)).unwrap();
    let error = Database::open(&test.path).unwrap().begin_run(&game(), "", 1).unwrap_err();
    assert!(matches!(error, DatabaseError::ReadOnly(_)), "{error:?}");
    assert_eq!(test.runs().len(), 1);
}

/// The pages of the table of positions, counted from 0, that hold its rows.
fn leaves(bytes: &[u8]) -> Vec<usize> {
    // The kind of a page, and its number of cells (file format, 1.6). Rows take fewer than 50 bytes.
    let is_full = |page: &usize| bytes[page * 4096] == 0x0a && cells(bytes, *page) > 80;
    (1..bytes.len() / 4096).filter(is_full).collect()
}

fn cells(bytes: &[u8], page: usize) -> usize {
    usize::from(u16::from_be_bytes([bytes[page * 4096 + 3], bytes[page * 4096 + 4]]))
}

/// Rows in pages of sound structure, each with its right checksum, that are exchanged or repeated.
#[test]
fn rows_in_the_wrong_order_are_refused_and_no_key_comes_twice() {
    let test = TestFile::new();
    test.write(&rows(2000)).unwrap();
    let sound = fs::read(&test.path).unwrap();
    let leaves = leaves(&sound);
    assert!(leaves.len() > 10, "{leaves:?}");
    let (page, other) = (leaves[3] * 4096, leaves[7] * 4096);
    let pointer = |n: usize| page + 8 + 2 * n;
    type Change<'c> = (&'c str, &'c dyn Fn(&mut [u8]));
    let changes: [Change<'_>; 4] = [
        ("two rows of a page", &|bytes| {
            let (left, right) = (pointer(20), pointer(60));
            (0..2).for_each(|i| bytes.swap(left + i, right + i));
        }),
        ("two pages", &|bytes| (0..4096).for_each(|i| bytes.swap(page + i, other + i))),
        ("a row twice", &|bytes| bytes.copy_within(pointer(20)..pointer(21), pointer(60))),
        ("a page twice", &|bytes| bytes.copy_within(page..page + 4096, other)),
    ];
    for (what, change) in changes {
        let mut bytes = sound.clone();
        change(&mut bytes);
        let test = with_content(&bytes);
        let damaged = |error| matches!(error, Err(DatabaseError::Damaged { .. }));
        assert!(damaged(Database::create_or_open(&test.path).map(drop)), "{what}: opened to write");
        assert_eq!(fs::read(&test.path).unwrap(), bytes);
        let database = Database::open(&test.path).unwrap();
        assert!(damaged(database.check_structure()), "{what}: checked");
        // Without the check: in the order of the table, and sorted.
        let scanned = database.scan(&game(), |_| Ok::<(), DatabaseError>(()));
        assert!(damaged(scanned), "{what}: scanned");
        let mut keys = Vec::new();
        let visited = database.positions(&game(), None, |row| {
            keys.push((row.ply, row.key));
            Ok::<(), DatabaseError>(())
        });
        assert_eq!(damaged(visited), what.ends_with("twice"), "{what}: sorted");
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{what}: a key came twice");
    }
}

#[test]
fn a_path_that_ends_as_a_folder_is_refused_and_nothing_is_made() {
    let test = TestFile::new();
    for end in ["new/", "new/."] {
        let path = test.directory.path().join(end);
        for open in [Database::create_or_open, Database::open] {
            let error = open(&path).unwrap_err();
            assert!(matches!(error, DatabaseError::Directory(_)), "{end}: {error}");
        }
    }
    assert!(test.entries().is_empty());
}

#[cfg(unix)]
#[test]
fn permissions_that_are_missing() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestFile::new();
    test.write(&rows(3)).unwrap();
    let crashed = with_content(&fs::read(&test.path).unwrap());
    crashed.tamper("PRAGMA journal_mode = wal");
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for test in [&test, &crashed] {
        allow(&test.path, 0o444);
        allow(test.directory.path(), 0o555);
    }
    let is_root = fs::OpenOptions::new().append(true).open(&test.path).is_ok();
    if !is_root {
        for test in [&test, &crashed] {
            let error = Database::create_or_open(&test.path).unwrap_err();
            assert!(matches!(error, DatabaseError::ReadOnly(_)), "{error:?}");
            let new = test.directory.path().join("new.db");
            let error = Database::create_or_open(&new).unwrap_err();
            assert!(matches!(error, DatabaseError::ReadOnly(_)), "{error:?}");
            assert_eq!(test.read(), rows(3));
            assert_eq!(test.entries(), ["test.db"]);
            // A file that may be written in a directory that may not.
            allow(&test.path, 0o644);
            let error = Database::create_or_open(&test.path).unwrap_err();
            assert!(matches!(error, DatabaseError::ReadOnly(_)), "{error:?}");
            assert_eq!(test.read(), rows(3));
            allow(&test.path, 0);
            refused(test, |e| matches!(e, DatabaseError::Io { .. }), "ermission denied");
        }
    }
    for test in [&test, &crashed] {
        allow(test.directory.path(), 0o755);
    }
}

/// A kill in the middle of the first commit: the tables are in the file, and the journal that
/// undoes them is still there.
#[test]
fn a_file_whose_signing_was_cut_off_is_empty() {
    let test = TestFile::new();
    let journal = test
        .path
        .with_file_name(format!("{}-journal", test.path.file_name().unwrap().to_str().unwrap()));
    let connection = Connection::open(&test.path).unwrap();
    connection.execute_batch("PRAGMA cache_size = 1; BEGIN").unwrap();
    schema::create(&connection).unwrap();
    // The tables are more than the cache holds, so the journal has been written.
    let hot = fs::read(&journal).unwrap();
    connection.execute_batch("COMMIT").unwrap();
    drop(connection);
    drop(Database::open(&test.path).unwrap());
    fs::write(&journal, hot).unwrap();
    let error = Database::open(&test.path).unwrap_err();
    assert!(matches!(error, DatabaseError::Empty(_)), "{error:?}");
    drop(Database::create_or_open(&test.path).unwrap());
    drop(Database::open(&test.path).unwrap());
}

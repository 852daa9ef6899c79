//! Temporary files: named after their process, removed when its writer is gone, else left alone.

use std::fs;

use super::entries;
use everyply_files::disk::NewFile;

#[test]
fn a_temporary_file_names_its_process() {
    let directory = tempfile::tempdir().unwrap();
    let _file = NewFile::create(&directory.path().join("out.csv")).unwrap();
    let [name] = &entries(directory.path())[..] else { panic!("one file") };
    assert!(name.starts_with(&format!(".everyply-{}-", std::process::id())), "{name}");
    assert!(name.ends_with("-out.csv.tmp"), "{name}");
}

#[test]
fn the_longest_names_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let long = "ä".repeat(127);
    NewFile::create(&directory.path().join(&long)).unwrap().commit().unwrap();
    assert_eq!(entries(directory.path()), [long]);
}

#[test]
fn leftovers_go_and_files_in_the_making_stay() {
    let directory = tempfile::tempdir().unwrap();
    let leftover = ".everyply-999999999-3-other.csv.tmp";
    let foreign = [".everyply-x-3-a.tmp", ".everyply-1-2.tmp", ".everyply-1-2-a", ".tmpAbCdEf"];
    for name in foreign.into_iter().chain([leftover]) {
        fs::write(directory.path().join(name), "x").unwrap();
    }
    fs::create_dir(directory.path().join(".everyply-1-2-folder.tmp")).unwrap();
    let mut first = NewFile::create(&directory.path().join("out.csv")).unwrap();
    let names = entries(directory.path());
    assert!(!names.contains(&leftover.to_owned()), "{names:?}");
    assert!(foreign.iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
    // A file of the same process for the same place is in use as well.
    let second = NewFile::create(&directory.path().join("out.csv")).unwrap();
    std::io::Write::write_all(&mut first, b"first").unwrap();
    first.commit().unwrap();
    second.commit().unwrap();
    assert_eq!(fs::read(directory.path().join("out.csv")).unwrap(), b"");
    assert_eq!(entries(directory.path()).len(), foreign.len() + 2);
}

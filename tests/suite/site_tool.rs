//! `tools/site` on a machine that lacks what it needs: what is missing is named, and nothing half
//! fetched stays. The package tools are programs of the test.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use crate::support::Place;

/// Runs `tools/site --fetch` with these programs in place of the system's, after `before` has
/// filled the cache. It must end with exit code 3, say why, and leave nothing.
fn fetch_fails(place: &Place, programs: &[(&str, &str)]) {
    for (name, script) in programs {
        let path = place.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", place.directory().display());
    let run = std::process::Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tools/site"))
        .arg("--fetch")
        .env("PATH", path)
        .env("XDG_CACHE_HOME", place.path("cache"))
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(3), "{said}");
    assert!(said.contains("missing:\n  Rust's library"), "{said}");
    assert!(said.contains("packages for WebAssembly cannot be fetched"), "{said}");
    assert!(!place.path("cache/everyply/debian").exists(), "{said}");
    assert!(!place.path("cache/everyply/debian.part").exists(), "{said}");
}

/// A compiler without the library for pages, and Debian's package lists.
const RUST: (&str, &str) = ("rustc", "echo /nowhere");
const LISTS: (&str, &str) =
    ("apt-cache", "echo '  Depends: libstd-rust-web-1.96'; echo '  Depends: llvm-22'");

#[test]
fn a_failed_download_leaves_nothing_behind() {
    let place = Place::new();
    let get = "test $1 = update || { : > rustc-web.deb; exit 100; }";
    fetch_fails(&place, &[RUST, LISTS, ("apt-get", get)]);
}

#[test]
fn a_package_without_a_compiler_that_runs_leaves_nothing_behind() {
    let place = Place::new();
    let get = "test $1 = update || : > rustc-web.deb";
    // What is unpacked has a compiler, which lacks a library.
    let unpack =
        "mkdir -p ../usr/bin; echo 'exit 127' > ../usr/bin/rustc; chmod +x ../usr/bin/rustc";
    fetch_fails(&place, &[RUST, LISTS, ("apt-get", get), ("dpkg-deb", unpack)]);
}

#[test]
fn an_incomplete_folder_of_an_earlier_run_is_fetched_anew() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("cache/everyply/debian/usr")).unwrap();
    fetch_fails(&place, &[RUST, LISTS, ("apt-get", "exit 100")]);
}

#[test]
fn what_ci_cannot_check_is_no_silence() {
    let script = include_str!("../../.ci/run");
    assert!(!script.contains("|| true"), "say it with `skip`, which repeats it at the end");
    assert!(script.trim_end().ends_with("printf '  %s\\n' \"${unchecked[@]}\"\nfi"));
}

//! The simulated disk: it loses all that it may lose, and no more.

use std::collections::BTreeSet;
use std::path::Path;

use everyply_files::disk::{Disk, OpenMode, make_folders};
use everyply_test_support::{Simulated, Trouble};

fn path(name: &str) -> &Path {
    Path::new(name)
}

fn file(disk: &dyn Disk, name: &str, content: &[u8]) -> Box<dyn everyply_files::disk::DiskFile> {
    let file = disk.open(path(name), OpenMode::UpdateOrCreate).unwrap();
    file.write_at(content, 0).unwrap();
    file
}

/// Returns the contents of a disk after a loss of power, for 200 seeds.
fn outcomes(disk: &Simulated) -> BTreeSet<Vec<(String, Vec<u8>)>> {
    let named = |(path, bytes): (std::path::PathBuf, _)| (path.display().to_string(), bytes);
    (0..200).map(|seed| disk.reboot(seed).contents().into_iter().map(named).collect()).collect()
}

#[test]
fn what_was_synced_survives_and_nothing_else_must() {
    let disk = Simulated::new(Trouble::None);
    make_folders(&disk, path("/d")).unwrap();
    let old = file(&disk, "/d/old", b"old");
    old.sync().unwrap();
    disk.sync_folder(path("/d")).unwrap();
    let all = |outcomes: BTreeSet<_>| outcomes.into_iter().collect::<Vec<_>>();
    let entry = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
    assert_eq!(all(outcomes(&disk)), [[entry("/d/old", b"old")]]);

    // A file without its name, a name without its content, both, neither.
    let new = file(&disk, "/d/new", b"new");
    let kept = [entry("/d/new", b"new"), entry("/d/old", b"old")];
    let empty = [entry("/d/new", b""), entry("/d/old", b"old")];
    let gone = [entry("/d/old", b"old")];
    assert_eq!(all(outcomes(&disk)), [&empty[..], &kept, &gone]);

    // The classic mistake: a name is replaced before the content is synced.
    disk.sync_folder(path("/d")).unwrap();
    disk.rename(path("/d/new"), path("/d/old")).unwrap();
    assert!(outcomes(&disk).contains(&[entry("/d/old", b"")][..]));
    new.sync().unwrap();
    let whole = [entry("/d/new", b"new"), entry("/d/old", b"old")];
    assert_eq!(all(outcomes(&disk)), [&whole[..], &[entry("/d/old", b"new")]]);
    disk.sync_folder(path("/d")).unwrap();
    assert_eq!(all(outcomes(&disk)), [[entry("/d/old", b"new")]]);
}

#[test]
fn writes_are_torn_at_sectors_and_lost_out_of_order() {
    let disk = Simulated::new(Trouble::None);
    let written = file(&disk, "/f", &[0; 1536]);
    written.sync().unwrap();
    disk.sync_folder(path("/")).unwrap();
    written.write_at(&[1; 1024], 256).unwrap();
    written.write_at(&[2; 512], 1024).unwrap();
    let mut seen = BTreeSet::new();
    for content in outcomes(&disk) {
        let bytes = &content[0].1;
        // Bytes of one write within one sector are kept or lost together.
        let parts = [&bytes[..256], &bytes[256..512], &bytes[512..1024], &bytes[1280..]];
        assert!(parts.iter().all(|part| part.iter().all(|byte| *byte == part[0])));
        seen.insert(parts.map(|part| part[0]));
    }
    assert!(seen.contains(&[0, 1, 0, 2]) && seen.contains(&[0, 0, 1, 0]), "{seen:?}");
    assert!(seen.contains(&[0, 0, 0, 0]) && seen.contains(&[0, 1, 1, 2]), "{seen:?}");
}

//! New files on a disk that fails or loses power: the old content or the new, never a part.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use everyply_files::disk::{FileError, NewFile};
use everyply_test_support::{Simulated, Trouble};

fn write(disk: &Simulated, bytes: &[u8]) -> Result<(), FileError> {
    let path = Path::new("/out.csv");
    let mut file = NewFile::create_on(Arc::new(disk.clone()), path)?;
    for part in bytes.chunks(100_000) {
        file.write_all(part).map_err(|error| {
            assert!(error.to_string().contains("cannot finish /out.csv"), "{error}");
            FileError::Write { path: path.to_owned(), source: error.kind().into() }
        })?;
    }
    file.commit()
}

#[test]
fn a_file_is_the_old_one_or_the_new_one() {
    let (old, new) = (vec![b'o'; 5000], vec![b'n'; 600_000]);
    for at in 0.. {
        let begun = |trouble| {
            let disk = Simulated::new(Trouble::None);
            write(&disk, &old).unwrap();
            disk.set_trouble(trouble);
            (write(&disk, &new), disk)
        };
        let is_whole = |disk: &Simulated| {
            let contents = disk.contents();
            let found = &contents[Path::new("/out.csv")];
            assert!(*found == old || *found == new, "operation {at}: {} bytes", found.len());
            *found == new
        };
        for trouble in [Trouble::Broken(at), Trouble::Full(at)] {
            let (written, disk) = begun(trouble);
            assert!(is_whole(&disk) || written.is_err());
            disk.set_trouble(Trouble::None);
            write(&disk, &new).unwrap();
            assert_eq!(disk.contents().len(), 1, "a temporary file is left");
        }
        let (written, disk) = begun(Trouble::PowerLoss(at));
        for seed in 0..20 {
            let disk = disk.reboot(seed);
            // A file reported as written stays written.
            assert!(is_whole(&disk) || written.is_err());
            write(&disk, &new).unwrap();
            assert_eq!(disk.contents().len(), 1, "nothing is left beside it");
        }
        if written.is_ok() {
            assert!(at > 10, "{at}");
            break;
        }
    }
}

//! Bucket stores on a real server: `tools/s3-test` starts one, with `EVERYPLY_S3_ENDPOINT` set.

use super::super::open;
use super::objects_are_put_read_listed_and_removed_in;

/// A place in the bucket that the script made. Server and credentials are in the usual environment
/// variables.
fn place(prefix: &str) -> String {
    std::env::var("EVERYPLY_S3_ENDPOINT").expect("run tools/s3-test, which starts a server");
    format!("s3://everyply-test/{prefix}")
}

#[test]
#[ignore = "needs a server: tools/s3-test"]
fn objects_are_put_read_listed_and_removed_in_a_bucket() {
    let place = place("basic/deep");
    let store = open(&place).unwrap();
    assert_eq!(store.place(), place);
    objects_are_put_read_listed_and_removed_in(&*store);
    // Another prefix of the bucket is another store.
    assert_eq!(open("s3://everyply-test/basic").unwrap().list("").unwrap(), [""; 0]);
}

#[test]
#[ignore = "needs a server: tools/s3-test"]
fn large_objects_go_in_parts() {
    let store = open(&place("parts")).unwrap();
    let bytes: Vec<u8> =
        (0..100_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    store.put("large", &bytes).unwrap();
    assert_eq!(store.len("large").unwrap(), Some(bytes.len() as u64));
    assert!(store.read("large", 0..u64::MAX).unwrap().unwrap() == bytes);
    let range = 16_000_000..17_000_000;
    let found = store.read("large", range.start as u64..range.end as u64).unwrap().unwrap();
    assert!(found == bytes[range]);
    store.remove("large").unwrap();
}

#[test]
#[ignore = "needs a server: tools/s3-test"]
fn more_objects_than_a_page_has_are_listed() {
    let store = open(&place("many")).unwrap();
    let mut names: Vec<String> = (0..1100).map(|i| format!("unit-{i}")).collect();
    std::thread::scope(|scope| {
        for names in names.chunks(300) {
            let store = &store;
            scope.spawn(move || names.iter().for_each(|name| store.put(name, b"x").unwrap()));
        }
    });
    names.sort_unstable();
    assert_eq!(store.list("unit-").unwrap(), names);
    assert_eq!(store.list("unit-109").unwrap().len(), 11);
}

#[test]
#[ignore = "needs a server: tools/s3-test"]
fn lanes_are_read_from_a_bucket() {
    use super::super::chunks::{CHUNK, Chunks, encode};
    use crate::profiles::Lane;
    let store = open(&place("lanes")).unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    let fill = [Lane::ZERO, Lane::ONES];
    let lanes: Vec<Lane> = (0..300_000).map(|_| Lane([random.u64(..); 8])).collect();
    store.put("lanes", &encode(&lanes, &fill, &[7; 24], CHUNK)).unwrap();
    let chunks = Chunks::open(&*store, "lanes", &[7; 24]).unwrap();
    let mut out = vec![Lane::ZERO; 250_000];
    chunks.read(&*store, "lanes", 12_345, &fill, &mut out).unwrap();
    assert!(out == lanes[12_345..262_345]);
}

#[test]
#[ignore = "needs a server: tools/s3-test"]
fn a_bucket_that_is_not_there_is_named_with_the_remedy() {
    place("");
    for (place, expected) in [
        ("s3://everyply-missing/x", "s3://everyply-missing/x"),
        ("s3:///x", "no bucket: use s3://bucket/prefix"),
        ("s3://everyply-test/a//b", "use s3://bucket/prefix without"),
    ] {
        let error = open(place).unwrap_err().to_string();
        assert!(error.contains(place) && error.contains(expected), "{error}");
    }
    let error = open("s3://everyply-missing/x").unwrap_err().to_string();
    assert!(error.contains("AWS_ENDPOINT_URL"), "{error}");
}

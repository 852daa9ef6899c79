//! The node-count signature of the fixed workload: it changes only with what the engines visit.

use std::process::Command;

/// Change it together with the engine that moved it, and say why in the commit.
const SIGNATURE: u64 = 321_518_947;

#[test]
fn the_signature_is_pinned() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_analyze")).args(["bench", "--json"]).output().unwrap();
    assert!(output.status.success());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["signature"], SIGNATURE);
}

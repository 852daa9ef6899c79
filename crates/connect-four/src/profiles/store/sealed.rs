//! Plain bytes as objects: summaries, packed blocks. The layout is that of `header`.

use super::Store;
use super::header::{ChunkError, HEADER, Header, Identity};

/// An object that holds these bytes.
pub(in crate::profiles) fn seal(bytes: &[u8], identity: &Identity) -> Vec<u8> {
    let header = Header {
        identity: *identity,
        object: (HEADER + bytes.len()) as u64,
        content: bytes.len() as u64,
        chunk: 0,
        planes: 0,
    };
    [&header.bytes(bytes)[..], bytes].concat()
}

/// The bytes that an object holds.
pub(in crate::profiles) fn unseal(
    store: &dyn Store,
    name: &str,
    identity: &Identity,
) -> Result<Vec<u8>, ChunkError> {
    let mut object = store.read(name, 0..u64::MAX)?.ok_or(ChunkError::Missing)?;
    let header = Header::read(&object)?;
    let (start, content) = object.split_at(HEADER);
    if header.object != object.len() as u64 {
        return Err(ChunkError::Damaged("not of its full length"));
    }
    if header.chunk != 0 || header.content != content.len() as u64 {
        return Err(ChunkError::Damaged("its header contradicts itself"));
    }
    header.check(start, content, identity)?;
    object.drain(..HEADER);
    Ok(object)
}

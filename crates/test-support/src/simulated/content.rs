//! The content of a file: its synced part and its pending changes.

/// The bytes that a disk writes at once or not at all.
const SECTOR: u64 = 512;

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    /// The content as it is read.
    pub current: Vec<u8>,
    /// The content that survives any loss of power.
    synced: Vec<u8>,
    /// The changes from the synced to the current content, in order.
    pending: Vec<Change>,
}

/// A change of a file's content.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Write { at: u64, bytes: Vec<u8> },
    SetLen(u64),
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write { at, bytes } => {
                let at = *at as usize;
                if content.len() < at + bytes.len() {
                    content.resize(at + bytes.len(), 0);
                }
                content[at..at + bytes.len()].copy_from_slice(bytes);
            }
            Self::SetLen(len) => content.resize(*len as usize, 0),
        }
    }

    /// Returns the parts of a change that reach the disk independently.
    fn parts(&self) -> Vec<Self> {
        let Self::Write { at, bytes } = self else { return vec![self.clone()] };
        let (mut at, mut rest) = (*at, &bytes[..]);
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let in_sector = (SECTOR - at % SECTOR).min(rest.len() as u64);
            let (part, later) = rest.split_at(in_sector as usize);
            parts.push(Self::Write { at, bytes: part.to_vec() });
            (at, rest) = (at + in_sector, later);
        }
        parts
    }
}

impl Content {
    pub fn apply(&mut self, change: Change) {
        change.apply(&mut self.current);
        self.pending.push(change);
    }

    /// Applies the part of a failed change that takes effect: the first half of a write.
    pub fn apply_in_part(&mut self, change: Change) {
        if let Change::Write { at, mut bytes } = change {
            bytes.truncate(bytes.len() / 2);
            self.apply(Change::Write { at, bytes });
        }
    }

    pub fn read(&self, bytes: &mut [u8], at: u64) -> usize {
        let from = self.current.get(at as usize..).unwrap_or_default();
        let read = from.len().min(bytes.len());
        bytes[..read].copy_from_slice(&from[..read]);
        read
    }

    pub fn sync(&mut self) {
        for change in self.pending.drain(..) {
            change.apply(&mut self.synced);
        }
    }

    /// Returns the content after a loss of power: none, half, most or all of the pending changes are kept.
    pub fn after_power_loss(&self, random: &mut fastrand::Rng) -> Self {
        let share = [0.0, 0.5, 0.9, 1.0][random.usize(..4)];
        let mut content = self.synced.clone();
        for part in self.pending.iter().flat_map(Change::parts) {
            if random.f64() < share {
                part.apply(&mut content);
            }
        }
        Self { current: content.clone(), synced: content, pending: Vec::new() }
    }
}

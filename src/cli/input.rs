//! Files, pipes and stdin as input of a command.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};

use super::prelude::*;
use everyply_files::reading::{LineError, TOO_LONG};

/// Bytes read at a time.
const CHUNK: usize = 1 << 16;

const AHEAD: usize = 2;

/// The time between two checks of the control while no input arrives.
const LOOK: Duration = Duration::from_millis(20);

/// An input from which nothing arrives for this time pauses.
const PAUSE: Duration = Duration::from_millis(100);

/// An input, opened and read by a thread of its own: a pipe that never delivers blocks that
/// thread alone, and a stop is noticed while there is nothing to read.
#[derive(Debug)]
pub(super) struct Input {
    chunks: Receiver<io::Result<Vec<u8>>>,
    control: Arc<Control>,
    chunk: Vec<u8>,
    used: usize,
    /// The error that ended the input, until the next reader takes it.
    failed: Option<io::Error>,
    ended: bool,
}

pub(super) fn open(path: &Path) -> Result<StoredFile, Failure> {
    StoredFile::open(path).map_err(|error| failed_open(&error))
}

pub(super) fn failed_open(error: &StoredError) -> Failure {
    let StoredError::Missing(path) = error else {
        return runtime!("{error}");
    };
    let writers = match path.extension() {
        Some(ending) if ending == "strategy" => "`analyze strategy` writes strategies (--out FILE)",
        _ => {
            "`analyze GAME` and `analyze book` write databases (--db FILE), `analyze solve` writes \
             solution files (--out FILE)"
        }
    };
    runtime!("{error}; {writers}")
}

/// Opens a file with values of positions; a strategy is an error.
pub(super) fn open_values(path: &Path) -> Result<StoredFile, Failure> {
    let file = open(path)?;
    let Content::Strategies(_) = file.content() else { return Ok(file) };
    let error = StoredError::WithoutValues(path.to_owned());
    let path = path.display();
    Err(runtime!(
        "{error}: `analyze verify {path}` checks it, `analyze serve {path}` plays it, `zstd -dc {path}` \
         shows its text"
    ))
}

/// The failure of an input that cannot be read further; messages call it `name`.
pub(super) fn failed(error: LineError, name: &str) -> Failure {
    match error {
        LineError::Io(error) => {
            Failure::Runtime(anyhow::Error::from(error).context(format!("{name} cannot be read")))
        }
        LineError::NoText(kind) => runtime!("{name}: {kind}"),
        LineError::TooLong { number } => {
            runtime!("{name}, line {number}: {TOO_LONG}")
        }
    }
}

pub(super) fn name_of(path: &Path) -> String {
    if is_stdin(path) { "stdin".to_owned() } else { path.display().to_string() }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

impl Input {
    /// Opens a file, or stdin for `-`. Reading fails with [`Stopped`] once the control is asked
    /// to stop.
    pub fn open(path: &Path, control: Arc<Control>) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let (sender, chunks) = sync_channel(AHEAD);
        let path = path.to_owned();
        std::thread::Builder::new().name("input".to_owned()).spawn(move || read(&path, &sender))?;
        let mut input =
            Self { chunks, control, chunk: Vec::new(), used: 0, failed: None, ended: false };
        // The first chunk is empty: the file is open.
        input.fill_buf_once()?;
        Ok(input)
    }

    /// True if nothing has arrived for a while, and all input before is used.
    pub fn pauses(&mut self) -> bool {
        if !self.is_empty() || self.ended || self.failed.is_some() {
            return false;
        }
        !self.receive(PAUSE).unwrap_or_else(|error| {
            self.failed = Some(error);
            true
        })
    }

    /// True if all input that has arrived is used.
    pub const fn is_empty(&self) -> bool {
        self.used == self.chunk.len()
    }

    /// Takes the next chunk, which may be empty, or the end; false if nothing arrives in this time.
    fn receive(&mut self, patience: Duration) -> io::Result<bool> {
        match self.chunks.recv_timeout(patience) {
            Ok(chunk) => (self.chunk, self.used) = (chunk?, 0),
            Err(RecvTimeoutError::Timeout) => return Ok(false),
            Err(RecvTimeoutError::Disconnected) => self.ended = true,
        }
        Ok(true)
    }

    /// Waits for the next chunk, which may be empty.
    fn fill_buf_once(&mut self) -> io::Result<()> {
        while !self.control.is_asked_to_stop() {
            if self.receive(LOOK)? {
                return Ok(());
            }
        }
        Err(io::Error::other(Stopped))
    }
}

/// Sends the chunks of a file until it ends or the receiver is gone.
fn read(path: &Path, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let opened: io::Result<Box<dyn Read>> = if is_stdin(path) {
        Ok(Box::new(io::stdin()))
    } else {
        File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
    };
    let mut input = match opened {
        Ok(input) => input,
        Err(error) => return drop(sender.send(Err(error))),
    };
    let mut chunk = Vec::new();
    loop {
        if sender.send(Ok(chunk)).is_err() {
            return;
        }
        chunk = vec![0; CHUNK];
        let read = loop {
            match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(0) => return,
            Ok(length) => chunk.truncate(length),
            Err(error) => return drop(sender.send(Err(error))),
        }
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        while self.used == self.chunk.len() && !self.ended {
            self.fill_buf_once()?;
        }
        Ok(&self.chunk[self.used..])
    }

    fn consume(&mut self, bytes: usize) {
        self.used += bytes;
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

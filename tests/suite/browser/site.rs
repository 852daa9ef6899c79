//! The explorer as static files, and a plain file server for it.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A folder of files that is served below `/some/where/`, as any web server would.
pub struct Site {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
}

/// An address for which the worker fails as the module would by a bug.
pub const TRAP: &str = "/api/v1/games?trap";

impl Site {
    /// Serves the folder that EVERYPLY_SITE names, which `tools/site` wrote; `None` without it.
    pub fn of_environment() -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os("EVERYPLY_SITE")?);
        assert!(folder.join("everyply.wasm").is_file(), "{}: no site", folder.display());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        // The thread ends with the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming().filter(|_| !cut.load(Relaxed)) {
                let folder = folder.clone();
                std::thread::spawn(move || stream.and_then(|stream| answer(stream, &folder)));
            }
        });
        Some(Self { address, is_cut })
    }

    /// The files of strategies that the site shows, which the server is to show too.
    pub fn strategies() -> Vec<String> {
        let folder = std::env::var_os("EVERYPLY_SITE").map(std::fs::read_dir);
        let names = folder.into_iter().flat_map(Result::unwrap).map(|file| file.unwrap().path());
        let names = names.filter(|path| path.extension().is_some_and(|kind| kind == "strategy"));
        names.map(|path| path.display().to_string()).collect()
    }

    /// Stops answering.
    pub fn cut(&self) {
        self.is_cut.store(true, Relaxed);
    }

    /// The URL of an address of the explorer.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/some/where/#{path}", self.address)
    }
}

fn answer(stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let target = first.split(' ').nth(1).and_then(|target| target.strip_prefix("/some/where/"));
    let name = target.map(|target| if target.is_empty() { "index.html" } else { target });
    let mut stream = stream;
    let Some(mut bytes) = name.and_then(|name| std::fs::read(folder.join(name)).ok()) else {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    };
    if name == Some("worker.js") {
        let trap = format!(
            "const real = answer; answer = (asked) => {{ if (asked.address === '{TRAP}') \
             throw new WebAssembly.RuntimeError('for the test'); return real(asked); }};"
        );
        bytes.extend(trap.bytes());
    }
    let kind = match name.and_then(|name| name.rsplit('.').next()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        // The module too: not every host knows its type.
        _ => "application/octet-stream",
    };
    let length = bytes.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&bytes)
}

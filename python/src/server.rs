//! The explorer in the background.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use everyply::oracle::{Oracle, OracleFiles};
use everyply::registry::builtin;
use everyply::web::{Admission, Limits, Shown, serve};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::errors::oracle_error;
use crate::game::BuiltinGame;
use crate::run::Pool;

/// The explorer, which serves pages until it is stopped or the process ends.
///
/// As a context manager it stops at the end of the block.
#[pyclass(frozen, module = "everyply", name = "Server")]
pub struct Server {
    address: SocketAddr,
    page: String,
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[pyfunction]
pub fn _serve(
    py: Python<'_>,
    game: Option<&Bound<'_, BuiltinGame>>,
    page: String,
    files: Vec<PathBuf>,
    port: u16,
) -> PyResult<Server> {
    /// MiB of a search's table.
    const TABLE: u64 = 64;
    let registry = game.map_or_else(builtin, |game| game.get().rules.games());
    let oracle =
        Oracle::new(OracleFiles::open(&files).map_err(|error| oracle_error(error.into()))?, TABLE);
    let shown = Shown { oracle, registry, strategies: Vec::new() };
    let threads = Pool::new(None)?.threads;
    let limits = Limits { searches: 4, threads, longest: Duration::from_secs(15) };
    let admission = Admission::default();
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let stop = Arc::new(AtomicBool::new(false));
    let stop_requested = Arc::clone(&stop);
    let (sender, receiver) = channel();
    let error_sender = sender.clone();
    let thread =
        std::thread::Builder::new().name("everyply-explorer".to_owned()).spawn(move || {
            let ready = |address| drop(sender.send(Ok(address)));
            let served =
                serve(address, shown, limits, admission, ready, || stop_requested.load(Relaxed));
            if let Err(error) = served {
                let _ = error_sender.send(Err(error.to_string()));
            }
        })?;
    let lost = || Err("the explorer ended".to_owned());
    let address = py.detach(move || receiver.recv().unwrap_or_else(|_| lost()));
    let address = address.map_err(PyOSError::new_err)?;
    Ok(Server { address, page, stop, thread: Mutex::new(Some(thread)) })
}

#[pymethods]
impl Server {
    /// The address of the page, for a browser.
    #[getter]
    fn url(&self) -> String {
        format!("http://{}{}", self.address, self.page)
    }

    /// The port.
    #[getter]
    fn port(&self) -> u16 {
        self.address.port()
    }

    /// Stops the server and waits for its end. Stopping it again does nothing.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.stop.store(true, Relaxed);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Its pages may be waiting for the interpreter.
        let ended = py.detach(|| thread.map_or(Ok(()), JoinHandle::join));
        ended.map_err(|_| PyRuntimeError::new_err("the explorer failed"))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(
        &self,
        py: Python<'_>,
        _exception: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<()> {
        self.stop(py)
    }
}

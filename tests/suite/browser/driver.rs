//! A browser for a test: Chromium without a window, its driver, and `analyze serve`.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::server::Server;

/// One browser at a time: they would only wait for each other's processors.
static TURN: Mutex<()> = Mutex::new(());

/// A page under test.
pub struct Browser {
    runtime: Runtime,
    client: Option<Client>,
    driver: Child,
    pub server: Server,
    _profile: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// A browser, or `None` with a message where these tests are not asked for.
pub fn browser() -> Option<Browser> {
    if std::env::var_os("EVERYPLY_BROWSER_TESTS").is_none() {
        // Past the test harness, which swallows what tests print.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: a browser test; set EVERYPLY_BROWSER_TESTS=1 where chromium and \
             chromedriver are installed"
        );
        return None;
    }
    Some(Browser::start())
}

impl Browser {
    fn start() -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let server = Server::start(&["--limit", "30"]);
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        let profile = tempfile::tempdir().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), json!({ "args": arguments }));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let mut builder =
                ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
            builder.capabilities(capabilities);
            let client = builder.connect(&format!("http://127.0.0.1:{port}")).await.unwrap();
            let long = Some(Duration::from_secs(120));
            let timeouts = TimeoutConfiguration::new(long, long, Some(Duration::ZERO));
            client.update_timeouts(timeouts).await.unwrap();
            client
        });
        Self { runtime, client: Some(client), driver, server, _profile: profile, _turn: turn }
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("open until it is dropped")
    }

    /// Opens a page of the explorer and waits until it is filled.
    pub fn open(&self, path: &str) {
        self.open_url(&self.server.url(path));
        self.filled();
    }

    pub fn open_url(&self, url: &str) {
        self.runtime.block_on(self.client().goto(url)).unwrap();
    }

    /// Waits until all values are on the page.
    pub fn filled(&self) {
        self.until(
            "!document.querySelector('#state') || document.querySelector('#state[data-ready]')",
        );
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let begun = Instant::now();
        while self.script(&format!("return !!({expression})"), vec![]) != json!(true) {
            assert!(begun.elapsed() < Duration::from_secs(60), "never: {expression}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.runtime.block_on(self.client().execute(script, arguments)).unwrap()
    }

    /// A script that calls its last argument when it is done.
    pub fn script_until_done(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.runtime.block_on(self.client().execute_async(script, arguments)).unwrap()
    }

    pub fn text(&self, selector: &str) -> String {
        let script = "const found = document.querySelector(arguments[0]);\
                      return found ? found.textContent.replace(/\\s+/g, ' ').trim() : '';";
        self.script(script, vec![json!(selector)]).as_str().unwrap().to_owned()
    }

    pub fn address(&self) -> String {
        self.runtime.block_on(self.client().current_url()).unwrap().to_string()
    }

    /// Clicks as a mouse does, and waits for the page that follows.
    pub fn click(&self, selector: &str) {
        let clicked = self.runtime.block_on(async {
            let locator = fantoccini::Locator::Css(selector);
            self.client().find(locator).await?.click().await
        });
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
        self.filled();
    }

    /// Types into whatever has the focus, or into the page.
    pub fn press(&self, keys: &str) {
        let pressed = self
            .runtime
            .block_on(async { self.client().active_element().await?.send_keys(keys).await });
        pressed.unwrap();
        self.filled();
    }

    pub fn back(&self) {
        self.runtime.block_on(self.client().back()).unwrap();
    }

    pub fn size(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.cdp("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    pub fn cdp(&self, command: &str, parameters: Value) -> Value {
        let command = Cdp { command: command.to_owned(), parameters };
        self.runtime.block_on(self.client().issue_cmd(command)).unwrap()
    }

    /// Keeps a picture of the page where EVERYPLY_SCREENSHOTS names a directory.
    pub fn picture(&self, name: &str) {
        let Some(directory) = std::env::var_os("EVERYPLY_SCREENSHOTS") else { return };
        let taken = self.runtime.block_on(self.client().screenshot()).unwrap();
        std::fs::create_dir_all(&directory).unwrap();
        let path = std::path::Path::new(&directory).join(format!("{name}.png"));
        std::fs::write(path, taken).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self.runtime.block_on(client.close());
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A command of Chromium's own protocol.
#[derive(Debug)]
struct Cdp {
    command: String,
    parameters: Value,
}

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (hyper::Method, Option<String>) {
        let body = json!({ "cmd": self.command, "params": self.parameters });
        (hyper::Method::POST, Some(body.to_string()))
    }
}

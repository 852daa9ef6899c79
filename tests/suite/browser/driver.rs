//! A browser for a test: Chromium without a window, its driver, and `analyze serve`.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::site::Site;
use super::web_driver::Session;
use crate::server::Server;

/// The turn of the one browser that runs at a time: several would share the processors.
static TURN: Mutex<()> = Mutex::new(());

/// A page under test.
pub struct Browser {
    session: Session,
    driver: Child,
    pub server: Server,
    /// The static files, if these are tested.
    pub site: Option<Site>,
    _profile: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// A browser, or `None` with a message unless these tests are requested.
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
    Some(Browser::start(None))
}

/// A browser with pages of the static files; `None` without such files.
pub fn browser_of_site() -> Option<Browser> {
    std::env::var_os("EVERYPLY_SITE").is_some().then(|| Browser::start(Site::of_environment()))
}

impl Browser {
    fn start(site: Option<Site>) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let strategies = Site::strategies();
        let files = strategies.iter().map(String::as_str);
        let server = Server::start(&files.chain(["--limit", "30"]).collect::<Vec<_>>());
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
        let session = Session::open(port, &json!({ "goog:chromeOptions": { "args": arguments } }));
        let long = 120_000;
        session.post("timeouts", &json!({ "script": long, "pageLoad": long, "implicit": 0 }));
        let browser = Self { session, driver, server, site, _profile: profile, _turn: turn };
        // Without it, pages in newer browsers without a window have no focus.
        browser.cdp("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        browser
    }

    /// Opens a page of the explorer and waits until it is filled.
    pub fn open(&self, path: &str) {
        self.open_url(&self.url(path));
        self.filled();
    }

    /// The URL of an address of the explorer.
    pub fn url(&self, path: &str) -> String {
        self.site.as_ref().map_or_else(|| self.server.url(path), |site| site.url(path))
    }

    /// Opens a URL and waits until the page is there, with or without its values.
    pub fn open_url(&self, url: &str) {
        if self.site.is_some() {
            // Another fragment alone would not load the page anew.
            self.session.post("url", &json!({ "url": "about:blank" }));
        }
        self.session.post("url", &json!({ "url": url }));
        self.until("!document.querySelector('#loading')");
    }

    /// Waits until all values are on the page.
    pub fn filled(&self) {
        self.until(
            "!document.querySelector('#state, #loading') || document.querySelector('#state[data-ready]')",
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
        self.session
            .post("execute/sync", &json!({ "script": script, "args": Value::Array(arguments) }))
    }

    /// A script that calls its last argument when it is done.
    pub fn script_until_done(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.session
            .post("execute/async", &json!({ "script": script, "args": Value::Array(arguments) }))
    }

    pub fn text(&self, selector: &str) -> String {
        let script = "const found = document.querySelector(arguments[0]);\
                      return found ? found.textContent.replace(/\\s+/g, ' ').trim() : '';";
        self.script(script, vec![json!(selector)]).as_str().unwrap().to_owned()
    }

    pub fn address(&self) -> String {
        self.session.get("url").as_str().unwrap().to_owned()
    }

    /// Clicks as a mouse does, and waits for the page that follows.
    pub fn click(&self, selector: &str) {
        // An element of a hidden panel is reached by the panel's tab.
        let open = "const found = document.querySelector(arguments[0]);\
                    const panel = found && found.closest('.tab:not(.shown)');\
                    if (panel) document.querySelector(`[aria-controls=${panel.id}]`).click();";
        self.script(open, vec![json!(selector)]);
        let found =
            self.session.post("element", &json!({ "using": "css selector", "value": selector }));
        self.session.post(&format!("element/{}/click", element(&found)), &json!({}));
        self.filled();
    }

    /// Types into the element with the focus, or into the page.
    pub fn press(&self, keys: &str) {
        let focus = self.session.get("element/active");
        self.session.post(&format!("element/{}/value", element(&focus)), &json!({ "text": keys }));
        self.filled();
    }

    pub fn back(&self) {
        self.session.post("back", &json!({}));
    }

    pub fn size(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.cdp("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    pub fn cdp(&self, command: &str, parameters: &Value) -> Value {
        self.session.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// The page as a PDF in base64. A separate process prints, and on a busy machine it sometimes
    /// fails.
    pub fn printed(&self) -> Value {
        let parameters = json!({ "printBackground": false });
        let print = json!({ "cmd": "Page.printToPDF", "params": parameters });
        let mut tries = 0;
        loop {
            match self.session.try_post("goog/cdp/execute", &print) {
                Ok(mut printed) => return printed["data"].take(),
                Err(message) if tries < 5 && message.to_string().contains("Printing failed") => {
                    tries += 1;
                    std::thread::sleep(Duration::from_secs(tries));
                }
                Err(message) => panic!("{message}"),
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.close();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The driver's name of an element of the page.
fn element(answer: &Value) -> &str {
    // The key is a constant of the WebDriver standard, section 12, "Elements".
    answer["element-6066-11e4-a52e-4f735466cecf"].as_str().expect("an element")
}

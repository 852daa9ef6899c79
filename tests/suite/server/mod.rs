//! A running `analyze serve`, and the promises of its HTTP API.

mod api;
mod batch;
mod crowded;
mod documented;
mod hostile;
mod openapi;
mod origins;
mod registered;
mod served;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The program serving on a port of its own; it ends with the value.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_analyze")).args(["serve"]).args(arguments))
    }

    /// The program serving files.
    pub fn of<const N: usize>(files: &[PathBuf; N]) -> Self {
        Self::start(&files.each_ref().map(|path| path.to_str().unwrap()))
    }

    fn run(command: &mut Command) -> Self {
        let command = command.args(["--port", "0"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split(['/', ' ']).find_map(|word| word.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}"));
        Self { child, address }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Status and body of a GET request.
    pub fn get(&self, target: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(self.request(target).as_bytes()).unwrap();
        answer(&mut stream)
    }

    /// A GET request after whose answer the connection ends.
    pub fn request(&self, target: &str) -> String {
        let host = self.address;
        format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    }

    /// Status and body of a POST request.
    pub fn post(&self, target: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let length = format!("Content-Length: {}\r\n\r\n", body.len());
        let head = self.request(target).replacen("GET", "POST", 1);
        let head = format!("{}{length}", head.strip_suffix("\r\n").unwrap());
        // A server may refuse a long body before all of it is sent.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        answer(&mut stream)
    }

    /// Head and body of the answer to a request.
    pub fn whole_answer(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    pub fn json(&self, target: &str) -> serde_json::Value {
        let (status, body) = self.get(target);
        assert_eq!(status, 200, "{target}: {body}");
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{target}: {error}: {body}"))
    }

    /// The lines that `/api/v1/watch` answers.
    pub fn watch(&self, query: &str) -> Vec<serde_json::Value> {
        lines(&self.get(&format!("/api/v1/watch?{query}")).1)
    }

    /// Checks that a GET request is refused as wrong.
    pub fn refuses(&self, target: &str, message: &str) {
        let (status, body) = self.get(target);
        assert!(status == 400 && body.contains(message), "{target}: {status} {body}");
    }

    /// Checks that a page has these parts.
    pub fn shows(&self, target: &str, parts: &[&str]) -> String {
        let (status, page) = self.get(target);
        assert_eq!(status, 200, "{target}: {page}");
        for part in parts {
            assert!(page.contains(part), "{target}: {part} is not in {page}");
        }
        page
    }

    /// Resident memory in KiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Processor time used so far, in ticks.
    #[cfg(target_os = "linux")]
    pub fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer that ends with its connection.
pub fn answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    // A server may reset a connection on which it refused to read everything.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    (status, if chunked { unchunked(body) } else { body.to_owned() })
}

/// The values of lines of JSON.
fn lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let Ok(length) = usize::from_str_radix(length.trim(), 16) else { break };
        text.push_str(rest.get(..length).unwrap_or(rest));
        body = rest.get(length + 2..).unwrap_or_default();
    }
    text
}

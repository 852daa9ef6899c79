//! A client for a browser's driver: the few commands of the WebDriver standard (W3C) that the tests
//! need, over plain HTTP on this machine. A client crate would bring more crates than the program
//! has.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// A browser under the driver's control.
pub struct Session {
    port: u16,
    id: String,
}

impl Session {
    /// Starts a browser.
    pub fn open(port: u16, capabilities: &Value) -> Self {
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let session = expect(request(port, "POST", "/session", Some(&wanted)));
        Self { port, id: session["sessionId"].as_str().expect("a session").to_owned() }
    }

    /// Sends a GET request.
    pub fn get(&self, command: &str) -> Value {
        expect(request(self.port, "GET", &self.path(command), None))
    }

    /// Sends a command.
    pub fn post(&self, command: &str, parameters: &Value) -> Value {
        expect(request(self.port, "POST", &self.path(command), Some(parameters)))
    }

    /// Sends a command that may fail; then returns the driver's message.
    pub fn try_post(&self, command: &str, parameters: &Value) -> Result<Value, Value> {
        value_of(request(self.port, "POST", &self.path(command), Some(parameters)))
    }

    /// Ends the browser, which may have ended by itself.
    pub fn close(&self) {
        let _ = request(self.port, "DELETE", &format!("/session/{}", self.id), None);
    }

    fn path(&self, command: &str) -> String {
        format!("/session/{}/{command}", self.id)
    }
}

/// An answer of the driver: a value, or the message of an error.
fn value_of(answer: std::io::Result<(String, Value)>) -> Result<Value, Value> {
    let (status, mut answer) = answer.expect("the driver answers");
    if status.contains(" 200 ") {
        Ok(answer["value"].take())
    } else {
        Err(answer["value"]["message"].take())
    }
}

fn expect(answer: std::io::Result<(String, Value)>) -> Value {
    value_of(answer).unwrap_or_else(|message| panic!("{message}"))
}

/// Status line and document of an answer.
fn request(
    port: u16,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> std::io::Result<(String, Value)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    // Longer than any command may take.
    stream.set_read_timeout(Some(Duration::from_secs(180)))?;
    let body = body.map_or_else(String::new, Value::to_string);
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = BufReader::new(stream);
    let mut status = String::new();
    answer.read_line(&mut status)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        answer.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut document = vec![0; length];
    answer.read_exact(&mut document)?;
    Ok((status, serde_json::from_slice(&document)?))
}

//! Access checks: the host names of this server, and pages of other origins.
//!
//! A foreign page can make its own host name point to this machine and then read the server's
//! answers, unless the server checks the host name of each request (DNS rebinding).

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version};
use axum::middleware::Next;

use super::prelude::*;

/// Hosts and origins that are allowed besides the server's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// Further host names of this server.
    pub hosts: Vec<HostName>,
    /// Pages that may read answers of the API.
    pub origins: Vec<PageOrigin>,
}

/// The address that a connection was made to, if the system knows it.
#[derive(Clone, Copy, Debug)]
pub struct LocalAddress(pub Option<SocketAddr>);

/// A host's name or address; with a port, only that port matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName {
    name: String,
    port: Option<u16>,
}

impl HostName {
    /// Reads a `Host` header's value: a name or an address, with or without a port.
    fn read(text: &str) -> Option<Self> {
        let authority: Authority = text.parse().ok()?;
        let name = authority.host();
        // An IPv6 address is in brackets.
        let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let sound = match inner {
            Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok(),
            None => name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)),
        };
        let port = match authority.as_str().strip_prefix(name)? {
            "" => None,
            rest => Some(rest.strip_prefix(':')?.parse().ok()?),
        };
        (sound && !name.is_empty()).then(|| Self { name: name.to_ascii_lowercase(), port })
    }

    fn address(&self) -> Option<IpAddr> {
        self.name.trim_matches(['[', ']']).parse::<IpAddr>().ok()
    }
}

impl std::str::FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::read(text).ok_or_else(|| {
            "a host is a name or an address, such as everyply.example, 192.168.1.5 or [::1], \
             with a port to allow only that port (everyply.example:8080)"
                .to_owned()
        })
    }
}

/// An origin as browsers send it (`https://everyply.example`), or all origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageOrigin {
    Any,
    One(String),
}

impl std::str::FromStr for PageOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
        match host.and_then(HostName::read) {
            Some(_) => Ok(Self::One(text.to_ascii_lowercase())),
            None => Err("an origin is a scheme and a host, such as https://everyply.example or \
                         http://localhost:8000, without a path; or * for every page"
                .to_owned()),
        }
    }
}

/// The refusal of a request whose `Host` header is not one of a host.
fn malformed(why: &str) -> ApiError {
    ApiError::refused(format!("a request needs one Host header; this request has {why}"))
}

impl Admission {
    /// Checks that a request to a local address names a host of this server.
    fn check(
        &self,
        version: Version,
        uri: &Uri,
        headers: &HeaderMap,
        local: SocketAddr,
    ) -> Result<(), ApiError> {
        let mut hosts = headers.get_all(header::HOST).iter();
        match (hosts.next(), hosts.next()) {
            (Some(_), Some(_)) => return Err(malformed("several of them")),
            (Some(host), None) => {
                let host = host.to_str().map_err(|_| malformed("one that is not a host"))?;
                self.known(host, local)?;
            }
            (None, _) if version >= Version::HTTP_11 => {
                return Err(malformed("none, which only HTTP/1.0 allows"));
            }
            // No browser uses HTTP/1.0, but a target may still name a host.
            (None, _) => {}
        }
        uri.authority().map_or(Ok(()), |authority| self.known(authority.as_str(), local))
    }

    fn known(&self, text: &str, local: SocketAddr) -> Result<(), ApiError> {
        let Some(host) = HostName::read(text) else {
            return Err(malformed("one that is not a host"));
        };
        let allowed = |other: &HostName| {
            other.name == host.name && (other.port.is_none() || other.port == host.port)
        };
        // Browsers leave out the port of the scheme.
        let port = host.port.unwrap_or(80) == local.port();
        let own = match host.address() {
            Some(address) => {
                let address = address.to_canonical();
                address == local.ip().to_canonical()
                    || local.ip().to_canonical().is_loopback() && address.is_loopback()
            }
            None => host.name == "localhost",
        };
        if own && port || self.hosts.iter().any(allowed) {
            return Ok(());
        }
        let host = super::request::shown(text);
        let error = format!(
            "'{host}' is not a host of this server: use its address, \
             or start it with {host} as an allowed host"
        );
        Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, error))
    }

    /// The value of `Access-Control-Allow-Origin` for a page; `None` if the header is not sent.
    fn allowed_origin(&self, origin: Option<&HeaderValue>) -> Option<HeaderValue> {
        if self.origins.contains(&PageOrigin::Any) {
            return Some(HeaderValue::from_static("*"));
        }
        let origin = origin?;
        let text = origin.to_str().ok()?;
        let one = |other: &PageOrigin| matches!(other, PageOrigin::One(one) if one == text);
        self.origins.iter().any(one).then(|| origin.clone())
    }
}

/// Refuses requests for other hosts.
pub async fn admitted(
    State(admission): State<Arc<Admission>>,
    ConnectInfo(LocalAddress(local)): ConnectInfo<LocalAddress>,
    request: Request,
    next: Next,
) -> Response {
    let Some(local) = local else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let (version, uri, headers) = (request.version(), request.uri(), request.headers());
    match admission.check(version, uri, headers, local) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

/// Lets pages of allowed origins read the answer.
pub async fn shared_with_origins(
    State(admission): State<Arc<Admission>>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = admission.allowed_origin(request.headers().get(header::ORIGIN));
    let mut response = next.run(request).await;
    if !admission.origins.is_empty() {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
    }
    if let Some(allowed) = allowed {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(admission: &Admission, local: &str, version: Version, hosts: &[&str]) -> u16 {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(header::HOST, HeaderValue::from_bytes(host.as_bytes()).unwrap());
        }
        let uri = Uri::from_static("/solve?pos=");
        match admission.check(version, &uri, &headers, local.parse().unwrap()) {
            Ok(()) => 200,
            Err(refused) => refused.status.as_u16(),
        }
    }

    #[test]
    fn only_own_hosts_are_accepted() {
        let none = Admission::default();
        let status = |local: &str, host: &str| checked(&none, local, Version::HTTP_11, &[host]);
        for (local, host, expected) in [
            ("127.0.0.1:4453", "127.0.0.1:4453", 200),
            ("127.0.0.1:4453", "localhost:4453", 200),
            ("127.0.0.1:4453", "LocalHost:4453", 200),
            ("127.0.0.1:4453", "[::1]:4453", 200),
            ("[::1]:4453", "[::1]:4453", 200),
            ("[::1]:4453", "[0:0:0:0:0:0:0:1]:4453", 200),
            ("[::ffff:127.0.0.1]:4453", "127.0.0.1:4453", 200),
            ("192.168.1.5:4453", "192.168.1.5:4453", 200),
            ("127.0.0.1:80", "localhost", 200),
            ("127.0.0.1:4453", "localhost", 421),
            ("127.0.0.1:4453", "localhost:4454", 421),
            ("127.0.0.1:4453", "evil.example:4453", 421),
            ("127.0.0.1:4453", "localhost.evil.example:4453", 421),
            ("127.0.0.1:4453", "127.0.0.1.evil.example:4453", 421),
            ("127.0.0.1:4453", "192.168.1.5:4453", 421),
            ("192.168.1.5:4453", "192.168.1.6:4453", 421),
            ("127.0.0.1:4453", "", 400),
            ("127.0.0.1:4453", "a b", 400),
            ("127.0.0.1:4453", "user@localhost:4453", 400),
            ("127.0.0.1:4453", "localhost:", 400),
            ("127.0.0.1:4453", "localhost:99999", 400),
            ("127.0.0.1:4453", "[::1", 400),
            ("127.0.0.1:4453", "localhost:4453/x", 400),
            ("127.0.0.1:4453", "\u{e9}.example", 400),
        ] {
            assert_eq!(status(local, host), expected, "{host} at {local}");
        }
    }

    #[test]
    fn a_request_names_one_host_and_further_hosts_are_allowed_by_name() {
        let local = "10.0.0.1:4453";
        let hosts = ["everyply.example", "games.example:443"].map(|host| host.parse().unwrap());
        let admission = Admission { hosts: hosts.to_vec(), ..Admission::default() };
        let status = |version, hosts: &[&str]| checked(&admission, local, version, hosts);
        assert_eq!(status(Version::HTTP_11, &["everyply.example"]), 200);
        assert_eq!(status(Version::HTTP_11, &["Everyply.example:1234"]), 200);
        assert_eq!(status(Version::HTTP_11, &["games.example:443"]), 200);
        assert_eq!(status(Version::HTTP_11, &["games.example"]), 421);
        assert_eq!(status(Version::HTTP_10, &["other.example"]), 421);
        assert_eq!(status(Version::HTTP_11, &[]), 400);
        assert_eq!(status(Version::HTTP_10, &[]), 200);
        assert_eq!(status(Version::HTTP_11, &["everyply.example", "everyply.example"]), 400);
        // A target that names a host.
        let uri = Uri::from_static("http://other.example/solve");
        let mut headers = HeaderMap::new();
        let local = local.parse().unwrap();
        assert!(admission.check(Version::HTTP_10, &uri, &headers, local).is_err());
        headers.insert(header::HOST, HeaderValue::from_static("everyply.example"));
        assert!(admission.check(Version::HTTP_11, &uri, &headers, local).is_err());
        for bad in ["", "a b", "http://a", "a/b", "a:b", "*"] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
    }
}

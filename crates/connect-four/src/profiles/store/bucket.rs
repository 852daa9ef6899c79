//! The bucket store, on an S3-compatible server.

use std::io;
use std::ops::Range;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::{
    Error, GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt, PutMode, PutPayload,
    RetryConfig,
};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::{Store, check_name};

/// The remedy for most errors of a bucket.
const REMEDY: &str = "check the bucket, AWS_ENDPOINT_URL, AWS_REGION, AWS_ALLOW_HTTP and the \
                      credentials, then try again";
/// The size of parts: larger objects are sent in parts, so that a lost connection costs one part.
/// The server joins the parts in one step.
const PART: usize = 16 << 20;
/// The number of parts sent at a time.
const PARTS: usize = 4;
/// The time during which failed requests are repeated.
const RETRY_TIMEOUT: Duration = Duration::from_secs(120);
/// The most repetitions of a request, each after a longer pause.
const RETRIES: usize = 12;

/// A prefix in a bucket of an S3-compatible server.
///
/// Server and credentials are in the usual variables of the environment: `AWS_ENDPOINT_URL`,
/// `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ALLOW_HTTP=true` for servers
/// without encryption. Failed requests are repeated for two minutes.
///
/// Calls block until the server answers, so tasks of a tokio runtime must not make them.
#[derive(Debug)]
pub struct Bucket {
    store: AmazonS3,
    runtime: Runtime,
    bucket: String,
    /// The prefix of names, empty or with a slash at the end.
    prefix: String,
}

impl Bucket {
    /// Opens `s3://bucket/prefix` and checks with one request that the bucket exists.
    ///
    /// # Errors
    /// If the place is no such URL, or the server does not answer, has no such bucket, or refuses
    /// the credentials.
    pub fn open(place: &str) -> io::Result<Self> {
        let refuse = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
        let named = |error: &dyn std::fmt::Display| format!("{place}: {error}; {REMEDY}");
        let path = place.strip_prefix("s3://").unwrap_or_default();
        let (bucket, prefix) = path.split_once('/').unwrap_or((path, ""));
        let prefix = prefix.trim_end_matches('/');
        if bucket.is_empty() {
            return Err(refuse(format!("{place}: no bucket: use s3://bucket/prefix")));
        }
        let prefix = Path::parse(prefix).map_err(|error| {
            refuse(format!("{place}: {error}; use s3://bucket/prefix without . and .. parts"))
        })?;
        // If another part of the program has already chosen a provider, its choice is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry = RetryConfig {
            max_retries: RETRIES,
            retry_timeout: RETRY_TIMEOUT,
            ..RetryConfig::default()
        };
        let store = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_retry(retry)
            .build()
            .map_err(|error| refuse(named(&error)))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let prefix = match prefix.as_ref() {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        };
        let opened = Self { store, runtime, bucket: bucket.to_owned(), prefix };
        let first = PaginatedListOptions { max_keys: Some(1), ..PaginatedListOptions::default() };
        let asked = opened.store.list_paginated(Some(&opened.prefix), first);
        opened.runtime.block_on(asked).map_err(|error| opened.failed("", &error))?;
        Ok(opened)
    }

    fn path(&self, name: &str) -> io::Result<Path> {
        check_name(name)?;
        let path = format!("{}{name}", self.prefix);
        Path::parse(&path).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
    }

    /// The error of an operation on an object, or on the bucket if the name is empty.
    fn failed(&self, name: &str, error: &Error) -> io::Error {
        let kind = match error {
            Error::NotFound { .. } => io::ErrorKind::NotFound,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                io::ErrorKind::PermissionDenied
            }
            _ => io::ErrorKind::Other,
        };
        let Self { bucket, prefix, .. } = self;
        io::Error::new(kind, format!("s3://{bucket}/{prefix}{name}: {error}; {REMEDY}"))
    }

    /// Turns the error about a missing object into `None`.
    fn found<T>(&self, name: &str, answer: Result<T, Error>) -> io::Result<Option<T>> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    async fn put_in_parts(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut upload = self.store.put_multipart(path).await?;
        match send_parts(&mut *upload, bytes).await {
            Ok(()) => upload.complete().await.map(drop),
            Err(error) => {
                // Leftover parts are invisible and only take room; the first error is returned.
                let _ = upload.abort().await;
                Err(error)
            }
        }
    }
}

async fn send_parts(upload: &mut dyn MultipartUpload, bytes: &[u8]) -> Result<(), Error> {
    let mut sending = JoinSet::new();
    for part in bytes.chunks(PART) {
        if sending.len() == PARTS
            && let Some(sent) = sending.join_next().await
        {
            sent??;
        }
        sending.spawn(upload.put_part(PutPayload::from(part.to_vec())));
    }
    while let Some(sent) = sending.join_next().await {
        sent??;
    }
    Ok(())
}

impl Store for Bucket {
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(name)?;
        let wanted = match (range.start, range.end) {
            (0, u64::MAX) => None,
            (start, u64::MAX) => Some(GetRange::Offset(start)),
            (start, end) => Some(GetRange::Bounded(start..end)),
        };
        let options = GetOptions { range: wanted, ..GetOptions::default() };
        let answer = self.runtime.block_on(async {
            let bytes = self.store.get_opts(&path, options).await?.bytes().await?;
            Ok(Vec::from(bytes))
        });
        match self.found(name, answer) {
            // Servers refuse ranges that begin at or after the end.
            Err(error) => match self.len(name)? {
                Some(length) if range.start >= length || range.is_empty() => Ok(Some(Vec::new())),
                _ => Err(error),
            },
            found => found,
        }
    }

    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        let path = self.path(name)?;
        let answer = self.runtime.block_on(self.store.head(&path));
        Ok(self.found(name, answer)?.map(|object| object.size))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(name)?;
        let answer = self.runtime.block_on(async {
            match bytes.len() <= PART {
                true => self.store.put(&path, bytes.to_vec().into()).await.map(drop),
                false => self.put_in_parts(&path, bytes).await,
            }
        });
        answer.map_err(|error| self.failed(name, &error))
    }

    fn put_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        let path = self.path(name)?;
        let put = self.store.put_opts(&path, bytes.to_vec().into(), PutMode::Create.into());
        match self.runtime.block_on(put) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            // A user sets AWS_CONDITIONAL_PUT=disabled for a server without conditions.
            Err(Error::NotImplemented { .. }) => self.put(name, bytes).map(|()| true),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path(name)?;
        let answer = self.runtime.block_on(self.store.delete(&path));
        self.found(name, answer).map(drop)
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<String>> {
        let prefix = format!("{}{prefix}", self.prefix);
        let mut names = Vec::new();
        let mut options =
            PaginatedListOptions { delimiter: Some("/".into()), ..PaginatedListOptions::default() };
        loop {
            let asked = self.store.list_paginated(Some(&prefix), options.clone());
            let page = self.runtime.block_on(asked).map_err(|error| self.failed("", &error))?;
            let objects = page.result.objects.iter();
            let name = |path: &Path| path.filename().map(str::to_owned);
            names.extend(objects.filter_map(|object| name(&object.location)));
            options.page_token = page.page_token;
            if options.page_token.is_none() {
                break;
            }
        }
        names.retain(|name| super::is_name(name));
        names.sort_unstable();
        Ok(names)
    }

    fn place(&self) -> String {
        format!("s3://{}/{}", self.bucket, self.prefix.trim_end_matches('/'))
    }
}

// Keeps the files of the page, so that it works without a network after the first visit.
"use strict";
importScripts("files.js");
const { version, all } = self.everyply;

addEventListener("install", (event) => {
  const fresh = all.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

// Deletes old caches of this page alone: other pages of the host have their own.
addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("everyply ") && name !== version);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});

// With these headers, browsers let the page and its worker share memory.
function isolated({ body, status, statusText, headers }) {
  const own = new Headers(headers);
  own.set("Cross-Origin-Opener-Policy", "same-origin");
  own.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(body, { status, statusText, headers: own });
}

addEventListener("fetch", (event) => {
  const kept = caches.open(version).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then(async (answer) => isolated(answer || await fetch(event.request))));
});

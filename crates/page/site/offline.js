// Keeps the files of the page, so that it works without a network after the first visit.
"use strict";
importScripts("files.js");
const { version, all } = self.everyply;

addEventListener("install", (event) => {
  const fresh = all.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

// Caches of this scope alone: other pages of the host have theirs.
addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("everyply ") && name !== version);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const kept = caches.open(version).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then((answer) => answer || fetch(event.request)));
});

// The explorer without a server: the module in a worker answers its script's requests. The address
// of a page is in the fragment: #/connect4?moves=44.
"use strict";
(() => {
  const base = new URL(".", document.currentScript.src);
  const { first, later } = self.everyply;
  const settings = { mib: 256, longest: 15000 };
  // Milliseconds that an abandoned search may take to end by itself.
  const PATIENCE = 50;
  // Set to stop a search and keep its worker with its tables. Browsers have shared memory if the headers
  // of the page allow it; offline.js sends them from the second visit on.
  const stop = self.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;

  const load = window.fetch.bind(window);
  const bytes = async (name) => {
    const answer = await load(new URL(name, base));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer.arrayBuffer();
  };
  // Not compileStreaming, which needs the right content type from the host.
  const code = bytes("everyply.wasm").then((bytes) => WebAssembly.compile(bytes));
  let files = Promise.all(first.map(bytes));

  const gone = () => new DOMException("nobody waits for the answer", "AbortError");
  // The worker once it is ready, the question it answers, and the waiting questions; once all files are
  // loaded, a spare worker to replace it.
  let worker = null, current = null, waiting = [], spare = null;

  async function make() {
    const made = new Worker(new URL("worker.js", base));
    made.onmessage = ({ data }) => made === worker && heard(data);
    made.onerror = () => made === worker && heard({ failed: "the worker failed" });
    made.postMessage({ code: await code, files: await files, stop, ...settings });
    return made;
  }

  async function begin() {
    worker = await (spare || make());
    next();
    if (spare) spare = make();
  }

  function restart() {
    worker.terminate();
    worker = current = null;
    begin().catch(report);
  }

  function next() {
    if (!worker || current || !waiting.length) return;
    current = waiting.shift();
    if (stop) Atomics.store(stop, 0, 0);
    worker.postMessage({ address: current.address, part: current.part });
  }

  function heard({ line, answer, failed }) {
    const question = current;
    if (line !== undefined) return question && question.line(line);
    if (failed !== undefined) {
      if (!question) return report(new Error(failed));
      console.error(failed);
      question.answer({ status: 500, ...failure(question.address) });
      return restart();
    }
    current = null;
    question.answer(answer);
    next();
  }

  function failure(address) {
    const error = "The computation failed. Please report this as a bug, with the address of the page.";
    if (address.startsWith("/api/")) return { kind: "application/json", body: `${JSON.stringify({ error })}\n` };
    return { kind: "text/html", body: `<p class="error" role="alert">${error}</p>` };
  }

  // Asks the module; lines of the answer may arrive before it is complete.
  function ask(address, part, signal) {
    return new Promise((resolve, reject) => {
      if (signal && signal.aborted) return reject(gone());
      let lines = null;
      const question = {
        address,
        part,
        line(text) {
          if (!lines) {
            const stream = new ReadableStream({ start(controller) { lines = controller; } });
            resolve({ status: 200, kind: "application/x-ndjson", body: stream });
          }
          lines.enqueue(new TextEncoder().encode(text));
        },
        answer(answer) {
          if (lines) lines.close();
          else resolve(answer);
        },
      };
      waiting.push(question);
      next();
      if (signal) signal.addEventListener("abort", () => {
        const isWaiting = waiting.includes(question);
        if (!isWaiting && current !== question) return;
        waiting = waiting.filter((other) => other !== question);
        if (lines) lines.error(gone());
        reject(gone());
        question.line = question.answer = () => {};
        if (stop && !isWaiting) Atomics.store(stop, 0, 1);
        if (!isWaiting) setTimeout(() => { if (current === question) restart(); }, stop ? 10 * PATIENCE : PATIENCE);
      });
    });
  }

  // The address in the fragment of a page's URL.
  function addressOf(url) {
    const { pathname, search } = new URL(url.hash.startsWith("#/") ? url.hash.slice(1) : "/", "http://page");
    return pathname + search;
  }

  const linked = (html) => html.replace(/((?:href|action|data-(?:href|reply|src|watch))=")\//g, "$1#/");

  async function answered(url, { headers, signal } = {}) {
    let address = addressOf(url);
    for (;;) {
      const { status, kind, location: to, body } = await ask(address, !!headers && "x-part" in headers, signal);
      if (status === 303) { address = to; continue; }
      const shown = kind.startsWith("text/html") ? linked(body) : body;
      const response = new Response(shown, { status, headers: { "content-type": kind } });
      const own = Object.assign(new URL(location.href), { hash: address === "/" ? "" : address });
      return Object.defineProperty(response, "url", { value: own.href });
    }
  }

  window.fetch = (target, how) => {
    const url = new URL(target, location.href);
    const own = url.origin === location.origin && url.pathname === location.pathname;
    return own ? answered(url, how) : load(target, how);
  };

  async function show() {
    begin().catch(report);
    const whole = await (await window.fetch(location.href)).text();
    const made = new DOMParser().parseFromString(whole, "text/html");
    document.title = made.title;
    for (const part of ["header", "main"]) document.querySelector(part).replaceWith(made.querySelector(part));
    document.body.append(Object.assign(document.createElement("script"), { src: new URL("explorer.js", base) }));
  }

  // Files that the first page does not wait for.
  async function complete() {
    const all = await Promise.all(later.map(bytes));
    files = Promise.resolve(all);
    if (worker) worker.postMessage({ files: all, ...settings });
    spare = make();
    if ("serviceWorker" in navigator) await navigator.serviceWorker.register(new URL("offline.js", base));
  }

  function report(error) {
    console.error(error);
    const text = `This page does not work: ${error.message}`;
    const line = Object.assign(document.createElement("p"), { className: "error", textContent: text });
    line.setAttribute("role", "alert");
    document.getElementById("main").append(line);
  }

  show().then(complete).catch(report);
})();

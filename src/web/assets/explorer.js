// Pages work without this. It follows links without reloading, fills in values as they are
// found, lets the machine move, and listens to keys.
"use strict";
(() => {
  const main = document.getElementById("main");
  let current = new AbortController();
  const one = (selector) => main.querySelector(selector);

  // The board has to be found again after it was replaced.
  function place() {
    const focused = document.activeElement;
    if (!focused || !main.contains(focused)) return null;
    if (focused.dataset.move) return `a[data-move="${CSS.escape(focused.dataset.move)}"]`;
    return focused.id ? `#${focused.id}` : "a[data-move]";
  }

  async function go(url, how) {
    const focus = place();
    current.abort();
    current = new AbortController();
    const before = one("#state");
    if (before) { delete before.dataset.ready; delete before.dataset.valued; }
    try {
      const answer = await fetch(url, { headers: { "x-part": "main" }, signal: current.signal });
      const text = await answer.text();
      main.innerHTML = text;
      if (how === "push") history.pushState(null, "", answer.url);
      const next = focus && (one(focus) || one("a[data-move]") || one("#new"));
      if (next) next.focus({ preventScroll: true });
      start();
    } catch (error) {
      if (error.name !== "AbortError") location.assign(url);
    }
  }

  function element(name, text, kind) {
    return Object.assign(document.createElement(name), { textContent: text, className: kind || "" });
  }

  function show(line) {
    const place = one(`[data-move="${line.move}"]`);
    if (!place) return;
    const value = place.querySelector(".value");
    if (line.outcome) {
      value.replaceChildren(element("span", ": ", "spoken"), line.outcome + " ");
      const known = line.remoteness !== null;
      if (known) value.append(element("span", "in ", "spoken"), element("b", String(line.remoteness)));
      place.querySelector(".rest").textContent = !known ? "" : line.remoteness === 1 ? " ply" : " plies";
      place.classList.remove("v-win", "v-draw", "v-loss");
      place.classList.add(`v-${line.outcome}`);
    } else if (line.worst) {
      const same = line.worst.outcome === line.best.outcome;
      value.textContent = same ? `${line.worst.outcome} ?` : "…";
      const range = `${line.worst.outcome} in ${line.worst.remoteness} to ${line.best.outcome} in ${line.best.remoteness}`;
      one("#status").textContent = `Thinking: ${place.dataset.label} is between ${range} plies …`;
    }
  }

  function finish(line) {
    one("#status").textContent = line.words || line.error || "";
    for (const number of line.best || []) {
      const place = one(`[data-move="${number}"]`);
      if (place) {
        place.classList.add("best");
        place.querySelector(".rest").textContent += ", best";
      }
    }
    for (const value of main.querySelectorAll(".value")) {
      if (value.textContent === "…") value.textContent = "?";
    }
  }

  async function watch(url, signal) {
    const answer = await fetch(url, { signal });
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let text = "", partial = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return partial;
      text += decoder.decode(value, { stream: true });
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines.map((line) => JSON.parse(line))) {
        if (line.done || line.error) finish(line), (partial = !!line.partial);
        else if (line.depth) one("#status").textContent = `Thinking: all of ${line.depth} plies seen …`;
        else show(line);
      }
    }
  }

  async function part(section, signal) {
    const answer = await fetch(section.dataset.src, { signal });
    if (answer.ok) section.innerHTML = await answer.text();
    section.removeAttribute("data-src");
  }

  async function reply(url, signal) {
    const answer = await (await fetch(url, { signal })).json();
    const place = one(`[data-move="${answer.move}"]`);
    if (place) await go(place.dataset.href, "push");
    else one("#status").textContent = answer.error || "The machine has no move.";
  }

  async function start() {
    const { signal } = current;
    const share = one("#share");
    if (share) share.value = location.href;
    const state = one("#state");
    document.title = (one("h1") || document.querySelector("title")).textContent;
    try {
      if (state && state.dataset.reply) return await reply(state.dataset.reply, signal);
      // A request ends in time; what it has proved is cached, so asking again continues from there.
      for (let turn = 0; state && state.dataset.watch && turn < 8; turn += 1) {
        if (!(await watch(state.dataset.watch, signal))) break;
      }
      if (state) state.dataset.valued = "true";
      for (const section of main.querySelectorAll("[data-src]")) await part(section, signal);
      if (state) state.dataset.ready = "true";
    } catch (error) {
      if (error.name !== "AbortError") one("#status").textContent = "The explorer does not answer.";
    }
  }

  main.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a[href]");
    if (link) {
      event.preventDefault();
      go(link.href, "push");
      return;
    }
    const column = event.target.closest(".falls td");
    const drop = column && one(`a[data-move="${column.dataset.place}"]`);
    if (drop) go(drop.href, "push");
  });

  main.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = new URLSearchParams(new FormData(event.target));
    go(`${event.target.getAttribute("action")}?${query}`, "push");
  });
  main.addEventListener("change", (event) => {
    if (event.target.closest("#options")) event.target.form.requestSubmit();
  });
  main.addEventListener("focusin", (event) => {
    if (event.target.id === "share") event.target.select();
  });
  addEventListener("popstate", () => go(location.href, "stay"));

  const buttons = { u: "#undo", r: "#redo", n: "#new", m: "#mirror", f: "#flip" };
  function step(key) {
    const places = [...main.querySelectorAll("a[data-move]")];
    if (!places.length) return;
    const at = places.indexOf(document.activeElement);
    if (at < 0) return places[0].focus();
    const falls = !!one(".falls");
    const box = places[at].getBoundingClientRect();
    const along = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
    if (falls && along[0] === 0) return;
    let best = null;
    for (const other of places) {
      const to = other.getBoundingClientRect();
      const dx = to.x - box.x, dy = to.y - box.y;
      const ahead = dx * along[0] + dy * along[1], aside = Math.abs(dx * along[1]) + Math.abs(dy * along[0]);
      if (ahead > 1 && (!best || ahead + 3 * aside < best.cost)) best = { cost: ahead + 3 * aside, other };
    }
    if (best) best.other.focus();
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !one("#board")) return;
    if (event.target.closest("input, select, textarea")) return;
    if (/^[1-9]$/.test(event.key)) {
      const place = one(`a[data-move="${event.key}"]`);
      if (place) go(place.href, "push");
    } else if (buttons[event.key]) {
      const link = one(`a${buttons[event.key]}`);
      if (link) go(link.href, "push");
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      step(event.key);
    }
  });
  start();
})();

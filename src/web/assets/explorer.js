// Pages work without this script. It follows links without reloading, fills in values as they
// are found, lets the machine move, and handles keys.
"use strict";
(() => {
  const main = document.getElementById("main");
  let current = new AbortController();
  const one = (selector) => main.querySelector(selector);

  // The focused element, to be focused again after the page was replaced: by its move, its id, or
  // the board. A visitor who has played stays on the board, also while the machine moves.
  function place() {
    const focused = document.activeElement;
    if (!focused || !main.contains(focused)) return null;
    if (focused.dataset.move) return { move: focused.dataset.move };
    if (focused.id === "board") return { move: focused.dataset.near };
    return focused.id ? { id: focused.id } : { name: focused.name };
  }

  // Focuses the place of the move, else the next one that can be played, else the board itself:
  // never a button, which a second Enter would press.
  function restore(focus) {
    const same = focus.id ? one(`a#${CSS.escape(focus.id)}, input#${CSS.escape(focus.id)}`)
      : focus.name && one(`select[name="${CSS.escape(focus.name)}"]`);
    const places = [...main.querySelectorAll("a[href][data-move]")];
    const at = places.find((place) => place.dataset.move === focus.move)
      || places.find((place) => Number(place.dataset.move) > Number(focus.move)) || places[0];
    const board = one("#board");
    const next = same || (focus.move && at) || board;
    if (!next) return;
    if (next === board && focus.move) board.dataset.near = focus.move;
    next.focus({ preventScroll: true });
  }

  // Shows a notice; a repeated one is announced again.
  function say(text) {
    const notice = one("#notice");
    if (!notice) return;
    notice.textContent = "";
    setTimeout(() => { notice.textContent = text; }, 20);
  }

  // Follows the link of a move, or shows why there is none.
  function choose(name) {
    const link = one(`a[href][data-move="${CSS.escape(name)}"]`);
    if (link) return go(link.href, "push");
    const off = one(`[data-number="${CSS.escape(name)}"]`);
    const board = one("#board");
    if (off) say(off.dataset.why);
    else if (board.dataset.none) say(board.dataset.none.replace("#", name));
  }

  // The panel shown beside the board; it stays when the page is replaced.
  let panel = null;
  function reveal() {
    const wrong = one(".tab:has(#error)");
    const shown = wrong || (panel && one(`#panel-${panel}`)) || one(".tab");
    for (const tab of main.querySelectorAll(".tab")) tab.classList.toggle("shown", tab === shown);
    for (const button of main.querySelectorAll("[role=tab]")) {
      const isShown = button.getAttribute("aria-controls") === shown.id;
      button.setAttribute("aria-selected", isShown);
      button.tabIndex = isShown ? 0 : -1;
    }
  }
  function openTab(button) {
    panel = button.id.replace("tab-", "");
    reveal();
    button.focus();
  }

  // Shows on each square that begins moves the best of their outcomes.
  const ranks = ["v-loss", "v-draw", "v-win"];
  function rate() {
    const moves = [...main.querySelectorAll("[data-cells]")];
    for (const cell of main.querySelectorAll(".squares td.begins")) {
      const at = `${cell.cellIndex},${cell.parentNode.rowIndex}`;
      const values = moves.filter((move) => move.dataset.cells.split(" ")[0] === at)
        .map((move) => ranks.findIndex((kind) => move.classList.contains(kind)));
      const best = Math.max(...values);
      if (best >= 0 && !values.includes(-1)) cell.dataset.rated = ["loss", "draw", "win"][best];
    }
  }

  // The squares chosen so far of a move on a board of squares: from, to, and what it takes.
  let path = [];

  // Adds a square to the path. A whole move is made; before that the board shows where moves go.
  function square(cell) {
    const moves = [...main.querySelectorAll("a[href][data-cells]")];
    const beginning = (cells) => moves.filter((m) => `${m.dataset.cells} `.startsWith(`${cells.join(" ")} `));
    const at = `${cell.cellIndex},${cell.parentNode.rowIndex}`;
    path = [...path, at];
    if (!beginning(path).length) path = [at];
    const found = beginning(path);
    const whole = found.length === 1 && found[0].dataset.cells === path.join(" ");
    if (whole) return go(found[0].href, "push");
    if (!found.length) path = [];
    for (const other of one("#board").querySelectorAll("td")) {
      const name = `${other.cellIndex},${other.parentNode.rowIndex}`;
      const move = found.find((m) => m.dataset.cells.split(" ")[path.length] === name);
      const outcome = move && ["v-win", "v-draw", "v-loss"].find((kind) => move.classList.contains(kind));
      other.classList.remove("chosen", "target", "v-win", "v-draw", "v-loss");
      if (path.includes(name)) other.classList.add("chosen");
      else if (move) other.classList.add("target", outcome || "target");
      if (move) other.dataset.value = move.querySelector(".value").textContent.replace(": ", "");
    }
  }

  async function go(url, how) {
    const focus = place();
    const isMove = [...main.querySelectorAll("[data-move]")].some((move) =>
      url.endsWith(move.getAttribute("href") || move.dataset.href));
    path = [];
    seconds = 0;
    current.abort();
    current = new AbortController();
    const before = one("#state");
    if (before) { delete before.dataset.ready; delete before.dataset.valued; }
    try {
      const answer = await fetch(url, { headers: { "x-part": "main" }, signal: current.signal });
      const text = await answer.text();
      main.innerHTML = text;
      main.classList.toggle("moved", how === "push" && isMove);
      if (how === "push") history.pushState(null, "", answer.url);
      if (focus) restore(focus);
      start();
    } catch (error) {
      if (error.name !== "AbortError") location.assign(url);
    }
  }

  // Puts a mark on a cell of a board that is being set up.
  function put(button, mark) {
    const cell = button.parentNode, y = cell.parentNode.rowIndex - one("#board tbody tr").rowIndex;
    button.className = mark === "." ? "hole" : `stone ${mark.toLowerCase()}`;
    button.textContent = mark === "." ? "" : mark;
    button.ariaLabel = `row ${y + 1}, column ${cell.cellIndex + 1}: ${mark === "." ? "empty" : mark}`;
    const buttons = (row) => [...row.cells].map((cell) => cell.firstChild.textContent || ".").join("");
    one("#paste textarea").value = [...one("#board tbody").rows].map(buttons).join("/");
  }

  // Lets the visitor put stones on the board, which starts with those of a picture.
  let editing = false;
  function edit(picture) {
    const board = one("#board"), rows = [...board.tBodies[0].rows], marks = picture.trim().split("/");
    if (marks.length !== rows.length) return search();
    editing = true;
    current.abort();
    current = new AbortController();
    board.classList.add("editing");
    const cells = rows.flatMap((row) => [...row.cells]);
    for (const cell of cells) {
      cell.replaceChildren(Object.assign(element("button"), { type: "button" }));
      for (const name of Object.keys(cell.dataset)) delete cell.dataset[name];
    }
    cells.forEach((cell, i) => put(cell.firstChild, (marks.join("")[i] || ".").toUpperCase()));
    one("#edit").textContent = "Cancel";
    if (one("#search")) one("#search").remove();
    one("#state").dataset.ready = "true";
    one("#status").textContent = "Click a cell, or press X, O or Delete on it; then press Set up.";
    cells[0].firstChild.focus({ preventScroll: true });
  }

  function element(name, text, kind) {
    return Object.assign(document.createElement(name), { textContent: text, className: kind || "" });
  }

  function show(line) {
    const place = one(`[data-move="${CSS.escape(line.move)}"]`);
    if (!place) return;
    const value = place.querySelector(".value");
    if (line.outcome) {
      value.replaceChildren(element("span", ": ", "spoken"), line.outcome + " ");
      const known = line.remoteness !== null;
      if (known) value.append(element("span", "in ", "spoken"), element("b", String(line.remoteness)));
      else if (/endless/.test(line.text)) value.append(element("b", "endless"));
      place.querySelector(".rest").textContent = !known ? "" : line.remoteness === 1 ? " ply" : " plies";
      if (place.dataset.told) place.dataset.told = `After ${line.move}: ${line.text}`;
      place.classList.remove("v-win", "v-draw", "v-loss", "bound");
      place.classList.add(`v-${line.outcome}`);
      place.removeAttribute("title");
    } else if (line.bounds) {
      // Bounds are labelled as bounds, without the colour of a value.
      const { worst, best } = line.bounds;
      const [least, most] = [worst.remoteness, best.remoteness].sort((a, b) => a - b);
      const same = worst.outcome === best.outcome;
      const isOpen = !same && worst.outcome === "loss" && best.outcome === "win";
      value.replaceChildren(element("span", ": ", "spoken"), same ? `${worst.outcome} in`
        : isOpen ? "open to" : worst.outcome === "draw" ? "no loss" : "no win");
      if (same || isOpen) value.append(" ", element("b", same ? `${least}–${most}` : String(least - 1)));
      place.querySelector(".rest").textContent = same || isOpen ? " plies" : "";
      place.title = line.text;
      place.classList.add("bound");
      one("#status").textContent = `${place.dataset.label}: ${line.text} …`;
    }
  }

  function finish(line) {
    one("#status").textContent = line.text || line.error || "";
    rate();
    const best = line.best || [], moves = main.querySelectorAll("[data-move]");
    // Marks say nothing if all moves are equal.
    for (const number of best.length < moves.length || best.length === 1 ? best : []) {
      const landing = one(`[data-landing="${CSS.escape(number)}"]`);
      if (landing) landing.classList.add("best");
      const place = one(`[data-move="${CSS.escape(number)}"]`);
      if (place) {
        place.classList.add("best");
        place.querySelector(".rest").textContent += ", best";
        if (place.dataset.told) place.dataset.told += ", best";
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
    let text = "", lack = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return lack;
      text += decoder.decode(value, { stream: true });
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines.map((line) => JSON.parse(line))) {
        if (line.done || line.error) finish(line), (lack = line.error ? "size" : line.interrupted ? "time" : "");
        else if (!line.depth) show(line);
      }
    }
  }

  // Shows the stone of a move, with its value, on the cell where it would land.
  function ghost(target) {
    const old = one(".ghost");
    const place = target && target.closest && target.closest("#board [data-move], #board [data-place]");
    const name = place && (place.dataset.move || place.dataset.place);
    const landing = name && one(`[data-landing="${name}"]`);
    if (old === landing) return;
    if (old) { old.classList.remove("ghost", "x", "o"); old.replaceChildren(); }
    if (!landing) return;
    landing.classList.add("ghost", one("#board").dataset.stone.toLowerCase());
    const value = one(`a[data-move="${name}"] .value`);
    if (value) landing.append(...[...value.cloneNode(true).childNodes]);
  }

  // Shows the position after a move of the list and its value.
  function preview(target) {
    const board = one("#board[data-picture]");
    if (!board) return;
    const place = target && target.closest && target.closest("[data-picture][data-move]");
    const after = place ? place.dataset.picture : board.dataset.picture;
    if ((board.dataset.shown || board.dataset.picture) === after) return;
    board.dataset.shown = after;
    board.classList.toggle("after", !!place);
    one("#after").textContent = place ? place.dataset.told : "";
    if (board.tagName === "PRE") return void (board.textContent = after);
    board.drawn = board.drawn || board.innerHTML;
    board.innerHTML = board.drawn;
    if (place) after.split("\n").forEach((row, y) => [...row].forEach((mark, x) => {
      const letter = mark.toUpperCase(), side = mark === "O" || mark !== letter ? "o" : "x";
      const size = board.dataset.sizes ? ` size${board.dataset.sizes.indexOf(letter)}` : "";
      const kind = mark === "." ? "hole" : /[A-Z]/.test(letter) ? `stone ${side}${size}` : "mark";
      const cell = board.rows[y] && board.rows[y].cells[x];
      if (cell && !cell.classList.contains("off")) cell.replaceChildren(element("span", mark === "." ? "" : mark, kind));
    }));
  }

  // Fills a panel; for a position that was not solved, with the known values. Reasons have their own
  // limits of size.
  async function part(section, lack, signal) {
    const isKnown = lack === "time" || (lack && section.id !== "why");
    const answer = await fetch(section.dataset.src + (isKnown ? "&timeout=0.001" : ""), { signal });
    if (answer.ok) section.innerHTML = await answer.text();
    if (!lack) section.removeAttribute("data-src");
  }

  async function reply(url, signal) {
    const answer = await (await fetch(url, { signal })).json();
    const place = one(`[data-move="${CSS.escape(answer.move)}"]`);
    if (place) await go(place.dataset.href, "push");
    else one("#status").textContent = answer.error || "The machine has no move.";
  }

  // Seconds that the searches of this position took so far.
  let seconds = 0;

  // The one button about the search.
  function offer(label, action) {
    const button = one("#search") || Object.assign(element("button"), { id: "search", type: "button" });
    button.textContent = `${label} (${seconds} s)`;
    button.onclick = action;
    if (one(".controls")) one(".controls").append(button);
  }

  // Ends the searches of the page; what is proved stays.
  function stop() {
    current.abort();
    current = new AbortController();
    one("#status").textContent = "Stopped.";
    for (const value of main.querySelectorAll(".value")) {
      if (value.textContent === "…") value.textContent = "?";
    }
    for (const section of main.querySelectorAll("[data-src]")) section.replaceChildren(element("p", "Stopped."));
    offer("Go on", search);
  }

  // Searches for the values of all moves, and then fills the panels. A further search has twice the
  // time that was spent, and continues where proved values are cached.
  async function search() {
    const state = one("#state"), { signal } = current;
    const limit = seconds ? `&timeout=${2 * seconds}` : "";
    let lack = "";
    delete state.dataset.ready;
    if (seconds) one("#status").textContent = "Thinking …";
    // Once the page takes longer than a second, its visitor sees for how long, and can stop it.
    const tick = setInterval(() => {
      if (signal.aborted || state.dataset.ready) return clearInterval(tick);
      seconds += 1;
      offer("Stop", stop);
    }, 1000);
    try {
      if (state.dataset.watch) lack = await watch(state.dataset.watch + limit, signal);
      state.dataset.valued = "true";
      // In sequence, since they need the same positions; reasons take longest.
      const parts = [...main.querySelectorAll("[data-src]")];
      parts.sort((a, b) => (a.id === "why") - (b.id === "why"));
      for (const section of parts) await part(section, lack, signal);
      state.dataset.ready = "true";
      if (lack === "time") offer("Go on", search);
      else if (one("#search")) one("#search").remove();
    } catch (error) {
      clearInterval(tick);
      if (error.name !== "AbortError") one("#status").textContent = "The server does not answer.";
    }
  }

  async function start() {
    const { signal } = current;
    if (one("#edit")) one("#edit").hidden = false;
    const state = one("#state");
    if (one(".tab")) reveal();
    rate();
    document.title = (one("h1") || document.querySelector("title")).textContent;
    if (!state) return;
    // A board that was refused is edited further.
    const refused = editing && one("#error");
    editing = false;
    if (refused) return edit(one("#paste textarea").value);
    if (!state.dataset.reply) return search();
    try {
      await reply(state.dataset.reply, signal);
    } catch (error) {
      if (error.name !== "AbortError") one("#status").textContent = "The server does not answer.";
    }
  }

  // Lights up the cells of Connect Four that a sentence names.
  function light(target) {
    for (const cell of main.querySelectorAll(".lit")) cell.classList.remove("lit");
    const sentence = one(".falls") && target && target.closest("#why p, #why li");
    if (!sentence) return;
    const { rows } = one("#board tbody");
    for (const [, column, row] of sentence.textContent.matchAll(/\b([a-z])(\d+)\b/g)) {
      const found = rows[rows.length - row];
      const cell = found && found.cells[column.charCodeAt(0) - 97];
      if (cell) cell.classList.add("lit");
    }
  }

  function pointed(target) { ghost(target); preview(target); light(target); }
  main.addEventListener("pointerover", (event) => pointed(event.target));
  main.addEventListener("pointerleave", () => pointed(null));
  main.addEventListener("focusin", (event) => pointed(event.target));
  main.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) return openTab(tab);
    const set = event.target.closest("#edit");
    if (set) return editing ? go(location.href, "stay") : edit(set.dataset.picture);
    const place = event.target.closest(".editing button");
    if (place) return put(place, { X: "O", O: "." }[place.textContent] || "X");
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a[href]");
    if (link) {
      event.preventDefault();
      // Not `href`, which is an object in SVG.
      go(link.getAttribute("href"), "push");
      return;
    }
    const cell = event.target.closest("#board [data-place]");
    if (cell) return choose(cell.dataset.place);
    const on = event.target.closest(".squares td");
    if (on) square(on);
  });

  main.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = new URLSearchParams(new FormData(event.target));
    go(`${event.target.getAttribute("action")}?${query}`, "push");
  });
  main.addEventListener("change", (event) => {
    if (event.target.closest("#options select, #setup select")) event.target.form.requestSubmit();
  });
  addEventListener("popstate", () => go(location.href, "stay"));

  const buttons = { u: "#undo", r: "#redo", p: "#resume", n: "#new", f: "#flip",
    j: "#back", k: "#on", e: "#end" };
  function step(key) {
    const places = [...main.querySelectorAll("a[href][data-move]")];
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
    if (event.key === "Enter" && event.target.closest("textarea")) {
      event.preventDefault();
      return event.target.form.requestSubmit();
    }
    if (event.target.closest("input, select, textarea")) return;
    if (editing) {
      const cell = event.target.closest(".editing td"), { key } = event;
      const mark = { x: "X", o: "O", ".": ".", delete: ".", backspace: "." }[key.toLowerCase()];
      if (cell && mark) put(cell.firstChild, mark);
      if (!cell || !key.startsWith("Arrow")) return;
      event.preventDefault();
      const row = { ArrowUp: cell.parentNode.previousElementSibling, ArrowDown: cell.parentNode.nextElementSibling }[key];
      const to = row ? row.cells[cell.cellIndex]
        : key === "ArrowLeft" ? cell.previousElementSibling : key === "ArrowRight" && cell.nextElementSibling;
      if (to) to.firstChild.focus();
      return;
    }
    if (/^[1-9]$/.test(event.key)) {
      choose(event.key);
    } else if (buttons[event.key]) {
      const link = one(`a${buttons[event.key]}`);
      if (link) go(link.href, "push");
    } else if (event.key.startsWith("Arrow") && event.target.matches("[role=tab]")) {
      event.preventDefault();
      const { previousElementSibling: before, nextElementSibling: after, parentNode: all } = event.target;
      const back = event.key === "ArrowLeft" || event.key === "ArrowUp";
      openTab(back ? before || all.lastElementChild : after || all.firstElementChild);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      step(event.key);
    }
  });
  start();
})();

// Runs the module, one question at a time. The page ends this worker to stop a search.
"use strict";
let module = null, stop = null;

const memory = (start, length) => new Uint8Array(module.memory.buffer, start, length);
const text = (start, length) => new TextDecoder().decode(memory(start, length));
const give = (bytes) => memory(module.input(bytes.length), bytes.length).set(bytes);

const imports = {
  everyply: {
    // A stopped search sees its time run out.
    now: () => performance.now() + (stop && Atomics.load(stop, 0) ? 1e9 : 0),
    line: (start, length) => postMessage({ line: text(start, length) }),
  },
};

function begin(data) {
  const { code, files, mib, longest } = data;
  stop = data.stop || stop;
  if (code) module = new WebAssembly.Instance(code, imports).exports;
  for (const file of files) {
    give(new Uint8Array(file));
    if (!module.add_file()) throw new Error("a file of this page is damaged");
  }
  module.start(mib, longest, Math.random() * 2 ** 32);
}

function answer({ address, part }) {
  give(new TextEncoder().encode(address));
  const at = module.ask(part);
  if (!at) return { status: 400, kind: "text/plain", location: "", body: "no address" };
  const [status, ...places] = new Uint32Array(module.memory.buffer, at, 7);
  const [kind, location, body] = [0, 2, 4].map((i) => text(places[i], places[i + 1]));
  return { status, kind, location, body };
}

onmessage = ({ data }) => {
  try {
    if (data.files) begin(data);
    else postMessage({ answer: answer(data) });
  } catch (error) {
    // A trap leaves the module unusable.
    postMessage({ failed: String(error) });
  }
};

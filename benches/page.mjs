// Solves the empty 7x6 without a book in the page's module: node benches/page.mjs target/site/everyply.wasm
import { readFileSync } from "node:fs";

const memory = (start, length) => new Uint8Array(module.memory.buffer, start, length);
const imports = { everyply: { now: () => performance.now(), line: () => {} } };
const code = new WebAssembly.Module(readFileSync(process.argv[2]));
const module = new WebAssembly.Instance(code, imports).exports;

const [mib, longest] = [Number(process.argv[3] ?? 16), 600_000];
module.start(mib, longest, 1);
const address = new TextEncoder().encode("/api/v1/position?game=connect4");
memory(module.input(address.length), address.length).set(address);
const from = performance.now();
const place = module.ask(false);
const seconds = (performance.now() - from) / 1000;
const [status, , , , , start, length] = new Uint32Array(module.memory.buffer, place, 7);
const answer = JSON.parse(new TextDecoder().decode(memory(start, length)));
console.log(JSON.stringify({ status, seconds, mib: module.memory.buffer.byteLength / 2 ** 20, ...answer }));

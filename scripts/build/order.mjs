// The order of a module's functions. A page gets the module as gzip, which finds what repeats within 32 kB only; so
// functions that resemble one another are laid side by side, and in all variants in the same order: so their indices
// are the same too, and whoever has one variant needs little more for another (inline.mjs). And accesses to memory do not
// say which alignment to expect, a hint that changes no result: so more of them are the same bytes. Nothing else changes.
import { Reader, eachNumber, leb, sectionsOf, withLength } from '../lib/wasm-code.mjs';

/** Modules in that order, from { wasm, symbols } of each: its bytes, and the linker's list of its functions' names. */
export function orderFunctions(modules) {
  const all = modules.map(({ wasm, symbols }) => {
    const sections = sectionsOf(wasm);
    const imported = countImports(find(sections, 2));
    return { wasm, sections, imported, bodies: bodiesOf(sections), names: namesOf(symbols, imported) };
  });
  const [first] = all;
  const common = orderOf(first.bodies).map((index) => first.names[index])
    .filter((name) => all.every(({ names }) => names.includes(name)));
  return all.map((module) => {
    const { bodies, names } = module;
    const own = orderOf(bodies).filter((index) => !common.includes(names[index]));
    return rewritten(module, [...common.map((name) => names.indexOf(name)), ...own]);
  });
}

const bodiesOf = (sections) => list(find(sections, 10), (reader) => withoutHints(reader.take(reader.unsigned())));

// The names of a module's own functions; where several have one name, each with its number among them.
function namesOf(symbols, imported) {
  const names = [], seen = new Map();
  for (const [, index, name] of symbols.matchAll(/^(\d+):(.*)$/gm)) {
    if (Number(index) < imported) continue;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    names[index - imported] = `${name} ${seen.get(name)}`;
  }
  return names;
}

function rewritten({ wasm, sections, imported, bodies }, order) {
  const types = list(find(sections, 3), (reader) => reader.unsigned());
  const place = new Array(order.length);
  order.forEach((old, now) => { place[old] = imported + now; });
  const moved = (index) => (index < imported ? index : place[index - imported]);

  const changed = new Map([
    [3, () => vector(order.map((old) => leb(types[old])))],
    [7, (bytes) => moveExports(bytes, moved)],
    [8, (bytes) => Buffer.from(leb(moved(new Reader(bytes).unsigned())))],
    [9, (bytes) => moveElements(bytes, moved)],
    [10, () => vector(order.map((old) => withLength(moveCalls(bodies[old], moved))))],
  ]);
  return Buffer.concat([wasm.subarray(0, 8), ...sections.flatMap(({ id, bytes }) =>
    [Buffer.from([id]), withLength(changed.get(id)?.(bytes) ?? bytes)])]);
}

const find = (sections, id) => sections.find((section) => section.id === id).bytes;
const vector = (items) => Buffer.concat([Buffer.from(leb(items.length)), ...items.map((item) => Buffer.from(item))]);

function list(bytes, read) {
  const reader = new Reader(bytes);
  return Array.from({ length: reader.unsigned() }, () => read(reader));
}

function countImports(bytes) {
  const kinds = list(bytes, (reader) => {
    reader.take(reader.unsigned());
    reader.take(reader.unsigned());
    const kind = reader.byte();
    if (kind !== 0) throw new Error('order.mjs knows no imports but functions');
    return reader.unsigned();
  });
  return kinds.length;
}

const withoutHints = (body) => withNumbers(body, (kind) => (kind === 'alignment' ? 0 : undefined));
const moveCalls = (body, moved) => withNumbers(body, (kind, index) => (kind === 'function' ? moved(index) : undefined));

/** The body with other numbers where `change` gives some for what eachNumber() tells. */
function withNumbers(body, change) {
  const parts = [];
  let done = 0;
  eachNumber(body, (kind, from, to, number) => {
    const changed = change(kind, number);
    if (changed === undefined) return;
    parts.push(body.subarray(done, from), Buffer.from(leb(changed)));
    done = to;
  });
  return Buffer.concat([...parts, body.subarray(done)]);
}

function moveExports(bytes, moved) {
  return vector(list(bytes, (reader) => {
    const name = reader.take(reader.unsigned());
    const kind = reader.byte(), index = reader.unsigned();
    return Buffer.concat([withLength(name), Buffer.from([kind, ...leb(kind === 0 ? moved(index) : index)])]);
  }));
}

function moveElements(bytes, moved) {
  return vector(list(bytes, (reader) => {
    const from = reader.at;
    if (reader.unsigned() !== 0 || reader.byte() !== 0x41) throw new Error('order.mjs knows no such element segment');
    reader.unsigned();
    reader.byte();
    const head = bytes.subarray(from, reader.at);
    const functions = Array.from({ length: reader.unsigned() }, () => leb(moved(reader.unsigned())));
    return Buffer.concat([head, vector(functions)]);
  }));
}

const kWindow = 30000;     // bytes that gzip looks back
const kPiece = 5;          // bytes in a row that two functions have in common
const kCommon = 1000;      // what so many functions have tells nothing

// Always next: the function that shares most with those within reach, for its length. Pieces that few functions have
// count more.
function orderOf(bodies) {
  const indices = bodies.map((_, index) => index);
  const pieces = piecesOf(bodies);
  const owners = new Map();
  pieces.forEach((all, index) => { for (const piece of all.keys()) owners.set(piece, [...(owners.get(piece) ?? []), index]); });
  const shared = new Float64Array(bodies.length);
  const within = new Map(), order = [], near = [];
  const left = new Set(indices);
  let bytes = 0;
  const change = (index, by) => {
    bytes += by * bodies[index].length;
    for (const [piece, weight] of pieces[index]) {
      const count = (within.get(piece) ?? 0) + by;
      within.set(piece, count);
      if (count === (by > 0 ? 1 : 0)) for (const owner of owners.get(piece)) shared[owner] += by * weight;
    }
  };
  const append = (index) => {
    order.push(index);
    near.push(index);
    left.delete(index);
    change(index, 1);
    while (bytes > kWindow && near.length > 1) change(near.shift(), -1);
  };
  while (left.size > 0) {
    let best = -1, most = -1;
    for (const index of left) {
      const score = shared[index] / (bodies[index].length + 20) ** 0.8;
      if (score > most) [best, most] = [index, score];
    }
    append(best);
  }
  return order;
}

// Of each function, the pieces that others have too, with what they count.
function piecesOf(bodies) {
  const owners = new Map();
  const all = bodies.map((body) => {
    const found = new Set();
    for (let at = 0; at + kPiece <= body.length; at++) found.add(body.toString('latin1', at, at + kPiece));
    for (const piece of found) owners.set(piece, (owners.get(piece) ?? 0) + 1);
    return found;
  });
  return all.map((found) => new Map([...found].filter((piece) => owners.get(piece) > 1 && owners.get(piece) < kCommon)
    .map((piece) => [piece, 1 / owners.get(piece)])));
}

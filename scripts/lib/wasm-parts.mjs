// Which part of the project the bytes of a .wasm file come from. The linker's map says which source file each function
// stands in, the symbol map what each function of the finished file was called; what the optimiser inlined counts
// where it went.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { at } from './paths.mjs';

/** [part, { raw, gzip, functions }] of a linked module: code by folder, then data. gzip is of the part by itself. */
export function wasmParts(wasm, symbols, map) {
  const names = readSymbols(readFileSync(symbols, 'utf8'));
  const homes = readHomes(readFileSync(map, 'utf8'), readDefinitions(path.dirname(path.dirname(map))));
  const declared = declarations();
  const parts = new Map();
  const { functions, data } = sections(readFileSync(wasm));
  for (const { index, bytes } of functions) {
    const name = names.get(index) ?? '';
    const part = partOf(name, homes.get(name), declared);
    if (!parts.has(part)) parts.set(part, []);
    parts.get(part).push(bytes);
  }
  const measured = [...parts].map(([part, list]) => [part, weigh(list)]).sort((a, b) => b[1].raw - a[1].raw);
  return [...measured, ['constants: options, texts, tables', weigh([data])]];
}

function weigh(list) {
  const bytes = Buffer.concat(list);
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, functions: list.length };
}

// Lines "index:name"; what is no letter or digit is written as a backslash and two hexadecimal digits.
function readSymbols(text) {
  return new Map(text.split('\n').filter(Boolean).map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(colon + 1).replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
    return [Number(line.slice(0, colon)), name];
  }));
}

// Each function's name has a line behind that of its object file. What was optimised when linking comes from one file that
// the linker made of many, and is told by the symbol in brackets.
function readHomes(text, definitions) {
  const homes = new Map();
  let object;
  for (const line of text.slice(0, text.indexOf(' DATA\n')).split('\n')) {
    const [, file, symbol, name] = line.match(/^ +(?:-|[0-9a-f]+) +[0-9a-f]+ +[0-9a-f]+ {9}(?:(\S.*):\((.*)\)| {8}(.*))$/) ?? [];
    if (file) object = file === 'lto.tmp' ? definitions.get(symbol.replace(/\.\d+$/, '')) : file;
    else if (name && !homes.has(name)) homes.set(name, object);
  }
  return homes;
}

// The object file that each symbol is defined in, of those that the linker optimises.
function readDefinitions(folder) {
  const [, tools] = readFileSync(path.join(folder, 'compile_commands.json'), 'utf8').match(/"command": "(\S*)em\+\+ /);
  const objects = ['posenc_plain', 'posenc_bindings'].flatMap((target) => objectsUnder(path.join(folder, `CMakeFiles/${target}.dir`)));
  const text = execFileSync(`${tools}emnm`, ['--defined-only', '--print-file-name', ...objects], { encoding: 'utf8', maxBuffer: 1e9 });
  // Where several define one, the first, as the linker has it.
  return new Map([...text.matchAll(/^(.*): +\S+ \w (.*)$/gm)].reverse().map(([, file, symbol]) => [symbol, file]));
}

const objectsUnder = (folder) => readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.cpp.o')).map((file) => path.join(folder, file));

const library = at('cpp/posenc');
const folders = readdirSync(library, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

// Where each source file of the library lies, and each class and function that a family's headers declare.
function declarations() {
  const files = new Map(), names = new Map();
  for (const folder of folders) {
    for (const file of readdirSync(path.join(library, folder))) {
      if (file.endsWith('.cpp')) files.set(file, [...(files.get(file) ?? []), folder]);
      else if (/^(input|rotary|bias|relative)$/.test(folder)) {
        const text = readFileSync(path.join(library, folder, file), 'utf8');
        for (const [, name] of text.matchAll(/^(?:class|struct|\S.*?[ *&]) ?(\w+)(?:\(| : | \{)/gm)) names.set(name, folder);
      }
    }
  }
  return { files, names };
}

function partOf(name, object = '', { files, names }) {
  const [, folder] = object.match(/posenc_plain\.dir\/cpp\/posenc\/(\w+)\//) ?? [];
  if (folder) return folder;
  const space = name.match(/\bposenc::(kernels|attn|bindings)::/)?.[1];
  const [, source] = object.match(/libposenc_\w+\.a\((.*\.cpp)\.o\)/) ?? [];
  const candidates = files.get(source) ?? [];
  if (candidates.length > 0) return candidates.find((folder) => (folder === 'kernels') === (space === 'kernels')) ?? candidates[0];
  if (!/posenc_(module|bindings)/.test(object)) return 'C and C++ library';
  // Of what the bindings instantiate, the encodings' classes and operations belong to them.
  const [, owner] = name.match(/(?:Adapter|complete|encoding_type)<posenc::(\w+)/) ?? name.match(/operation<&posenc::(\w+)/)
    ?? name.match(/^posenc::(\w+)/) ?? [];
  return names.get(owner) ?? 'bindings';
}

function sections(bytes) {
  let at = 8;
  const read = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const skipLimits = () => { if (read() & 1) { read(); } read(); };
  const functions = [];
  let imported = 0, data = Buffer.alloc(0);
  while (at < bytes.length) {
    const id = bytes[at++], size = read(), end = at + size;
    if (id === 2) {
      for (let count = read(); count > 0; count--) {
        for (let part = 0; part < 2; part++) { const length = read(); at += length; }
        const kind = bytes[at++];
        if (kind === 0) { read(); imported++; }
        else if (kind === 1) { at++; skipLimits(); }
        else if (kind === 2) skipLimits();
        else at += 2;
      }
    } else if (id === 10) {
      for (let count = read(), i = 0; i < count; i++) {
        const start = at, length = read();
        at += length;
        functions.push({ index: imported + i, bytes: bytes.subarray(start, at) });
      }
    } else if (id === 11) data = bytes.subarray(at, end);
    at = end;
  }
  return { functions, data };
}

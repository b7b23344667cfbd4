// Faults that users reported of other implementations, section F: WebAssembly, packaging, pages. Some can only be seen in a
// browser, a bundler or in C++; those stand where they are named here.
//
//   F1 views die when memory grows         results and tensors ...
//   F2 objects leak                        10,000 objects ... (100,000 mixed calls: flat.test.ts; memory.test.ts)
//   F4 content security policy             the glue makes no code from text (in pages: browser/variants.test.ts)
//   F5 Node.js and addresses               loads from another folder, with a space: load.test.ts, package/consumers.test.ts
//   F6 bundlers and workers                package/consumers.test.ts; given bytes no address is formed ...
//   F7 no isolation on static hosts        works without SharedArrayBuffer ... (pages: package/consumers.test.ts)
//   F8 SIMD missing or wrong               browser/variants.test.ts; a build whose sums are wrong ...
//   F9 pointers and 64-bit values          sizes whose product passes 2^31 ...; no 64-bit number comes out ...
//   F10 range of SIMD sines                never outside [-1, 1] ... (faults/rotary.test.ts: C1)
//   F11 timers                             a cell of the benchmark ... (in pages: browser/benchmark.test.ts)
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from 'posenc';
import { describe, expect, test, vi } from 'vitest';

import { errorOf, loadPosenc, numbers, random, variant } from '../support/posenc.js';

const posenc = await loadPosenc();
const dist = (name: string): string => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url));

describe('F1', async () => {
  const posenc = await loadPosenc(); // of its own: what grew stays large
  test('results and tensors hold their numbers while 64 MB are taken; a view is taken anew', () => {
    const pe = posenc.sinusoidal({ dim: 16 });
    const rope = posenc.rope({ headDim: 16 });
    const heap = posenc.tensor([64, 16], numbers(1024));
    const result = pe.encode(64);
    const { cos } = rope.table(64);
    const kept = [result.data.slice(), cos.data.slice()];
    const old = heap.view();
    const bytes = posenc.memory().heapBytes;
    const more = posenc.tensor([1 << 24]); // 64 MB
    expect(posenc.memory().heapBytes).toBeGreaterThan(bytes);
    expect(old.length).toBe(0);
    expect([result.data, cos.data]).toEqual(kept);
    expect(heap.view()).toEqual(numbers(1024));
    // Made before, used after.
    expect(pe.encode(64).data).toEqual(kept[0]);
    for (const each of [more, heap, rope, pe]) each.dispose();
  });

  test('a call that grows memory itself reads what it was given, and writes where it was told', async () => {
    const fresh = await loadPosenc();
    const pe = fresh.sinusoidal({ dim: 64 });
    const length = Math.ceil(fresh.memory().heapBytes / 256) + 1000;
    const before = fresh.memory().heapBytes;
    const sum = pe.add({ data: new Float32Array(length * 64), shape: [length, 64] }, { into: new Float32Array(length * 64) });
    expect(fresh.memory().heapBytes).toBeGreaterThan(before);
    expect(sum.subarray(0, 640)).toEqual(pe.encode(10).data);
    expect(sum.subarray(-64)).toEqual(pe.encode([length - 1]).data);
  });
});

describe('F2', () => {
  test('10,000 objects of all kinds leave memory flat', () => {
    const rope = posenc.rope({ headDim: 8 });
    const attention = posenc.attention({ heads: 2, headDim: 8, encodings: [rope] });
    const kinds: (() => { dispose(): void })[] = [
      () => posenc.tensor([8]),
      () => posenc.learned({ dim: 4, maxLength: 8 }),
      () => posenc.attention({ heads: 2, headDim: 8 }),
      () => posenc.attentionLayer({ dim: 8, heads: 2 }),
      () => attention.cache({ capacity: 4 }),
    ];
    for (const kind of kinds) {
      kind().dispose();
      const before = posenc.memory();
      for (let i = 0; i < 2000; i++) kind().dispose();
      expect(posenc.memory()).toEqual(before);
    }
    for (const each of [attention, rope]) each.dispose();
  });

  test('freed twice and used after: an error that says so, of every kind', () => {
    const rope = posenc.rope({ headDim: 8 });
    const learned = posenc.learned({ dim: 8, maxLength: 8 });
    const attention = posenc.attention({ heads: 2, headDim: 8, encodings: [rope] });
    const layer = posenc.attentionLayer({ dim: 8, heads: 2 });
    const cache = attention.cache();
    const tensor = posenc.tensor([2, 8]);
    const q = random([2, 3, 8]);
    const uses: [{ dispose(): void }, () => unknown][] = [
      [cache, () => cache.append(q, q)],
      [layer, () => layer.forward(random([3, 8]))],
      [attention, () => attention.forward(q, q, q)],
      [learned, () => learned.encode(2)],
      [rope, () => rope.apply(q)],
      [tensor, () => tensor.view()],
    ];
    for (const [object, use] of uses) {
      object.dispose();
      expect(errorOf(use).code).toBe('disposed');
      expect(errorOf(() => object.dispose()).code).toBe('disposed');
    }
  });
});

test('F4 the glue makes no code from text, and its module is asked for without evaluating any', async () => {
  for (const name of ['index.js', 'chunk-main.js', 'worker.js']) {
    const text = await readFile(dist(name), 'utf8');
    expect(text.match(/\beval\(|new Function\b|\bimport\(/)?.[0], name).toBeUndefined();
  }
  // What Node.js imports when it needs it is written out.
  const node = await readFile(dist('node.js'), 'utf8');
  expect(node.match(/\beval\(|new Function\b|\bimport\((?!"(node:(fs|os|url)|\.\/chunk-spawn-node\.js)"\))/)?.[0]).toBeUndefined();
});

test('F6 given bytes, a module or a response, no address is formed', async () => {
  const bytes = await readFile(dist(`posenc-${variant ?? 'simd'}.wasm`));
  const module = await WebAssembly.compile(bytes);
  const { URL: Kept } = globalThis;
  try {
    globalThis.URL = class {
      constructor() {
        throw new Error('an address was formed');
      }
    } as never;
    for (const wasm of [bytes, module, new Response(bytes, { headers: { 'Content-Type': 'application/wasm' } })]) {
      const other = await load({ wasm: wasm as never });
      expect(other.sinusoidal({ dim: 4 }).encode(2).shape).toEqual([2, 4]);
    }
  } finally {
    globalThis.URL = Kept;
  }
});

test('F7 works without SharedArrayBuffer, Atomics and isolation, workers too', async () => {
  const kept = { SharedArrayBuffer, Atomics };
  try {
    Object.assign(globalThis, { SharedArrayBuffer: undefined, Atomics: undefined });
    const other = await load(variant === undefined ? {} : { simd: variant });
    const attention = other.attention({ heads: 2, headDim: 4 });
    const q = random([2, 3, 4]);
    const pool = other.pool({ workers: 2 });
    try {
      expect(await pool.forward(attention, q, q, q)).toEqual(attention.forward(q, q, q));
    } finally {
      pool.dispose();
    }
  } finally {
    Object.assign(globalThis, kept);
  }
});

describe('F8', () => {
  test('an engine that accepts a build and computes wrong sums with it gets the next one', async () => {
    // The check's own small module is made to answer otherwise, as the engine of iOS 16 does.
    const { Instance, validate } = WebAssembly;
    let asked = 0;
    try {
      (WebAssembly as { Instance: unknown }).Instance = class {
        readonly exports: object = {};
        constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
          const real = new Instance(module, imports).exports;
          const names = Object.keys(real);
          if (names.length > 3) return { exports: real } as never;
          asked++;
          this.exports = Object.fromEntries(names.map((name) => [name, () => 12345]));
        }
      };
      const other = await load();
      expect(asked).toBeGreaterThan(0);
      expect(other.variant).toBe('scalar');
      expect(other.sinusoidal({ dim: 4 }).encode([1]).data[0]).toBeCloseTo(Math.sin(1), 6);
    } finally {
      Object.assign(WebAssembly, { Instance, validate });
    }
  });
});

describe('F9', () => {
  test('sizes whose product passes 2^31, or 2^64, are refused before the module is called', () => {
    const before = posenc.memory();
    const calls: (() => unknown)[] = [
      () => posenc.tensor([65536, 65536]),
      () => posenc.tensor([2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]),
      () => posenc.tensor([2 ** 32, 2 ** 32]), // 2^64: 0 where it wraps
      () => posenc.tensor([2 ** 31]),
      () => posenc.sinusoidal({ dim: 1024 }).encode(2 ** 31 - 1),
      () => posenc.alibi({ heads: 64 }).bias(2 ** 20, 2 ** 20),
      () => posenc.fromHalf(new Uint16Array(4), [2 ** 16, 2 ** 16], 'f16'),
      () => posenc.learned({ dim: 2 ** 16, maxLength: 2 ** 20 }),
      () => posenc.attention({ heads: 4096, headDim: 65536 }).cache({ batch: 4096, capacity: 2 ** 20 }),
    ];
    for (const call of calls) expect(errorOf(call), String(call)).toMatchObject({ code: expect.stringMatching(/tooLarge|outOfRange|outOfMemory/) as unknown });
    expect(posenc.memory().heapBytes).toBe(before.heapBytes);
  });

  test('no number of 64 bits comes out of the module, whatever goes in', () => {
    const t5 = posenc.t5({ heads: 2n as never });
    const rows = posenc.sinusoidal({ dim: 4 }).encode(BigInt64Array.of(2n ** 40n, -3n));
    const walk = (value: unknown): void => {
      expect(typeof value).not.toBe('bigint');
      if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) Object.values(value).forEach(walk);
    };
    for (const value of [rows, posenc.memory(), t5.heads, t5.seed, posenc.rope({ headDim: 4 }).table([2n ** 50n] as never)]) walk(value);
    expect(rows.data[0]).toBeCloseTo(Math.sin(2 ** 40), 6);
  });
});

test('F10 never outside [-1, 1], right to half a step of a float at -4994642.5 and up to 2^24', () => {
  const positions = Float64Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (4194.3 * i + i / 7));
  positions[0] = -4994642.5;
  const rope = posenc.rope({ headDim: 2 });
  const { cos, sin } = rope.table(positions);
  const pe = posenc.sinusoidal({ dim: 2 }).encode(positions).data;
  positions.forEach((p, i) => {
    for (const [got, want] of [[cos.data[i]!, Math.cos(p)], [sin.data[i]!, Math.sin(p)], [pe[2 * i]!, Math.sin(p)], [pe[2 * i + 1]!, Math.cos(p)]] as const) {
      if (!(Math.abs(got) <= 1 && Math.abs(got - want) <= 6e-8)) throw new Error(`position ${p}: ${got}, not ${want}`);
    }
  });
  expect(cos.data[0]).toBeCloseTo(0.963972, 6);
});

test('F11 a cell of the benchmark is right by a clock of coarse steps, and tells its spread', async () => {
  const file = fileURLToPath(new URL('../../../scripts/bench/timing.mjs', import.meta.url));
  const { timeInTurns } = (await import(/* @vite-ignore */ file)) as {
    timeInTurns(runs: Record<string, () => unknown>, options: { budget: number; warm: number }): Promise<Record<string, { least: number; median: number }>>;
  };
  // A clock that moves by the work alone, and tells whole milliseconds.
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Math.floor(time));
  try {
    const runs = { short: () => (time += 0.01), long: () => (time += 7), uneven: () => (time += time % 2 < 1 ? 0.5 : 1.5) };
    const { short, long, uneven } = await timeInTurns(runs, { budget: 400, warm: 20 });
    expect(short!.median / 0.01).toBeCloseTo(1, 1);
    expect(long!.median).toBe(7);
    for (const cell of [short, long, uneven]) expect(cell!.least).toBeLessThanOrEqual(cell!.median);
  } finally {
    clock.mockRestore();
  }
});

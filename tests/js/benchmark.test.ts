// What the benchmark page computes without a page: cases, order, statistics, addresses, files.
import { describe, expect, test, vi } from 'vitest';
import { catalog } from 'posenc/catalog';
import { faultsOf } from '../../scripts/bench/check-schema.mjs';
import { mergeReports, writeInto } from '../../scripts/bench/merge.mjs';
import schema from '../../scripts/bench/report.schema.json' with { type: 'json' };
import { readAddress, usual, writeQuery } from '../../web/src/bench/address.js';
import { calibrate, makeRandom, sampleInTurns, sampleLength, shuffled } from '../../web/src/bench/measure.js';
import { floorOf } from '../../web/src/bench/machine.js';
import { nameOf, passes, planCases, presets } from '../../web/src/bench/plan.js';
import { readReport, toCsv, toJson, toMarkdown, withoutSamples } from '../../web/src/bench/report.js';
import type { Report } from '../../web/src/bench/results.js';
import { areApart, summarise } from '../../web/src/bench/statistics.js';

const [quick, standard, long] = presets as [(typeof presets)[number], (typeof presets)[number], (typeof presets)[number]];

describe('cases', () => {
  test('every encoding of the catalogue is measured by the standard preset, and by name once', () => {
    for (const preset of [standard, long]) expect(new Set(planCases(preset).map(({ id }) => id))).toEqual(new Set(catalog.encodings.map(({ id }) => id)));
    const names = planCases(long).map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('rope/attention/large/into');
  });

  test('the quick preset has one case for each family', () => {
    const families = planCases(quick).map(({ id }) => catalog.encodings.find((entry) => entry.id === id)?.family);
    expect(families.toSorted()).toEqual(['bias', 'input', 'none', 'relative', 'rotary']);
  });

  test('a filter has terms, and terms have words', () => {
    expect(passes('rope/apply/small/heap', 'rope small, alibi')).toBe(true);
    expect(passes('rope/apply/medium/heap', 'rope small, alibi')).toBe(false);
    expect(passes('alibi/bias/large/new', ' rope small , ALiBi ')).toBe(true);
    expect(passes('mrope/apply/small/heap', 'rope')).toBe(false);
    expect(passes('ropeNd/apply/small/heap', 'rope apply/small')).toBe(true);
    expect(passes('anything', ' , ')).toBe(true);
  });
});

describe('address', () => {
  test('a plan survives it, what is strange is told, what is usual is left out', () => {
    const plan = { preset: 'long', filter: 'rope small', seed: 9, rivals: ['tfjs'] as const };
    expect(readAddress(new URLSearchParams(writeQuery(plan)))).toEqual({ plan, run: false, strange: [] });
    expect(writeQuery(usual)).toBe('');
    const { plan: read, run, strange } = readAddress(new URLSearchParams('run&seed=-1&preset=fast&rivals=scalar,gpu&speed=2&lang=zh'));
    expect({ read, run }).toEqual({ read: { ...usual, rivals: ['scalar'] }, run: true });
    expect(strange).toEqual(['speed=2', 'preset=fast', 'seed=-1', 'rivals=scalar,gpu']);
  });
});

describe('sampling', () => {
  test('a sample lasts 200 steps of the clock, and a millisecond at least', () => {
    expect([0.1, 1, 0.000_1].map(sampleLength)).toEqual([20, 200, 1]);
  });

  test('calls are repeated until a sample is long enough, whatever held a first one up', async () => {
    let [now, count] = [0, 0];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const calls = await calibrate(() => void (now += count++ === 0 ? 30 : 0.05), 4);
    clock.mockRestore();
    expect(calls).toBeGreaterThanOrEqual(80);
    expect(calls).toBeLessThan(200);
  });

  test('rounds run in an order that the seed decides', () => {
    const orders = (seed: number): string => {
      const random = makeRandom(seed);
      return Array.from({ length: 8 }, () => shuffled(4, random).join('')).join();
    };
    expect(orders(1)).toBe(orders(1));
    expect(orders(1)).not.toBe(orders(2));
    expect(shuffled(50, makeRandom(3)).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test('there are never fewer rounds than the least, nor more than the most', async () => {
    const calls: number[] = [0, 0];
    const runs = calls.map((_, i) => ({ run: () => void calls[i]!++, calls: 3 }));
    const sampling = { least: 30, most: 30, seconds: 0, random: makeRandom(1), pause: () => Promise.resolve() };
    const samples = await sampleInTurns(runs, sampling);
    expect(samples.map((own) => own.length)).toEqual([30, 30]);
    expect(calls).toEqual([90, 90]);
  });
});

describe('statistics', () => {
  test('of numbers that can be worked out by hand', () => {
    const samples = [5, 1, 4, 2, 3, 100];
    expect(summarise(samples)).toEqual({ n: 6, min: 1, median: 3.5, mean: 115 / 6, p95: 76.25, mad: 1.5, low: 1, high: 100 });
  });

  test('the interval holds the true median about 95 times of 100', () => {
    const random = makeRandom(5);
    let held = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const { low, high } = summarise(Array.from({ length: 31 }, () => random() ** 3));
      if (low <= 0.125 && high >= 0.125) held++;
    }
    expect(held / 2000).toBeGreaterThan(0.94);
    expect(held / 2000).toBeLessThan(0.985);
  });

  test('medians differ for certain where intervals are apart', () => {
    const of = (low: number, high: number) => ({ ...summarise([low, high]), low, high });
    expect(areApart(of(1, 2), of(3, 4))).toBe(true);
    expect(areApart(of(1, 3), of(3, 4))).toBe(false);
  });
});

const statistics = summarise([900, 1000, 1100]);
const report = {
  schema: 1,
  date: '2026-01-02T03:04:05.000Z',
  plan: { preset: 'quick', filter: '', seed: 1, rivals: ['scalar', 'tfjs'] },
  host: { title: 'Node 20, linux', agent: 'Node', platform: 'linux', processors: 2, isolated: true },
  engine: {
    version: '1.0.0', variant: 'simd', wasm: { bytes: 1000 }, features: { simd: true, relaxedSimd: false, threads: true, memory64: false }, clock: 0.005,
    cold: { fetch: 1, compile: 2, instantiate: 3, first: 4, rivals: { tfjs: 200 } },
    limits: { bandwidth: [{ bytes: 2 ** 18, fill: 40, read: 40, copy: 40 }, { bytes: 2 ** 26, fill: 10, read: 10, copy: 10 }], simd: 50 },
  },
  rows: [{
    name: 'rope/apply/small/new', id: 'rope', operation: 'apply', size: 'small', output: 'new', shape: [4, 128, 32], elements: 16384, bytes: 131072, boundary: 131072, flops: 49152,
    entries: [
      { name: 'posenc', status: 'timed', difference: 0, first: 5000, calls: 10, statistics, samples: [900, 1000, 1100] },
      { name: 'scalar', status: 'timed', difference: 0, calls: 10, statistics: summarise([2000, 2000, 2000]), samples: [2000, 2000, 2000] },
      { name: 'tfjs', status: 'wrong', difference: 0.5, why: 'differs by 5.0e-1', first: 1 },
    ],
    memory: { heap: 1e6, kept: 0 },
  }],
  skipped: [],
  complete: true,
} satisfies Report;

describe('reports', () => {
  test('what is written is what the schema says, and is read again', () => {
    expect(faultsOf(report, schema)).toEqual([]);
    expect(readReport(toJson(report))).toEqual(report);
    expect(readReport(toJson(withoutSamples(report))).rows[0]!.entries[0]!.samples).toBeUndefined();
  });

  test.each([
    ['a number that is none', { ...report, engine: { ...report.engine, clock: '5' } }, 'engine/clock: not of type number'],
    ['a member too many', { ...report, comment: 1 }, 'comment: unknown'],
    ['another version', { ...report, schema: 2 }, 'schema: not 1'],
    ['a contestant that nobody knows', { ...report, rows: [{ ...report.rows[0]!, entries: [{ name: 'gpu', status: 'timed' }] }] }, 'rows/0/entries/0/name: none of posenc, scalar, javascript, onnxruntime, tfjs'],
  ])('%s is refused', (_, value, fault) => {
    expect(faultsOf(value, schema)).toEqual([fault]);
    expect(() => readReport(JSON.stringify(value))).toThrow(fault);
  });

  test('tables: a line for each case in Markdown, for each contestant in CSV', () => {
    const markdown = toMarkdown(report).split('\n').filter((line) => line.startsWith('|'));
    expect(markdown.length).toBe(3);
    expect(markdown[2]).toContain('| 2.00\u00d7 | wrong |');
    const csv = toCsv(report).trim().split('\n').map((line) => line.split(','));
    expect(csv.map((line) => line[10])).toEqual(['system', 'posenc', 'scalar', 'tfjs']);
    expect(csv[1]!.slice(-3)).toEqual(['0.0610352', '131.072', '49.152']);
  });

  test('the floor is what moving the bytes or the operations take at least', () => {
    const [row] = report.rows;
    expect(floorOf(row!, report.engine)).toBeCloseTo(131072 / 40);
    expect(floorOf({ bytes: 64, flops: 1e6 }, report.engine)).toBeCloseTo(1e6 / 50);
  });

  test('reports of several machines become tables with a column for each', () => {
    const other = { ...report, host: { ...report.host, title: 'Chromium 1 | Linux' } };
    const text = mergeReports([report, other]);
    expect(text).toContain('| Node 20, linux (A) |');
    expect(text).toContain('Chromium 1 \\| Linux (B)');
    const line = text.split('\n').find((one) => one.startsWith('| rope/apply/small/new'));
    expect(line).toBe('| rope/apply/small/new | 1.00 \u00b5s | 2.00 | wrong | 1.00 \u00b5s | 2.00 | wrong |');
    const page = writeInto('# Performance\n\n## What paid\n\nMuch.\n', text);
    expect(page.indexOf('(A)')).toBeLessThan(page.indexOf('## What paid'));
    expect(writeInto(page, 'others')).toBe(page.replace(text, 'others'));
  });
});

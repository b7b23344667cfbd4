// The conformance runner itself: what it reads, what it lets pass and what it does not.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  Case,
  difference,
  findCases,
  goldenBounds,
  relativeBound,
  runCase,
  selected,
  summary,
} from '../../../scripts/conformance/api.mjs';

/** Bytes of a safetensors file with one tensor. */
function file(
  metadata: Record<string, string>,
  name: string,
  dtype: string,
  shape: number[],
  data: Uint8Array,
): Uint8Array {
  const entry = { dtype, shape, data_offsets: [0, data.byteLength] };
  const header = new TextEncoder().encode(JSON.stringify({ __metadata__: metadata, [name]: entry }));
  const bytes = new Uint8Array(8 + header.byteLength + data.byteLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.byteLength), true);
  bytes.set(header, 8);
  bytes.set(data, 8 + header.byteLength);
  return bytes;
}

const api = { posenc: {}, fromConfig: () => undefined, describeConfig: () => undefined };

describe('comparing', () => {
  test('golden bounds: the file and 5e-6, whichever is narrower', () => {
    expect(difference([1 + 8e-6], [1], goldenBounds(2e-5))).toBeUndefined();
    expect(difference([1 + 2e-5], [1], goldenBounds(2e-5))).toMatch(/error 2\.00e-5, tolerance 1\.00e-5/);
    expect(difference([1 + 3e-6], [1], goldenBounds(1e-6))).toBeDefined();
    expect(difference([1 + 3e-5], [1], goldenBounds(2e-5, 2e-5))).toBeUndefined();
  });

  test('zero means equal', () => {
    expect(difference([2], [2], goldenBounds(0))).toBeUndefined();
    expect(difference([2 + 2 ** -40], [2], goldenBounds(0))).toBeDefined();
  });

  test('infinities match exactly, and NaN never does', () => {
    const loose = [relativeBound({ rtol: 1, atol: 1 })];
    expect(difference([-Infinity], [-Infinity], loose)).toBeUndefined();
    expect(difference([-1e38], [-Infinity], loose)).toBeDefined();
    expect(difference([Infinity], [-Infinity], loose)).toBeDefined();
    expect(difference([NaN], [0], loose)).toBeDefined();
    expect(difference([0, NaN], [0, 0], loose)).toMatch(/element 1/);
    expect(difference([1], [1, 2], loose)).toMatch(/1 numbers/);
  });
});

describe('cases', () => {
  const tensors = () => new Map([['out', { dtype: 'F32', shape: [2], data: new Float32Array([1, 2]) }]]);
  const boundsOf = () => goldenBounds(2e-5);

  test('a tensor that nothing was compared with', () => {
    const one = new Case({ name: 'a', ids: ['x'], tensors: tensors(), boundsOf });
    expect(one.untouched()).toEqual(['out']);
    one.check('out', { data: [1, 2], shape: [2] });
    expect([one.untouched(), one.failures]).toEqual([[], []]);
    one.check('out', { data: [1, 2], shape: [1, 2] });
    expect(one.failures).toEqual(['out: shape [1,2], expected [2]']);
  });

  test('what nothing here runs fails', () => {
    const unknown = runCase(new Case({ name: 'a', ids: ['mystery'] }), api);
    expect(unknown).toMatchObject({ outcome: 'failed', failures: [expect.stringContaining('mystery')] });
    expect(summary([unknown])).toBe('0 passed, 1 failed');
  });

  test('a parameter that was not read, that says something else than the rest, or that has an unknown value', () => {
    const one = new Case({ name: 'a', ids: ['x'], params: { heads: 3, tilt: 1, mode: 'odd', source: 'b' }, described: ['source'] });
    expect(one.unread()).toEqual(['heads', 'tilt', 'mode']);
    one.confirm({ heads: 3, absent: 5 });
    expect([one.unread(), one.failures]).toEqual([['tilt', 'mode'], []]);
    one.confirm({ heads: 2 });
    expect(one.failures).toEqual(['parameter heads: 3, expected 2 by the rest of the file']);
    expect(() => one.expect('mode', 'even', 1)).toThrow('parameter mode is "odd", known here: "even", 1');
    one.expect('absent', 1);
    const outcome = runCase(new Case({ name: 'b', ids: ['alibi'], params: { kind: 'slopes', heads: [], tilt: 1 } }), api);
    expect(outcome.failures).toEqual(['parameter tilt: nothing here reads it']);
  });

  test('an error inside is a failure with its text', () => {
    const outcome = runCase(new Case({ name: 'a', ids: ['alibi'], params: { kind: 'spiral' } }), api);
    expect(outcome).toMatchObject({ outcome: 'failed', failures: ['kind "spiral" is not known here'] });
  });

  test('--only', () => {
    const one = new Case({ name: 'a', ids: ['com.microsoft.Attention'] });
    expect(selected(one, undefined)).toBe(true);
    expect(selected(one, new Set(['Attention']))).toBe(false);
    expect(selected(one, new Set(['com.microsoft.Attention']))).toBe(true);
  });
});

describe('files', () => {
  const folder = mkdtemp(path.join(tmpdir(), 'posenc-'));
  afterAll(async () => rm(await folder, { recursive: true }));

  test('go by what they hold, not by their names', async () => {
    const at = await folder;
    const golden = { encoding: 'alibi', params: '{"kind":"slopes","heads":[1]}', tolerance: '1e-6' };
    const node = {
      op: 'Attention',
      domain: 'com.microsoft',
      attributes: '{}',
      inputs: '[]',
      outputs: '[]',
      tolerance: '{"rtol":0,"atol":1}',
    };
    const data = new Uint8Array(4);
    await writeFile(path.join(at, 'rope--x.safetensors'), file(golden, 'x', 'F32', [1], data));
    await writeFile(path.join(at, 'y.safetensors'), file(node, 'x', 'F32', [1], data));
    await writeFile(path.join(at, 'broken.safetensors'), new Uint8Array(3));
    await writeFile(
      path.join(at, 'models.json'),
      JSON.stringify({ models: [{ model: 'm', config: {}, expect: ['rope', 'nope'] }] }),
    );
    await writeFile(path.join(at, 'other.json'), '{}');
    const cases = await findCases([at]);
    expect(cases.map(({ name, ids }) => [name, ids[0]])).toEqual([
      ['broken.safetensors', 'unreadable'],
      ['m', 'model-configs'],
      ['rope--x', 'alibi'],
      ['y', 'com.microsoft.Attention'],
    ]);
    const model = cases[1] as Case;
    expect(selected(model, new Set(['rope']))).toBe(false);
    expect(selected(model, new Set(['rope', 'nope']))).toBe(true);
    await expect(findCases([path.join(at, 'nothing')])).rejects.toThrow();
  });
});

// What fromConfig makes of a config: encodings, names, weights, and what it leaves behind.
import { load } from 'posenc';
import { fromConfig } from 'posenc/config';
import { describe, expect, test } from 'vitest';

import { errorOf } from '../support/posenc.js';

const posenc = await load();
const llama = {
  model_type: 'llama',
  hidden_size: 64,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  num_hidden_layers: 3,
  rope_theta: 1000,
};
const bloom = { model_type: 'bloom', hidden_size: 64, n_head: 4, n_layer: 2 };

describe('fromConfig', () => {
  test('something else in the place of the instance is refused as that', () => {
    for (const other of [undefined, {}, llama]) {
      expect(errorOf(() => fromConfig(other as never, llama))).toMatchObject({ code: 'invalidType', parameter: 'posenc' });
    }
  });

  test('groups go into attention as they are', () => {
    const model = fromConfig(posenc, llama);
    const [group] = model.towers[0]?.groups ?? [];
    if (!group) throw new Error('no group');
    expect(group).toMatchObject({ layers: [0, 1, 2], layout: 'half', sinks: false });
    const attention = posenc.attention({ ...group.attention, encodings: group.encodings });
    expect([attention.heads, attention.kvHeads, attention.headDim]).toEqual([4, 2, 16]);
    const zeros = (heads: number) => ({ data: new Float32Array(heads * 5 * 16), shape: [heads, 5, 16] });
    expect(attention.forward(zeros(4), zeros(2), zeros(2)).shape).toEqual([4, 5, 16]);
    attention.dispose();
    model.dispose();
  });

  test('layers that place positions alike share an encoding', () => {
    const model = fromConfig(posenc, { model_type: 'gemma2', num_hidden_layers: 4 });
    expect(model.encodings.map(({ name }) => name)).toEqual(['rope']);
    const [sliding, full] = model.towers[0]?.groups ?? [];
    expect(sliding?.encodings[0]).toBe(full?.encodings[0]);
    model.dispose();
    const local = fromConfig(posenc, { model_type: 'gemma3_text', num_hidden_layers: 6 });
    expect(local.encodings.map(({ name }) => name)).toEqual(['rope-sliding', 'rope-full']);
    local.dispose();
  });

  test('dispose frees everything', () => {
    const before = posenc.memory();
    for (let i = 0; i < 20; i++) fromConfig(posenc, { model_type: 'smollm3' }).dispose();
    expect(posenc.memory().encodings).toBe(before.encodings);
    expect(posenc.memory().usedBytes).toBe(before.usedBytes);
  });

  test("Falcon's penalty is scaled like its scores", () => {
    const falcon = { model_type: 'falcon', hidden_size: 64, num_attention_heads: 4, multi_query: false, alibi: true };
    const [scaled, plain] = [fromConfig(posenc, falcon), fromConfig(posenc, bloom)];
    const slopes = (model: typeof scaled) => [...(model.encodings[0]?.parameters['slopes']?.data ?? [])];
    expect(slopes(plain)).toEqual([0.25, 0.0625, 0.015625, 0.00390625]);
    expect(slopes(scaled)).toEqual(slopes(plain).map((slope) => slope / 4));
    scaled.dispose();
    plain.dispose();
  });

  test('weights by name, or by tower and name', () => {
    const slopes = new Float32Array([1, 2, 3, 4]);
    for (const key of ['alibi.slopes', 'text.alibi.slopes']) {
      const model = fromConfig(posenc, bloom, { weights: { [key]: slopes } });
      expect(model.encodings[0]?.parameters['slopes']?.data).toEqual(slopes);
      model.dispose();
    }
    const before = posenc.memory().encodings;
    const error = errorOf(() => fromConfig(posenc, bloom, { weights: { 'alibi.slope': slopes } }));
    expect(error.parameter).toContain('slope');
    const stray = errorOf(() => fromConfig(posenc, bloom, { weights: { 't5.table': slopes } }));
    expect(stray).toMatchObject({ code: 'unknownOption', parameter: 'weights.t5.table' });
    expect(posenc.memory().encodings).toBe(before);
  });

  test('sines stand at the input, with the position of the first token', () => {
    const model = fromConfig(posenc, { model_type: 'xglm', d_model: 32, attention_heads: 2, num_layers: 1 });
    const [input] = model.towers[0]?.input ?? [];
    expect(input).toMatchObject({ offset: 2, encoding: { id: 'sinusoidal' } });
    expect(model.towers[0]?.groups[0]?.encodings).toEqual([]);
    model.dispose();
  });

  test('biases of T5, Swin and BEiT, a table per layer where the model has one', () => {
    const table = new Float32Array(32 * 8).fill(0.5);
    const t5 = fromConfig(posenc, { model_type: 't5' }, { weights: { 'encoder.t5.table': table } });
    expect(t5.encodings.map(({ id, name }) => [id, name])).toEqual([['t5', 't5'], ['t5', 't5']]);
    expect(t5.encodings[0]?.parameters['table']?.data).toEqual(table);
    const [encoder] = t5.towers;
    const attention = posenc.attention({ ...encoder?.groups[0]?.attention, encodings: t5.encodings.slice(0, 1) } as never);
    attention.dispose();
    t5.dispose();
    const umt5 = fromConfig(posenc, { model_type: 'umt5', num_layers: 3 });
    expect(umt5.encodings.map(({ name }) => name)).toEqual(['t5-0', 't5-1', 't5-2', 't5-0', 't5-1', 't5-2']);
    umt5.dispose();
    const swin = fromConfig(posenc, { model_type: 'swin' });
    expect(swin.encodings).toHaveLength(12);
    expect(swin.towers[0]?.groups[11]).toMatchObject({ layers: [11], attention: { heads: 24, headDim: 32 } });
    swin.dispose();
    const beit = fromConfig(posenc, { model_type: 'beit', use_shared_relative_position_bias: true });
    expect(beit.encodings[0]?.parameters['table']?.shape).toEqual([27 * 27 + 3, 12]);
    beit.dispose();
  });

  test('what is not offered is named, before anything is made', () => {
    const before = posenc.memory().encodings;
    const error = errorOf(() => fromConfig(posenc, { model_type: 'chatglm', position_encoding_2d: true, hidden_size: 32, num_attention_heads: 2 }));
    expect(error).toMatchObject({ code: 'unsupported', parameter: 'model_type' });
    expect(error.message).toMatch(/"chatglm".*two rotary coordinates.*not offered yet/);
    expect(posenc.memory().encodings).toBe(before);
  });

  test('towers that are not asked for are left out', () => {
    const encoder = fromConfig(posenc, { model_type: 'whisper' }, { towers: ['encoder'] });
    expect(encoder.encodings.map(({ id }) => id)).toEqual(['sinusoidal']);
    encoder.dispose();
  });

  test('what an encoding refuses leaves nothing behind', () => {
    const before = posenc.memory().encodings;
    const error = errorOf(() => fromConfig(posenc, { ...llama, rope_theta: 0 }));
    expect(error).toMatchObject({ code: 'outOfRange', parameter: 'base' });
    expect(posenc.memory().encodings).toBe(before);
  });
});

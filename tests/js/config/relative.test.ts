// Models whose scores have terms of the content: options, scale and what a user has to know.
import { load } from 'posenc';
import { describeConfig, fromConfig } from 'posenc/config';
import { describe, expect, test } from 'vitest';

const posenc = await load();

const group = (config: Record<string, unknown>, index = 0) => {
  const [tower] = describeConfig(config).towers;
  if (!tower?.groups[index]) throw new Error('no such group');
  return { ...tower.groups[index], warnings: tower.warnings.join('\n'), input: tower.input };
};

describe('relative terms', () => {
  test('DeBERTa-v3: log buckets, the scale of three products, shared projections', () => {
    const { encodings, attention, warnings, input } = group({
      model_type: 'deberta-v2',
      hidden_size: 768,
      num_attention_heads: 12,
      max_position_embeddings: 512,
      max_relative_positions: -1,
      relative_attention: true,
      position_buckets: 256,
      pos_att_type: 'p2c|c2p',
      share_att_key: true,
      norm_rel_ebd: 'layer_norm',
      position_biased_input: false,
    });
    expect(encodings[0]).toMatchObject({
      id: 'deberta',
      options: { heads: 12, headDim: 64, dim: 768, span: 256, buckets: 'log', maxRelativePositions: 512, terms: 'both' },
    });
    expect(attention.scale).toBeCloseTo(1 / Math.sqrt(3 * 64), 12);
    expect(warnings).toMatch(/share_att_key[^]*norm_rel_ebd[^]*near the output/);
    expect(input).toEqual([]);
  });

  test('DeBERTa-v1: a row for every distance; one term, and its scale', () => {
    const { encodings, attention } = group({
      model_type: 'deberta',
      relative_attention: true,
      max_relative_positions: 100,
      pos_att_type: ['c2p'],
    });
    expect(encodings[0]?.options).toEqual({ heads: 12, headDim: 64, dim: 768, span: 100, terms: 'c2p' });
    expect(attention.scale).toBeCloseTo(1 / Math.sqrt(2 * 64), 12);
  });

  test('XLNet has segments, Transformer-XL a clamp and a window', () => {
    const xlnet = group({ model_type: 'xlnet', d_model: 1024, n_head: 16, clamp_len: -1 });
    expect(xlnet.encodings[0]?.options).toEqual({ heads: 16, headDim: 64, dim: 1024, segments: true });
    expect(xlnet.attention.causal).toBe(false);
    expect(xlnet.warnings).toMatch(/two coordinates/);
    expect(group({ model_type: 'xlnet', attn_type: 'uni' }).attention.causal).toBe(true);
    const xl = group({ model_type: 'transfo-xl', d_model: 1024, n_head: 8, d_head: 64 });
    expect(xl.encodings[0]?.options).toEqual({ heads: 8, headDim: 64, dim: 1024, clampLength: 1000 });
    expect(xl.warnings).toMatch(/same_length/);
  });

  test("BERT's relative_key has no table at the input, and positions that end", () => {
    const config = { model_type: 'bert', position_embedding_type: 'relative_key_query', max_position_embeddings: 128 };
    const { encodings, input } = group(config);
    expect(encodings[0]?.options).toEqual({
      headDim: 64,
      left: 127,
      values: 'none',
      queries: true,
      order: 'queryMinusKey',
      beyond: 'error',
    });
    expect(input).toEqual([]);
  });

  test('speech encoders: clipped rows, or sines of both sides', () => {
    const bert = group({ model_type: 'wav2vec2-bert' });
    expect(bert.encodings[0]?.options).toEqual({ headDim: 64, left: 64, right: 8, values: 'none' });
    const conformer = group({ model_type: 'wav2vec2-conformer', position_embeddings_type: 'relative', hidden_size: 1024, num_attention_heads: 16 });
    expect(conformer.encodings[0]?.options).toEqual({ heads: 16, headDim: 64, dim: 1024, layout: 'interleaved' });
  });

  test("SAM: tables of the window's size in most layers, of the grid's in a few", () => {
    const sam = { model_type: 'sam_vision_model', image_size: 1024, patch_size: 16, window_size: 14 };
    expect(group(sam)).toMatchObject({ kind: 'window_attention', layers: [0, 1, 3, 4, 6, 7, 9, 10] });
    expect(group(sam).encodings[0]?.options).toEqual({ headDim: 64, height: 14, width: 14 });
    expect(group(sam, 1)).toMatchObject({ kind: 'full_attention', layers: [2, 5, 8, 11] });
    expect(group(sam, 1).encodings[0]?.options).toEqual({ headDim: 64, height: 64, width: 64 });
  });

  test('what is described can be made, and goes into attention', () => {
    const small = { hidden_size: 32, num_attention_heads: 4, d_model: 32, n_head: 4, num_hidden_layers: 2 };
    const models = [
      { model_type: 'deberta-v2', relative_attention: true, pos_att_type: ['c2p', 'p2c'], position_biased_input: false },
      { model_type: 'xlnet' },
      { model_type: 'transfo-xl' },
      { model_type: 'bert', position_embedding_type: 'relative_key' },
      { model_type: 'wav2vec2-bert' },
      { model_type: 'wav2vec2-conformer', position_embeddings_type: 'relative' },
    ];
    for (const config of models) {
      const model = fromConfig(posenc, { ...small, ...config });
      const [made] = model.towers[0]?.groups ?? [];
      if (!made) throw new Error('no group');
      const attention = posenc.attention({ ...made.attention, encodings: made.encodings });
      const { heads, headDim } = attention;
      const x = { data: new Float32Array(heads * 5 * headDim).fill(0.5), shape: [heads, 5, headDim] };
      const places = Array.from({ length: 5 }, (_, i) => (attention.axes === 2 ? [i, 0] : [i])).flat();
      const list = { data: places, shape: attention.axes === 2 ? [5, 2] : [5] };
      expect(attention.forward(x, x, x, { positions: { q: list, k: list } }).shape).toEqual([heads, 5, headDim]);
      attention.dispose();
      model.dispose();
    }
  });
});

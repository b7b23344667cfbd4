// Weights of fromConfig by Hugging Face's names: which tensors are taken, how they are turned, and what is refused.
import { load, PosencError } from 'posenc';
import { fromConfig, type NamedWeights } from 'posenc/config';
import { writeSafetensors } from 'posenc/formats';
import { describe, expect, test } from 'vitest';
import { errorOf, random } from '../support/posenc.js';

const posenc = await load();
type Named = Record<string, { data: Float32Array; shape: readonly number[] }>;

/** Named tensors of random numbers. */
function tensors(shapes: Record<string, number[]>): Named {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape], n) => [name, random(shape, n + 1)]));
}

function made(config: Record<string, unknown>, weights: NamedWeights | Uint8Array) {
  const model = fromConfig(posenc, config, { weights });
  const values = Object.fromEntries(
    model.towers.flatMap(({ name: tower, input, groups }) => {
      const all = [...input.map(({ encoding }) => encoding), ...groups.flatMap(({ encodings }) => encodings)];
      return all.flatMap((encoding) =>
        Object.entries(encoding.parameters).map(([tensor, { data }]): [string, Float32Array] => [`${tower}.${encoding.name}.${tensor}`, data]),
      );
    }),
  );
  const calls = model.towers.flatMap(({ groups }) => groups.map(({ callOptions }) => callOptions));
  model.dispose();
  return { values, calls };
}

const small = { hidden_size: 8, num_attention_heads: 2, num_hidden_layers: 2 };

describe('tables', () => {
  test('BERT, from a file among tensors of other parts', () => {
    const weights = tensors({
      'bert.embeddings.position_embeddings.weight': [6, 8],
      'bert.embeddings.word_embeddings.weight': [3, 8],
      'bert.encoder.layer.0.attention.self.query.weight': [8, 8],
    });
    const config = { model_type: 'bert', ...small, max_position_embeddings: 6 };
    const table = weights['bert.embeddings.position_embeddings.weight']?.data;
    expect(made(config, writeSafetensors(weights)).values['text.learned.table']).toEqual(table);
    expect(made(config, weights).values['text.learned.table']).toEqual(table);
  });

  test('half floats are widened', () => {
    const shape = [4, 8];
    const halves = posenc.toHalf(random(shape), 'bf16');
    const weights = { 'wpe.weight': { data: halves.data, shape, dtype: 'BF16' } };
    const { values } = made({ model_type: 'gpt2', n_embd: 8, n_head: 2, n_layer: 1, n_positions: 4 }, weights);
    expect(values['text.learned.table']).toEqual(posenc.fromHalf(halves.data, shape, 'bf16').data);
  });

  test('BART: a table for each half, with the rows in front', () => {
    const weights = tensors({ 'model.encoder.embed_positions.weight': [7, 8], 'model.decoder.embed_positions.weight': [7, 8] });
    const config = { model_type: 'bart', d_model: 8, encoder_attention_heads: 2, decoder_attention_heads: 2, encoder_layers: 1, decoder_layers: 1, max_position_embeddings: 5 };
    const { values } = made(config, weights);
    expect(values['encoder.learned.table']).toEqual(weights['model.encoder.embed_positions.weight']?.data);
    expect(values['decoder.learned.table']).toEqual(weights['model.decoder.embed_positions.weight']?.data);
  });

  test('CLIP: towers are told apart by the names around', () => {
    const weights = tensors({
      'text_model.embeddings.position_embedding.weight': [5, 8],
      'vision_model.embeddings.position_embedding.weight': [5, 8],
    });
    const config = {
      model_type: 'clip',
      text_config: { ...small, max_position_embeddings: 5 },
      vision_config: { ...small, image_size: 8, patch_size: 4 },
    };
    const { values } = made(config, weights);
    expect(values['text.learned.table']).toEqual(weights['text_model.embeddings.position_embedding.weight']?.data);
    expect(values['vision.gridLearned.table']).toEqual(weights['vision_model.embeddings.position_embedding.weight']?.data);
  });

  test('pictures, films and sound: ViT, SAM, TimeSformer, ViViT, AST, YOLOS, Idefics', () => {
    const vit = { ...small, image_size: 8, patch_size: 4 };
    const cases: [Record<string, unknown>, string, number[], string][] = [
      [{ model_type: 'vit', ...vit }, 'vit.embeddings.position_embeddings', [1, 5, 8], 'vision.gridLearned.table'],
      [{ model_type: 'vivit', ...small, image_size: 8, num_frames: 4, tubelet_size: [2, 4, 4] }, 'vivit.embeddings.position_embeddings', [1, 9, 8], 'vision.learned.table'],
      [{ model_type: 'yolos', ...vit, num_detection_tokens: 3 }, 'vit.embeddings.position_embeddings', [1, 8, 8], 'vision.learned.table'],
      [
        { model_type: 'audio-spectrogram-transformer', ...small, num_mel_bins: 20, max_length: 26, patch_size: 6, frequency_stride: 5, time_stride: 5 },
        'audio_spectrogram_transformer.embeddings.position_embeddings',
        [1, 2 + 3 * 5, 8],
        'audio.gridLearned.table',
      ],
      [{ model_type: 'idefics3_vision', ...vit }, 'model.vision_model.embeddings.position_embedding.weight', [4, 8], 'vision.gridLearned.table'],
    ];
    for (const [config, name, shape, place] of cases) {
      const weights = tensors({ [name]: shape });
      expect(made(config, weights).values[place], name).toEqual(weights[name]?.data);
    }
    const films = tensors({ 'timesformer.embeddings.position_embeddings': [1, 5, 8], 'timesformer.embeddings.time_embeddings': [1, 3, 8] });
    const { values } = made({ model_type: 'timesformer', ...vit, num_frames: 3 }, films);
    expect(values['vision.gridLearned.timeTable']).toEqual(films['timesformer.embeddings.time_embeddings']?.data);
  });

  test("LayoutLM's boxes and biases", () => {
    const shapes = Object.fromEntries(['x', 'y', 'h', 'w'].map((axis) => [`layoutlm.embeddings.${axis}_position_embeddings.weight`, [9, 8]]));
    const weights = tensors({ ...shapes, 'layoutlm.embeddings.position_embeddings.weight': [6, 8] });
    const { values } = made({ model_type: 'layoutlm', ...small, max_position_embeddings: 6, max_2d_position_embeddings: 9 }, weights);
    expect(values['text.box.w']).toEqual(weights['layoutlm.embeddings.w_position_embeddings.weight']?.data);
    expect(values['text.learned.table']).toEqual(weights['layoutlm.embeddings.position_embeddings.weight']?.data);
  });
});

describe('biases', () => {
  test('T5: the table of the first layer serves all', () => {
    const weights = tensors({
      'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight': [32, 2],
      'decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight': [32, 2],
    });
    const { values } = made({ model_type: 't5', d_model: 8, d_kv: 4, num_heads: 2, num_layers: 2 }, weights);
    expect(values['encoder.t5.table']).toEqual(weights['encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']?.data);
    expect(values['decoder.t5.table']).toEqual(weights['decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']?.data);
  });

  test('Swin: stages and blocks; Swin v2: its network and scales', () => {
    const blocks = [[0, 0, 1], [1, 0, 2], [1, 1, 2]] as const;
    const name = (stage: number, block: number) => `swin.encoder.layers.${stage}.blocks.${block}.attention.self.`;
    const config = { embed_dim: 4, num_heads: [1, 2], depths: [1, 2], window_size: 2, image_size: 16, patch_size: 4 };
    const first = tensors(Object.fromEntries(blocks.map(([stage, block, heads]) => [`${name(stage, block)}relative_position_bias_table`, [9, heads]])));
    const { values } = made({ model_type: 'swin', ...config }, first);
    expect(values['vision.swin-2.table']).toEqual(first[`${name(1, 1)}relative_position_bias_table`]?.data);
    const second = tensors(
      Object.fromEntries(
        blocks.flatMap(([stage, block, heads]): [string, number[]][] => [
          [`${name(stage, block)}continuous_position_bias_mlp.0.weight`, [512, 2]],
          [`${name(stage, block)}continuous_position_bias_mlp.0.bias`, [512]],
          [`${name(stage, block)}continuous_position_bias_mlp.2.weight`, [heads, 512]],
          [`${name(stage, block)}logit_scale`, [heads, 1, 1]],
        ]),
      ),
    );
    const v2 = made({ model_type: 'swinv2', ...config }, second);
    expect(v2.values['vision.swinV2-1.w2']).toEqual(second[`${name(1, 0)}continuous_position_bias_mlp.2.weight`]?.data);
    expect(v2.calls[1]).toEqual({ 1: { logitScale: second[`${name(1, 0)}logit_scale`]?.data } });
  });

  test('WavLM: gates of each layer, their matrix transposed; the convolution with its norm', () => {
    const layers = [0, 1].flatMap((layer): [string, number[]][] => [
      [`encoder.layers.${layer}.attention.gru_rel_pos_linear.weight`, [8, 4]],
      [`encoder.layers.${layer}.attention.gru_rel_pos_linear.bias`, [8]],
      [`encoder.layers.${layer}.attention.gru_rel_pos_const`, [1, 2, 1, 1]],
    ]);
    const weights = tensors({
      ...Object.fromEntries(layers),
      'encoder.layers.0.attention.rel_attn_embed.weight': [320, 2],
      'encoder.pos_conv_embed.conv.weight_v': [8, 4, 3],
      'encoder.pos_conv_embed.conv.weight_g': [1, 1, 3],
      'encoder.pos_conv_embed.conv.bias': [8],
    });
    const config = { model_type: 'wavlm', ...small, num_conv_pos_embeddings: 3, num_conv_pos_embedding_groups: 2 };
    const { values } = made(config, weights);
    const matrix = weights['encoder.layers.1.attention.gru_rel_pos_linear.weight']?.data ?? new Float32Array();
    expect([...(values['audio.t5-1.gateWeight'] ?? [])]).toEqual(Array.from({ length: 32 }, (_, n) => matrix[(n % 8) * 4 + Math.floor(n / 8)]));
    expect(values['audio.t5-1.table']).toEqual(weights['encoder.layers.0.attention.rel_attn_embed.weight']?.data);
    const [v, g] = ['v', 'g'].map((part) => weights[`encoder.pos_conv_embed.conv.weight_${part}`]?.data ?? new Float32Array());
    const length = Math.hypot(...Array.from({ length: 32 }, (_, n) => v?.[3 * n + 1] ?? 0));
    expect(values['audio.conv.weight']?.[1]).toBeCloseTo(((g?.[1] ?? 0) * (v?.[1] ?? 0)) / length, 6);
  });
});

describe('terms of the content', () => {
  test('BERT with relative keys, Transformer-XL, XLNet and SAM: every layer its own', () => {
    const keys = tensors(Object.fromEntries([0, 1].map((layer) => [`bert.encoder.layer.${layer}.attention.self.distance_embedding.weight`, [11, 4]])));
    const bert = made({ model_type: 'bert', ...small, max_position_embeddings: 6, position_embedding_type: 'relative_key' }, keys);
    expect(bert.values['text.shaw-1.keyTable']).toEqual(keys['bert.encoder.layer.1.attention.self.distance_embedding.weight']?.data);

    const terms = ['r_w_bias', 'r_r_bias', 'r_s_bias'].map((name) => [name, [2, 4]] as const);
    const xlnet = tensors(
      Object.fromEntries(
        [0, 1].flatMap((layer) => [...terms, ['seg_embed', [2, 2, 4]] as const, ['r', [8, 2, 4]] as const].map(([name, shape]) => [`transformer.layer.${layer}.rel_attn.${name}`, [...shape]])),
      ),
    );
    const { values } = made({ model_type: 'xlnet', d_model: 8, n_head: 2, n_layer: 2 }, xlnet);
    const r = xlnet['transformer.layer.1.rel_attn.r']?.data ?? new Float32Array();
    expect([...(values['text.transformerXL-1.projection'] ?? [])]).toEqual(Array.from({ length: 64 }, (_, n) => r[(n % 8) * 8 + Math.floor(n / 8)]));
    expect(values['text.transformerXL-0.segmentBias']).toEqual(xlnet['transformer.layer.0.rel_attn.r_s_bias']?.data);

    const sam = tensors({
      'vision_encoder.pos_embed': [1, 4, 4, 8],
      ...Object.fromEntries([[0, 3], [1, 7]].flatMap(([layer, rows]) => ['h', 'w'].map((axis) => [`vision_encoder.layers.${layer}.attn.rel_pos_${axis}`, [rows ?? 0, 4]]))),
    });
    const config = { model_type: 'sam_vision_model', ...small, image_size: 16, patch_size: 4, window_size: 2, global_attn_indexes: [1] };
    const picture = made(config, sam).values;
    expect(picture['vision.gridLearned.table']).toEqual(sam['vision_encoder.pos_embed']?.data);
    expect(Object.entries(picture).find(([name]) => name.startsWith('vision.decomposed-full') && name.endsWith('widthTable'))?.[1]).toEqual(
      sam['vision_encoder.layers.1.attn.rel_pos_w']?.data,
    );
  });

  test('DeBERTa-v3: shared projections, and its table through the layer norm', () => {
    const layers = [0, 1].flatMap((layer) => ['query', 'key'].flatMap((side): [string, number[]][] => [
      [`deberta.encoder.layer.${layer}.attention.self.${side}_proj.weight`, [8, 8]],
      [`deberta.encoder.layer.${layer}.attention.self.${side}_proj.bias`, [8]],
    ]));
    const weights = tensors({
      ...Object.fromEntries(layers),
      'deberta.encoder.rel_embeddings.weight': [8, 8],
      'deberta.encoder.LayerNorm.weight': [8],
      'deberta.encoder.LayerNorm.bias': [8],
    });
    const config = {
      model_type: 'deberta-v2', ...small, relative_attention: true, position_buckets: 4, max_relative_positions: 16,
      pos_att_type: 'p2c|c2p', share_att_key: true, norm_rel_ebd: 'layer_norm', position_biased_input: false,
    };
    const { values } = made(config, weights);
    expect(values['text.deberta-1.queryBias']).toEqual(weights['deberta.encoder.layer.1.attention.self.query_proj.bias']?.data);
    const row = [...(weights['deberta.encoder.rel_embeddings.weight']?.data.subarray(0, 8) ?? [])];
    const mean = row.reduce((a, b) => a + b) / 8;
    const deviation = Math.sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 8 + 1e-7);
    const [scale, shift] = ['weight', 'bias'].map((name) => weights[`deberta.encoder.LayerNorm.${name}`]?.data ?? []);
    const want = row.map((value, c) => ((value - mean) / deviation) * (scale?.[c] ?? 0) + (shift?.[c] ?? 0));
    want.forEach((value, c) => expect(values['text.deberta-0.relativeEmbeddings']?.[c]).toBeCloseTo(value, 5));
  });
});

test('gpt-oss: sinks of each layer, for its calls', () => {
  const weights = tensors({ 'model.layers.0.self_attn.sinks': [4], 'model.layers.1.self_attn.sinks': [4] });
  const config = { model_type: 'gpt_oss', hidden_size: 32, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 8, num_hidden_layers: 2 };
  const model = fromConfig(posenc, config, { weights });
  const [sliding, full] = model.towers[0]?.groups ?? [];
  expect(sliding?.callOptions).toEqual({ 0: { sinks: weights['model.layers.0.self_attn.sinks']?.data } });
  const attention = posenc.attention({ ...full?.attention, encodings: full?.encodings ?? [] } as never);
  const rows = (heads: number) => random([heads, 3, 8]);
  expect(attention.forward(rows(4), rows(2), rows(2), full?.callOptions[1] ?? {}).shape).toEqual([4, 3, 8]);
  attention.dispose();
  model.dispose();
});

describe('what is refused', () => {
  const config = { model_type: 'bert', ...small, max_position_embeddings: 6 };
  const name = 'bert.embeddings.position_embeddings.weight';
  const refused = (given: Record<string, unknown>, weights: unknown): PosencError => {
    const before = posenc.memory().encodings;
    const error = errorOf(() => fromConfig(posenc, given, { weights: weights as NamedWeights }));
    expect(posenc.memory().encodings).toBe(before);
    return error;
  };

  test('shapes that do not fit, naming the tensor', () => {
    expect(refused(config, tensors({ [name]: [7, 8] }))).toMatchObject({ code: 'shapeMismatch', parameter: `weights.${name}` });
    const swapped = refused(config, tensors({ [name]: [8, 6] }));
    expect(swapped).toMatchObject({ code: 'shapeMismatch', received: 'shape [8, 6]' });
    expect(swapped.allowed).toContain('[6, 8]');
  });

  test('a file without the tensor; names that are nobody\'s; two that fit; no weights at all', () => {
    expect(refused(config, writeSafetensors(tensors({ other: [2] })))).toMatchObject({ code: 'missingOption', parameter: 'weights' });
    expect(refused(config, tensors({ other: [2] }))).toMatchObject({ code: 'unknownOption', parameter: 'weights.other' });
    const twice = tensors({ [name]: [6, 8], [`second.${name}`]: [6, 8] });
    expect(refused(config, twice)).toMatchObject({ code: 'unsupported', parameter: 'weights' });
    expect(refused(config, new Uint8Array(3))).toMatchObject({ code: 'invalidType', parameter: 'weights' });
    expect(refused(config, { [name]: { shape: [6, 8] } })).toMatchObject({ code: 'invalidType', parameter: `weights.${name}` });
    const gptOss = { model_type: 'gpt_oss', num_hidden_layers: 2 };
    expect(refused(gptOss, tensors({ 'model.layers.0.self_attn.sinks': [64] }))).toMatchObject({ code: 'missingOption' });
    expect(refused(gptOss, tensors({ 'model.layers.0.self_attn.sinks': [63] }))).toMatchObject({ code: 'shapeMismatch' });
  });
});

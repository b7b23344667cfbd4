// Small safetensors files for the inspector. They are made up here, with the names, shapes and habits of real tables: no
// weights of anyone's model are copied.
import type { Plugin } from 'vite';

interface Tensor {
  name: string;
  shape: readonly number[];
  data: Float32Array;
}

function random(seed: number): () => number {
  let state = seed;
  return () => (2 * (state = (state * 48271) % 2147483647)) / 2147483647 - 1;
}

const filled = (shape: readonly number[], value: (index: number) => number): Float32Array =>
  Float32Array.from({ length: shape.reduce((product, extent) => product * extent, 1) }, (_, i) => value(i));

/** A language model's table: slow waves, a first row of its own, and noise. */
function textTable(): Tensor {
  const [rows, width] = [128, 48];
  const noise = random(3);
  const data = filled([rows, width], (i) => {
    const [row, channel] = [Math.floor(i / width), i % width];
    const wave = 0.12 * Math.sin((row * (channel % 6 + 1)) / 40 + channel) * (channel < 24 ? 1 : 0.2);
    return (row === 0 ? 0.3 * noise() : wave) + 0.02 * noise();
  });
  return { name: 'wpe.weight', shape: [rows, width], data };
}

/** An image model's table: a class token, and a grid whose near cells are alike. */
function imageTable(): Tensor {
  const [side, width] = [14, 32];
  const noise = random(5);
  const waves = Array.from({ length: width }, () => [3 * noise(), 3 * noise(), 3 * noise()] as const);
  const data = filled([1, side * side + 1, width], (i) => {
    const [row, channel] = [Math.floor(i / width), i % width];
    const [x, y, phase] = waves[channel]!;
    if (row === 0) return 0.5 * noise();
    const cell = row - 1;
    return 0.3 * Math.sin((x * (cell % side)) / 4 + (y * Math.floor(cell / side)) / 4 + phase) + 0.05 * noise();
  });
  return { name: 'vit.embeddings.position_embeddings', shape: [1, side * side + 1, width], data };
}

/** Buckets of an encoder: some heads look near, one back, one ahead. */
function bucketTable(): Tensor {
  const [buckets, heads] = [32, 6];
  const noise = random(7);
  const data = filled([buckets, heads], (i) => {
    const [bucket, head] = [Math.floor(i / heads), i % heads];
    const [far, ahead] = [(bucket % 16) / 16, bucket >= 16];
    const slope = [6, 3, 1, -1, 4, 4][head]!;
    return -slope * far + (head === 4 && ahead ? -5 : 0) + (head === 5 && !ahead ? -5 : 0) + 0.3 * noise();
  });
  return { name: 'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight', shape: [buckets, heads], data };
}

/** A window of 7 by 7: each head looks somewhere else around the query. */
function windowTable(): Tensor {
  const [side, heads] = [13, 4];
  const noise = random(11);
  const data = filled([side * side, heads], (i) => {
    const [cell, head] = [Math.floor(i / heads), i % heads];
    const [row, column] = [Math.floor(cell / side) - 6 - [0, 2, 0, -2][head]!, (cell % side) - 6 - [0, 0, 3, 0][head]!];
    return 2 * Math.exp(-(row * row + column * column) / 8) + 0.1 * noise();
  });
  return { name: 'layers.0.blocks.0.attention.self.relative_position_bias_table', shape: [side * side, heads], data };
}

/** Frequencies of base 500,000 that a scaling has changed already. */
function frequencies(): Tensor {
  const pairs = 64;
  const data = filled([pairs], (pair) => 500000 ** (-pair / pairs) / (pair > 36 ? 8 : 1));
  return { name: 'model.layers.0.self_attn.rotary_emb.inv_freq', shape: [pairs], data };
}

const files: Readonly<Record<string, () => Tensor>> = {
  'text-table': textTable, 'image-grid': imageTable, 'buckets': bucketTable, 'window': windowTable, 'frequencies': frequencies,
};

const metadata = { about: 'made up by the site of posenc, shaped as a real table is' };

/** Puts the files into the site's folder `examples`. */
export function tensorFiles(): Plugin {
  return {
    name: 'posenc-tensor-files',
    apply: 'build',
    async generateBundle() {
      const { writeSafetensors } = (await import(new URL('../../dist/formats.js', import.meta.url).href)) as typeof import('posenc/formats');
      for (const [name, make] of Object.entries(files)) {
        const { name: tensor, shape, data } = make();
        this.emitFile({ type: 'asset', fileName: `examples/${name}.safetensors`, source: writeSafetensors({ [tensor]: { shape, data } }, metadata) });
      }
    },
  };
}

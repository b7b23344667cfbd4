// Learned grids: tables of patches resampled to another grid, DETR's per axis, TimeSformer's of space and time.
import { resample } from './learned.mjs';

/** A table of patches: as an encoding, and by the operation that resamples tables. */
export function gridLearned(one, api) {
  const { posenc } = api;
  one.confirm({ cubic_a: one.params.antialias ? -0.5 : -0.75 });
  const { dim, grid, height, width, extra_tokens: prefix = 0 } = one.params;
  const [rows, cols] = [grid].flat().length === 2 ? grid : [grid, grid];
  const table = one.input('table', posenc);
  const encoding = posenc.gridLearned({
    dim,
    rows,
    cols,
    toRows: height,
    toCols: width,
    prefix,
    resample: {
      mode: one.params.mode.replace(/^bi/, ''),
      alignCorners: one.params.align_corners ?? false,
      antialias: one.params.antialias ?? false,
      scaleOffset: one.params.scale_offset ?? 0,
    },
    weights: { table },
  });
  one.check('out', encoding.encode(prefix + height * width));
  if (one.has('dout')) one.check('dtable', encoding.backward(one.input('dout', posenc)).table);
  encoding.dispose();
  resample(one, api);
}

/** Channels come first in DETR's files. */
export function detrLearned(one, { posenc }) {
  const { height, width, num_pos_feats: half } = one.params;
  const [rowTable, colTable] = ['row_embed', 'col_embed'].map((name) => one.input(name, posenc));
  const [rows, cols] = [rowTable.shape[0], colTable.shape[0]];
  const encoding = posenc.gridLearned({ dim: 2 * half, kind: 'axes', rows, cols, weights: { rowTable, colTable } });
  one.check('pos', channelsFirst(encoding.encode([height, width])));
  if (one.has('dout')) {
    const dOut = channelsLast(one.input('dout', posenc));
    const gradients = encoding.backward(dOut, { grid: [height, width] });
    one.check('drow_embed', gradients.rowTable);
    one.check('dcol_embed', gradients.colTable);
  }
  encoding.dispose();
}

export function timesformer(one, { posenc }) {
  const { dim, pretrained_grid: grid, pretrained_frames: frames, height, width, frames: toFrames } = one.params;
  const weights = { table: one.input('space', posenc), timeTable: one.input('time', posenc) };
  const encoding = posenc.gridLearned({
    dim,
    kind: 'spaceTime',
    rows: grid,
    cols: grid,
    frames,
    toRows: height,
    toCols: width,
    toFrames,
    prefix: 1,
    resample: { mode: 'nearest' },
    weights,
  });
  one.check('out', encoding.add(tokens(one, posenc, height * width, toFrames, dim)));
  encoding.dispose();
}

/** The class token and then x [frames, patches, dim], all frames of each patch together. */
function tokens(one, posenc, patches, frames, dim) {
  const x = one.input('x', posenc).data;
  const data = new Float32Array(dim * (1 + patches * frames));
  data.set(one.input('cls', posenc).data);
  for (let patch = 0; patch < patches; patch++) {
    for (let frame = 0; frame < frames; frame++) {
      const from = (frame * patches + patch) * dim;
      data.set(x.subarray(from, from + dim), (1 + patch * frames + frame) * dim);
    }
  }
  return { data, shape: [1 + patches * frames, dim] };
}

function channelsFirst({ data, shape: [rows, cols, channels] }) {
  const cells = rows * cols;
  return { data: Float32Array.from(data, (_, i) => data[(i % cells) * channels + Math.floor(i / cells)]), shape: [channels, rows, cols] };
}

function channelsLast({ data, shape: [channels, rows, cols] }) {
  const cells = rows * cols;
  return { data: Float32Array.from(data, (_, i) => data[(i % channels) * cells + Math.floor(i / channels)]), shape: [rows, cols, channels] };
}

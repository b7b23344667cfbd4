// Sine tables of grids (multidim-positional-encoding, MAE) and of padded images (DETR).

export function grid(one, api) {
  if (one.has('mask')) return detr(one, api);
  const run = variants[one.params.variant];
  if (!run) throw new Error(`variant "${one.params.variant}" is not known here`);
  run(one, api);
}

const variants = {
  tatp22(one, { posenc }) {
    const { shape, channels } = one.params;
    const pair = 2 * Math.ceil(channels / (2 * shape.length));
    one.confirm({ channels_per_axis: shape.length === 1 ? 2 * Math.ceil(channels / 2) : pair });
    using(posenc.grid({ dim: channels, axes: shape.length }), (e) => one.check('pos', encoded(e, shape)));
  },

  /** Column first, sines before cosines; the class token has a row of zeros. */
  mae(one, { posenc }) {
    const { dim, grid, cls_token: token } = one.params;
    const [rows, cols] = Array.isArray(grid) ? grid : [grid, grid];
    using(posenc.grid({ dim, layout: 'concat', order: 'reversed' }), (e) => {
      const table = encoded(e, [rows, cols]).data;
      const prefix = token ? dim : 0;
      const data = new Float32Array(prefix + table.length);
      data.set(table, prefix);
      one.check('pos', { data, shape: [data.length / dim, dim] });
    });
  },
};

/** Positions from a mask of padding; the file has channels before rows and columns. */
function detr(one, { posenc }) {
  const { num_pos_feats: half, temperature: base = 1e4, normalize = false, scale } = one.params;
  const mask = one.raw('mask');
  const [batch, height, width] = mask.shape;
  one.confirm({ batch, height, width });
  const options = { normalize, ...(normalize && scale != null ? { scale } : {}) };
  using(posenc.grid({ dim: 2 * half, base }), (e) => {
    const positions = posenc.grid.positions({ data: Float32Array.from(mask.data, Number), shape: mask.shape }, options);
    one.check('pos', channelsFirst(e.encode(positions)));
  });
}

/** Rows for every cell of a grid, the last axis fastest; [..shape, width]. */
function encoded(encoding, shape) {
  const count = shape.reduce((product, extent) => product * extent, 1);
  const data = new Float64Array(count * shape.length);
  for (let cell = 0, i = 0; cell < count; cell++) {
    let step = count;
    for (const extent of shape) data[i++] = Math.floor(cell / (step /= extent)) % extent;
  }
  return encoding.encode({ data, shape: shape.length === 1 ? shape : [...shape, shape.length] });
}

function channelsFirst({ data, shape: [batch, rows, cols, width] }) {
  const cells = rows * cols;
  const out = data.map((_, i) => {
    const [image, channel, cell] = [Math.floor(i / (width * cells)), Math.floor(i / cells) % width, i % cells];
    return data[(image * cells + cell) * width + channel];
  });
  return { data: out, shape: [batch, width, rows, cols] };
}

function using(encoding, body) {
  body(encoding);
  encoding.dispose();
}

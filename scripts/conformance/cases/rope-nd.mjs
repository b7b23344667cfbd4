// Rotations by rows, columns and frames: one entry per model whose convention a file has.

/** Options, and positions where the tokens are not simply the grid's cells. */
const variants = {
  pixtral: ({ headDim, params }) => ({
    options: { headDim, frequencies: 'dealt' },
    places: params.sizes.map((grid) => ({ grid })),
  }),
  'qwen2-vl-vision': ({ headDim, params }) => {
    const places = params.grid_thw.map(([repeat, ...grid]) => ({ grid, merge: params.spatial_merge_size, repeat }));
    return { options: { headDim }, places };
  },
  eva02: ({ headDim, params }) => {
    const side = (length) => [length, length];
    return {
      options: {
        headDim,
        ...drawn(params),
        coordinates: 'resized',
        grid: side(params.ft_seq_len),
        trainedGrid: side(params.pt_seq_len),
      },
    };
  },
  sam2: ({ headDim, params }) => {
    const grid = [params.end_y, params.end_x];
    const keys = { grid, repeat: params.repeat_freqs_k ?? 1, suffix: params.num_k_exclude_rope ?? 0 };
    return { options: { headDim, order: 'reversed' }, places: [{ grid }], keys: [keys] };
  },
  dinov3: ({ headDim, params }) => ({
    options: {
      headDim,
      coordinates: 'centred',
      grid: [params.height, params.width],
      prefix: params.prefix_tokens,
    },
  }),
  'lucidrains-axial': ({ headDim, params }) => {
    const { shape, dim_per_axis: dim } = params;
    const own = drawn(params);
    const coordinates = own.frequencies === 'linear' ? 'span' : 'index';
    return { options: { headDim, axes: shape.length, rotaryDim: dim * shape.length, ...own, coordinates, grid: shape } };
  },
};

/** `freqs_for`: frequencies of language, or of pixels. */
function drawn({ freqs_for: kind = 'lang', max_freq: maxFreq }) {
  if (kind !== 'lang' && kind !== 'pixel') throw new Error(`freqs_for "${kind}" is not known here`);
  return kind === 'pixel' ? { frequencies: 'linear', maxFreq } : {};
}

export function ropeNd(one, { posenc }) {
  const { variant, layout, head_dim: headDim, theta: base } = one.params;
  const read = variants[variant];
  if (!read) throw new Error(`variant "${variant}" is not known here`);
  const { options, places, keys } = read({ headDim, params: one.params });
  const rope = posenc.ropeNd({ layout, base, ...options });
  try {
    const positions = places && joined(rope, places);
    one.confirm({ heads: one.raw(one.has('x') ? 'x' : 'q').shape[0] });
    if (one.has('rows')) checkPlaces(one, positions);
    if (one.params.max_side !== undefined) checkIndices(one, positions);
    one.context('position_ids');
    if (one.has('freqs')) one.check('freqs', anglesOf(one, rope, positions));
    for (const [input, output] of [
      ['x', 'out'],
      ['q', 'q_out'],
      ['k', 'k_out'],
    ]) {
      if (!one.has(input)) continue;
      const at = input === 'k' && keys ? joined(rope, keys) : positions;
      one.check(output, turned(rope, one.input(input, posenc), at));
    }
  } finally {
    rope.dispose();
  }
}

/** Positions of several images, one after the other. */
function joined(rope, places) {
  const all = places.map((place) => rope.gridPositions(place));
  const [, axes] = all[0].shape;
  const data = all.flatMap((positions) => Array.from(positions.data));
  return { data: Float64Array.from(data), shape: [data.length / axes, axes] };
}

/** Pixtral's one number per patch, row · max_side + column. */
function checkIndices(one, { data }) {
  const side = one.params.max_side;
  one.integers('position_ids').forEach((id, n) => {
    const got = data[2 * n] * side + data[2 * n + 1];
    if (got !== id) one.fail(`position_ids[${n}]: ${got}, expected ${id}`);
  });
}

/** Turns [heads, ...grid, dim], whatever the number of axes between. */
function turned(rope, x, positions) {
  const [heads, dim] = [x.shape[0], x.shape.at(-1)];
  const flat = { data: x.data, shape: [heads, x.data.length / (heads * dim), dim] };
  const { data } = rope.apply(flat, positions ? { positions } : {});
  return { data, shape: x.shape };
}

/** The rows and columns that the file has are those that the helper makes. */
function checkPlaces(one, positions) {
  ['rows', 'cols'].forEach((name, axis) => {
    const want = one.integers(name);
    const wrong = want.findIndex((value, i) => value !== positions.data[2 * i + axis]);
    if (wrong >= 0) one.fail(`${name}[${wrong}]: ${positions.data[2 * wrong + axis]}, expected ${want[wrong]}`);
  });
}

/** The angle of each pair of each token. */
function anglesOf(one, rope, positions) {
  const [frequencies, axes] = [rope.frequencies().data, rope.axisOfPairs().data];
  const [tokens, width] = positions.shape;
  const data = Float32Array.from({ length: tokens * frequencies.length }, (_, n) => {
    const pair = n % frequencies.length;
    return positions.data[Math.floor(n / frequencies.length) * width + axes[pair]] * frequencies[pair];
  });
  return { data, shape: [tokens, frequencies.length] };
}

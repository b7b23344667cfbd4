// Learned tables: look-up with its gradient, positions of padded rows, and tables resampled to other sizes.

export function learned(one, api) {
  if (one.has('positions')) lookup(one, api);
  else resample(one, api);
}

/** Options of each published variant; the table's rows include those that `offset` reserves. */
const variants = {
  plain: () => ({}),
  opt: ({ offset }) => ({ offset }),
  roberta: ({ padding_idx: paddingIndex }) => ({ paddingIndex }),
};

function lookup(one, { posenc }) {
  const { variant = 'plain', dim, padding_idx: paddingIndex, past = 0 } = one.params;
  const options = variants[variant]?.(one.params);
  if (!options) throw new Error(`variant "${variant}" is not known here`);
  const table = one.input('table', posenc);
  one.confirm({ rows: table.shape[0] });
  const maxLength = table.shape[0] - (options.offset ?? 0);
  const encoding = posenc.learned({ dim, maxLength, ...options, weights: { table } });
  const positions = one.raw('positions');
  if (one.has('attention_mask')) one.check('positions', newColumns(posenc.learned.positions(one.raw('attention_mask')), past));
  if (one.has('input_ids')) one.check('positions', posenc.learned.positions(one.raw('input_ids'), { paddingIndex, start: past }));
  one.check('out', one.has('x') ? encoding.add(one.input('x', posenc), { positions }) : encoding.encode(positions));
  if (one.has('dout')) one.check('dtable', encoding.backward(one.input('dout', posenc), { positions }).table);
  if (one.has('dx')) one.check('dx', one.raw('dout'));
  encoding.dispose();
}

/** A mask covers the cached tokens too: the positions of the columns behind them. */
function newColumns({ data, shape }, past) {
  const length = shape.at(-1);
  return { data: data.filter((_, index) => index % length >= past), shape: [...shape.slice(0, -1), length - past] };
}

/** A table along one axis or of a grid, resampled, and its gradient. */
export function resample(one, { posenc }) {
  const { in_len: length, out_len: newLength, grid, height, width, mode, extra_tokens: prefix = 0 } = one.params;
  if (one.params.dim !== undefined) one.confirm({ dim: one.raw('table').shape.at(-1) });
  const oldGrid = [grid].flat().length === 2 ? grid : [grid, grid];
  const options = {
    from: length === undefined ? oldGrid : [length],
    to: length === undefined ? [height, width] : [newLength],
    prefix,
    mode: mode.replace(/^bi/, ''),
    alignCorners: one.params.align_corners ?? false,
    antialias: one.params.antialias ?? false,
    scaleOffset: one.params.scale_offset ?? 0,
  };
  one.check('out', posenc.learned.resample(one.input('table', posenc), options));
  if (one.has('dout')) one.check('dtable', posenc.learned.resampleBackward(one.input('dout', posenc), options));
}

// Sine tables at given positions, added to embeddings where the file has some.

/** The frequency rules that files write out, as `exponent` and base. */
const frequencies = [
  { pattern: /^(\S+)\^\(-2i\/dim\)$/, exponent: 'paper' },
  { pattern: /^(\S+)\^\(-i\/\(dim\/2-1\)\)$/, exponent: 'tensor2tensor' },
];

/** Options of the encoding, and the factor on positions that a smallest timescale other than 1 means. */
function optionsOf(params) {
  const { dim, layout, frequency, min_timescale: min = 1, max_timescale: max = 1e4 } = params;
  const rule = frequencies.find(({ pattern }) => pattern.test(frequency));
  if (!rule) throw new Error(`frequency "${frequency}" is not known here`);
  const base = rule.pattern.exec(frequency)[1];
  // tensor2tensor and fairseq fill an odd column with zeros, the others with one more sine.
  const odd = rule.exponent === 'tensor2tensor' ? 'zero' : 'sine';
  const common = { dim, layout, exponent: rule.exponent, odd };
  if (base === 'min*(max/min)') return { options: { ...common, base: max / min }, step: min };
  return { options: { ...common, base: Number(base) }, step: 1 };
}

export function sinusoidal(one, { posenc }) {
  const { padding_idx: paddingIndex, scale_input: scale } = one.params;
  const { options, step } = optionsOf(one.params);
  const encoding = posenc.sinusoidal({
    ...options,
    ...(paddingIndex === undefined ? {} : { paddingIndex }),
    ...(scale === undefined ? {} : { scaleInput: scale !== 1 }),
  });
  one.context('input_ids'); // the positions that were counted from them are given as well
  const { data, shape } = one.raw('positions');
  one.confirm({ offset: Number(data[0]) });
  const positions = { data: Float64Array.from(data, (position) => Number(position) * step), shape };
  // Without embeddings, `out` is the table.
  const table = one.has('table') || !one.has('x');
  if (table) one.check(one.has('table') ? 'table' : 'out', encoding.encode(positions));
  if (one.has('x')) one.check('out', encoding.add(one.input('x', posenc), { positions }));
  encoding.dispose();
}

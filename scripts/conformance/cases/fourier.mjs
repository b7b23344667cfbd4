// Fourier features of points: NeRF's embedder, and projections where a file has one.

export function fourier(one, api) {
  const run = variants[one.params.variant];
  if (!run) throw new Error(`variant "${one.params.variant}" is not known here`);
  run(one, api);
}

const variants = {
  nerf(one, { posenc }) {
    const { dims, num_freqs: frequencies, max_freq_log2: maxLog2, log_sampling: log = true, include_input: includeInput = true } = one.params;
    const encoding = posenc.fourier({
      axes: dims,
      frequencies,
      includeInput,
      sampling: log ? 'log' : 'linear',
      ...(maxLog2 == null ? {} : { maxLog2 }),
    });
    const { data, shape } = one.raw('x');
    // With one axis, positions have no axis of their own.
    one.check('out', encoding.encode({ data: Float64Array.from(data), shape: dims === 1 ? shape.slice(0, -1) : shape }));
    encoding.dispose();
  },
};

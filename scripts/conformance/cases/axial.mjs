// Axial tables, summed or side by side, and their gradients.

export function axial(one, { posenc }) {
  const { variant, shape, dims } = one.params;
  const sum = variant === 'sum';
  const tables = shape.map((_, axis) => [`table${axis}`, one.input(`w${axis}`, posenc)]);
  const encoding = posenc.axial({
    dim: sum ? dims[0] : dims.reduce((total, width) => total + width, 0),
    shape,
    dims,
    combine: variant,
    weights: Object.fromEntries(tables),
  });
  const positions = one.has('positions') ? one.raw('positions') : 0;
  const rows = one.raw('out').shape[0];
  one.confirm({ seq: rows });
  one.expect('variant', 'sum', 'concat');
  one.check('out', encoding.encode(positions === 0 ? rows : positions));
  if (one.has('dout')) {
    const gradients = encoding.backward(one.input('dout', posenc), { positions });
    shape.forEach((_, axis) => one.check(`dw${axis}`, gradients[`table${axis}`]));
  }
  encoding.dispose();
}

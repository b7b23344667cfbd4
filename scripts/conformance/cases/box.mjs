// LayoutLM's boxes: six vectors added, or side by side.

const tables = ['x', 'y', 'h', 'w'];

export function box(one, { posenc }) {
  const { variant, dim, coordinate_size: coordinateSize, shape_size: shapeSize, max_2d: maxPosition } = one.params;
  const sizes = {
    'v1-sum': () => ({ dim, combine: 'sum' }),
    'v2-concat': () => ({ dim: 4 * coordinateSize + 2 * shapeSize, combine: 'concat', coordinateSize, shapeSize }),
  };
  if (!sizes[variant]) throw new Error(`variant "${variant}" is not known here`);
  const weights = Object.fromEntries(tables.map((name) => [name, one.input(`table_${name}`, posenc)]));
  const encoding = posenc.box({ ...sizes[variant](), maxPosition, weights });
  const positions = one.raw('bbox');
  one.confirm({ seq: positions.shape.at(-2) });
  one.check('out', one.has('x') ? encoding.add(words(one, posenc), { positions }) : encoding.encode(positions));
  encoding.dispose();
}

/** Embeddings with the row of each position, 0, 1, 2, ..., where the file has those. */
function words(one, posenc) {
  const x = one.input('x', posenc);
  if (!one.has('table_pos')) return x;
  const table = one.input('table_pos', posenc);
  const encoding = posenc.learned({ dim: table.shape[1], maxLength: table.shape[0], weights: { table } });
  const sum = encoding.add(x);
  encoding.dispose();
  return sum;
}

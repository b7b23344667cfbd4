// Padding masks of onnxruntime's own operators: numbers that are added to the scores of keys that do not count, and what
// attention_bias adds to all of them.

/**
 * The tensor `name` is the number of valid keys [batch]; their ends and then their starts [2 · batch]; the same with offsets
 * behind them [3 · batch + 2]; or 1 for each key that takes part, [batch, keys], [batch, queries, keys] or [batch, 1, ..].
 * One column stands for no mask. `mask_filter_value` is what hidden keys get, so that a row without any valid key still
 * has a softmax.
 */
export function paddingMask(one, posenc, name, { batch, heads, queries, keys }) {
  const { mask_filter_value: filter = -10000 } = one.params;
  const hides = hiding(one, name, { batch, queries, keys });
  const added = one.has('attention_bias') ? one.input('attention_bias', posenc) : undefined;
  if (!hides && !added) return {};
  const area = queries * keys;
  const [rows, planes] = added?.shape ?? [1, 1];
  const data = Float32Array.from({ length: batch * heads * area }, (_, n) => {
    const [row, head] = [Math.floor(n / (heads * area)), Math.floor(n / area) % heads];
    const plane = (rows === 1 ? 0 : row) * planes + (planes === 1 ? 0 : head);
    const bias = added ? added.data[plane * area + (n % area)] : 0;
    return bias + (hides?.(row * area + (n % area)) ? filter : 0);
  });
  return { mask: { data, shape: [batch, heads, queries, keys] } };
}

/** Whether element n of [batch, queries, keys] is hidden. */
function hiding(one, name, { batch, queries, keys }) {
  if (!one.has(name)) return undefined;
  const { shape } = one.raw(name);
  const mask = one.integers(name);
  const placeOf = (n) => ({ row: Math.floor(n / (queries * keys)), query: Math.floor(n / keys) % queries, key: n % keys });
  if (shape.length === 1) {
    if (![batch, 2 * batch, 3 * batch + 2].includes(shape[0])) throw new Error(`${name}: shape [${shape}] is not known here`);
    return (n) => {
      const { row, key } = placeOf(n);
      return key >= mask[row] || (shape[0] === 2 * batch && key < mask[batch + row]);
    };
  }
  const width = shape.at(-1);
  if (shape.length === 2 && width === 1 && keys !== 1) return undefined;
  return (n) => {
    const { row, query, key } = placeOf(n);
    // The last of a square of four axes are the queries'.
    const line = shape.length > 2 ? row * shape.at(-2) + query + (shape.length === 4 ? keys - queries : 0) : row;
    return mask[line * width + key] === 0;
  };
}

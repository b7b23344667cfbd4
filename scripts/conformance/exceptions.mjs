// Tensors that may differ by more than 5e-6·(1 + |b|), each with its reason. The file's own tolerance still holds.

/**
 * @type {{ encoding: string, tensor: RegExp, holds?: (params: object) => boolean, tolerance: number, reason: string }[]}
 */
export const exceptions = [
  {
    encoding: 'attention',
    tensor: /^(out|probs|d[qkv])$/,
    holds: (params) => params.q_len === 11 && params.head_dim === 12 && params.causal,
    tolerance: 2e-5,
    reason: 'scores of several hundred, where neighbouring 32-bit floats are 3e-5 apart',
  },
];

/** The wider bound of a tensor, if it has one. */
export function toleranceException(encoding, params, tensor) {
  return exceptions.find(
    (entry) => entry.encoding === encoding && entry.tensor.test(tensor) && (entry.holds?.(params) ?? true),
  )?.tolerance;
}

// Token vectors for the attention pictures, and the same as code to copy.
import type { TokenKind } from './settings.js';

/** Lehmer's generator (MINSTD): exact in doubles, so that the copied code makes the same tokens. */
function random(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

/** `count` numbers: all `fill`, or random ones in [-1, 1]. */
export function makeTokens(kind: TokenKind, count: number, fill: number): Float32Array {
  return kind === 'alike' ? new Float32Array(count).fill(fill) : Float32Array.from({ length: count }, random());
}

/** Code for a variable `tokens` of that shape. */
export function tokensCode(kind: TokenKind, shape: readonly number[], fill: number): string[] {
  const count = shape.reduce((product, size) => product * size, 1);
  const tensor = (data: string): string => `const tokens = { data: ${data}, shape: [${shape.join(', ')}] };`;
  if (kind === 'alike') return [tensor(`new Float32Array(${count})${fill === 0 ? '' : `.fill(${fill})`}`)];
  return [
    'let state = 1;',
    'const random = () => (2 * (state = (state * 48271) % 2147483647)) / 2147483647 - 1;',
    tensor(`Float32Array.from({ length: ${count} }, random)`),
  ];
}

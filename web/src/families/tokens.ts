// Token vectors for the attention pictures, and the same as code to copy.
import type { TokenKind } from './settings.js';

let drawn = new Float32Array();

/** The first `count` numbers of Lehmer's generator (MINSTD): exact in doubles, so that the copied code makes the same tokens.
 * They are drawn once and kept. */
function random(count: number): Float32Array {
  if (drawn.length < count) {
    drawn = new Float32Array(count);
    for (let i = 0, state = 1; i < count; i++) {
      state = (state * 48271) % 2147483647;
      drawn[i] = (2 * state) / 2147483647 - 1;
    }
  }
  return drawn.slice(0, count);
}

/** `count` numbers: all `fill`, or random ones in [-1, 1]. */
export function makeTokens(kind: TokenKind, count: number, fill: number): Float32Array {
  return kind === 'alike' ? new Float32Array(count).fill(fill) : random(count);
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

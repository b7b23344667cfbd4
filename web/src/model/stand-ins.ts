// Some encodings begin with nothing but zeros, and then there is nothing to see: random numbers stand for trained ones.
import type { Encoding } from 'posenc';
import { entryOf } from './create.js';

const names = ['standIn', 'draw'] as const;

/** Fills trained tensors if all of them are zero; gives the code that does it, none where nothing was done. */
export function fillZeros(encoding: Encoding): string[] {
  // Large tables take long to read: none is where the catalogue has nothing that begins with zeros.
  if (!entryOf(encoding.id)?.tensors.some(({ initialDoc }) => initialDoc.includes('zeros'))) return [];
  const { parameters } = encoding;
  const trained = Object.entries(parameters).filter(([name]) => encoding.trainable.includes(name));
  if (trained.length === 0 || trained.some(([, { data }]) => data.some((value) => value !== 0))) return [];
  let state = 1;
  const draw = (): number => (2 * (state = (state * 48271) % 2147483647)) / 2147483647 - 1;
  encoding.parameters = Object.fromEntries(trained.map(([name, { size }]) => [name, Float32Array.from({ length: size }, draw)]));
  const [seed, next] = names;
  return [
    `let ${seed} = 1;`,
    `const ${next} = () => (2 * (${seed} = (${seed} * 48271) % 2147483647)) / 2147483647 - 1;`,
    `encoding.parameters = { ${trained.map(([name, { size }]) => `${name}: Float32Array.from({ length: ${size} }, ${next})`).join(', ')} };`,
  ];
}

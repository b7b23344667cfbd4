// The JavaScript that makes what a page shows.
import type { Options } from './options.js';

/** An options object as one would write it: { headDim: 64, scaling: { type: 'linear' } }. */
export function writeOptions(options: Options): string {
  const parts = Object.entries(options).map(([name, value]) => `${name}: ${writeValue(value)}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
}

function writeValue(value: Options[string]): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? `[${value.join(', ')}]` : writeOptions(value as Options);
}

/** The call that makes an encoding: posenc.rope({ headDim: 64 }). */
export function writeFactory(id: string, options: Options): string {
  const text = writeOptions(options);
  return `posenc.${id}(${text === '{}' ? '' : text})`;
}

// Every encoding, saved and restored: the same options, name, seed, bits of its tensors and bits of what it makes.
import type { BiasEncoding, Encoding, InputEncoding, RelativeEncoding, RotaryEncoding } from 'posenc';
import { fromJSON, fromSafetensors, toJSON, toSafetensors } from 'posenc/state';
import { expect, test } from 'vitest';

import { loadPosenc, random } from '../support/posenc.js';
import { type Sample, headDim, heads, make, places, relationsOf, samples } from '../support/samples.js';

const posenc = await loadPosenc();

/** Options without those that all encodings have. */
const own = (options: object): object => Object.fromEntries(Object.entries(options).filter(([name]) => !['name', 'seed', 'weights'].includes(name)));

/** What an encoding makes, whatever its family. */
function made(encoding: Encoding<object>): unknown {
  const { axes } = encoding;
  switch (encoding.family) {
    case 'input': {
      const input = encoding as InputEncoding;
      const x = random([10, input.width], 2);
      return axes === 2 ? input.add(x, { grid: [2, 5] }) : input.add(x, { positions: places(axes, 0, 10) });
    }
    case 'rotary':
      return (encoding as RotaryEncoding).apply(random([heads, 7, headDim]), { positions: 3 });
    case 'bias':
      return (encoding as BiasEncoding).bias(3, 6, { positions: { q: places(axes, 3, 3), k: places(axes, 0, 6) }, ...relationsOf(encoding, 3, 3, 6) });
    case 'relative':
      return (encoding as RelativeEncoding).terms.map((_, term) => (encoding as RelativeEncoding).rows([0, 1, 2], { term }));
    default:
      return undefined;
  }
}

test.each(samples.map((sample): [string, Sample] => [sample.title, sample]))('%s', (_, sample) => {
  const encoding = make(posenc, sample, { name: 'kept', seed: 11 });
  const again = [fromJSON(posenc, JSON.parse(JSON.stringify(toJSON(encoding)))), fromSafetensors(posenc, toSafetensors(encoding))] as Encoding<object>[];
  for (const other of again) {
    expect(other).toMatchObject({ id: sample.id, name: 'kept', seed: 11 });
    expect(own(other.options)).toEqual(own(encoding.options));
    expect(other.trainable).toEqual(encoding.trainable);
    expect(other.parameters).toEqual(encoding.parameters);
    expect(made(other)).toEqual(made(encoding));
  }
  for (const each of [encoding, ...again]) each.dispose();
});

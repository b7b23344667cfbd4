// All entries, in Node.js of any age, Deno and Bun: no flag, no configuration.
import { load } from 'posenc';
import { load as loadInline } from 'posenc/inline';
import { catalog } from 'posenc/catalog';
import { describeConfig } from 'posenc/config';
import { readSafetensors } from 'posenc/formats';
import { recommend } from 'posenc/recommend';
import { toSafetensors } from 'posenc/state';
import packageJson from 'posenc/package.json' with { type: 'json' };
import { check } from '../check.mjs';

for (const thing of [catalog, describeConfig, recommend]) if (thing === undefined) throw new Error('an export is missing');
const { tensors } = readSafetensors(toSafetensors((await load()).alibi({ heads: 2 })));
if (tensors.slopes?.shape[0] !== 2) throw new Error('a file without its tensor');

const wasm = import.meta.resolve('posenc/posenc-scalar.wasm');
const found = [
  await check(load, { workers: 2 }),
  await check(loadInline, { workers: 1 }),
  await check(() => load({ wasm })),
];
console.log(packageJson.name, ...found);

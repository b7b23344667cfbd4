import { load } from 'posenc';
import { load as loadInline } from 'posenc/inline';
import { catalog } from 'posenc/catalog';
import { describeConfig } from 'posenc/config';
import { recommend } from 'posenc/recommend';
import { readSafetensors } from 'posenc/formats';
import { toSafetensors } from 'posenc/state';
import packageJson from 'posenc/package.json' with { type: 'json' };
import { check } from '../check.mjs';

for (const thing of [catalog, describeConfig, recommend, readSafetensors, toSafetensors]) if (thing === undefined) throw new Error('an export is missing');
const wasm = import.meta.resolve('posenc/posenc-simd.wasm');
const found = [
  await check(load, { workers: 2 }),
  await check(loadInline, { workers: 1 }),
  await check(() => load({ wasm })),
];
console.log(packageJson.name, ...found);

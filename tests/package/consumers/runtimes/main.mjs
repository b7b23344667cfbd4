// All entries, in Node.js of any age, Deno and Bun: no flag, no configuration.
import { load } from 'posenc';
import { load as loadInline } from 'posenc/inline';
import { catalog } from 'posenc/catalog';
import { describeConfig } from 'posenc/config';
import { recommend } from 'posenc/recommend';
import { readSafetensors } from 'posenc/state';
import { check } from '../check.mjs';

for (const thing of [catalog, describeConfig, recommend, readSafetensors]) if (thing === undefined) throw new Error('an export is missing');
const wasm = new URL(import.meta.resolve('posenc/posenc-scalar.wasm'));
console.log(await check(load, { workers: 2 }), await check(loadInline, { workers: 1 }), await check(() => load({ wasm })));

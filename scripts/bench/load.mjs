// From import to the first result, in a process that does nothing else: prints milliseconds.
import { at } from '../lib/paths.mjs';

const entry = at('dist/node.js');
const start = performance.now();
const { load } = await import(entry);
const posenc = await load({ simd: process.argv[2] });
const { data } = posenc.sinusoidal({ dim: 64 }).encode(16);
const time = performance.now() - start;
if (Math.abs(data[64] - Math.sin(1)) > 1e-6) throw new Error('a wrong first result');
console.log(time);

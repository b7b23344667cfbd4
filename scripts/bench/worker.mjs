// One variant's cases, in a process of its own: prints a line of JSON for each.
import { at } from '../lib/paths.mjs';
import { measureCases } from './measure.mjs';
import { rivalsWith } from './ort.mjs';

const { load } = await import(at('dist/node.js'));
const rivals = rivalsWith(await import('onnxruntime-web'));
await measureCases({ ...JSON.parse(process.argv[2]), load, rivals }, (result) => void process.stdout.write(`${JSON.stringify(result)}\n`));
process.exit(0);

// Serves a folder on 127.0.0.1, the built site by default: npm run serve [-- FOLDER] [--port N] [--isolated]
import { parseArgs } from 'node:util';
import { site } from './lib/paths.mjs';
import { serve } from './lib/serve.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '8080' }, isolated: { type: 'boolean', default: false } },
});
const { address } = await serve(positionals[0] ?? site, { port: Number(values.port), isolated: values.isolated });
console.log(address);

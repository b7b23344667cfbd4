// npm start: sets up what is missing, builds what is stale, serves the site and says where. Options: --port N, and
// --isolated for the headers that threads and fine timers need (the site works without).
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildAll } from './build/index.mjs';
import { main, note, step, Stop } from './lib/log.mjs';
import { site } from './lib/paths.mjs';
import { serve } from './lib/serve.mjs';
import { setUp } from './setup/index.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: process.env.PORT ?? '8080' }, isolated: { type: 'boolean', default: false } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Stop(`--port ${values.port}: a number from 0 to 65535 is wanted`);

  await buildAll(await setUp('start'));
  if (!existsSync(site)) throw new Stop('There is no site to serve: web/ has no vite.config.ts.');
  const { address } = await serve(site, { port, isolated: values.isolated });
  step(`The site is at ${address}`);
  note('Ctrl+C ends it.');
});

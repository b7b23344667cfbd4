// Firefox, through Marionette: WebDriver's commands as JSON over a socket, which Firefox has built in.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Driver, type Session, webDriver } from './driver.js';
import { end, start, until } from './processes.js';

/** Nothing of its own that asks the network or the user. */
const preferences = {
  'marionette.port': 0,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'app.update.disabledForTesting': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#disabled',
  'extensions.getAddons.cache.enabled': false,
};

export async function firefox(program: string): Promise<Driver> {
  const profile = mkdtempSync(path.join(tmpdir(), 'posenc-firefox-'));
  writeFileSync(path.join(profile, 'user.js'), Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(''));
  const browser = start(program, ['--headless', '--no-remote', '--marionette', '--profile', profile]);
  const port = await until('Firefox tells its port', () => Number(readFileSync(path.join(profile, 'MarionetteActivePort'), 'utf8')));
  const socket = await until('Firefox answers', () => opened(port));
  const send = marionette(socket);
  await send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  const session: Session = {
    send: async (command, parameters) => {
      const answer = (await send(`WebDriver:${command}`, parameters)) as { value?: unknown } | null;
      return answer?.value;
    },
    async end() {
      socket.destroy();
      await end(browser);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return webDriver(session);
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

type Answer = [kind: number, id: number, error: { error: string; message: string } | null, result: unknown];

/** Messages are LENGTH:JSON both ways; the first one is a greeting. */
function marionette(socket: Socket): (name: string, parameters?: object) => Promise<unknown> {
  const waiting = new Map<number, (answer: Answer) => void>();
  let read = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (let colon = read.indexOf(':'); colon > 0; colon = read.indexOf(':')) {
      const end = colon + 1 + Number(read.subarray(0, colon));
      if (read.length < end) return;
      const message: unknown = JSON.parse(read.subarray(colon + 1, end).toString());
      read = read.subarray(end);
      if (Array.isArray(message)) waiting.get((message as Answer)[1])?.(message as Answer);
    }
  });
  let last = 0;
  return (name, parameters = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const lost = (): void => reject(new Error('Firefox has gone'));
      socket.once('close', lost);
      waiting.set(id, ([, , error, result]) => {
        waiting.delete(id);
        socket.off('close', lost);
        if (error) reject(new Error(`${error.error}: ${error.message}`));
        else resolve(result);
      });
      const text = JSON.stringify([0, id, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

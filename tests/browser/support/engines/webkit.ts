// WebKitGTK's MiniBrowser, through WebKitWebDriver, on a display of its own.
import { createServer, type AddressInfo } from 'node:net';
import { type Driver, commands, type Session, webDriver } from './driver.js';
import { end, start, until } from './processes.js';

export interface WebKitPrograms {
  driver: string;
  browser: string;
  display: string;
}

export async function webkit({ driver, browser, display }: WebKitPrograms): Promise<Driver> {
  const screen = start(display, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], ['ignore', 'ignore', 'ignore', 'pipe']);
  const number = await new Promise<string>((resolve) => screen.stdio[3]?.once('data', (text) => resolve(String(text).trim())));
  const port = await freePort();
  // As root its sandbox does not start.
  const root = process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {};
  const environment: Record<string, string> = { ...root, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: '1' };
  const service = start(driver, [`--port=${port}`], 'ignore', environment);
  const send = (method: string, path: string, body?: object): Promise<unknown> => answer(`http://127.0.0.1:${port}${path}`, method, body);
  await until('WebKitWebDriver answers', () => send('GET', '/status'));
  const options = { binary: browser, args: ['--automation'] };
  const { sessionId } = (await send('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } })) as { sessionId: string };
  const session: Session = {
    send(command, parameters = {}) {
      const [method, path] = commands[command];
      const { id, ...body } = parameters as { id?: string };
      return send(method, `/session/${sessionId}${path.replace(':id', id ?? '')}`, body);
    },
    async end() {
      // The browser ends with its session; the display after it.
      await send('DELETE', `/session/${sessionId}`).catch(() => undefined);
      await end(service);
      await end(screen);
    },
  };
  return webDriver(session);
}

async function answer(address: string, method: string, body: object | undefined): Promise<unknown> {
  const response = await fetch(address, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

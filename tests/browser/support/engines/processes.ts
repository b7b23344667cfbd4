// Programs that a test starts, and waiting for them.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';

const running = new Set<ChildProcess>();

function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

// A test process may end by itself, be told to, or lose the runner that started it.
for (const event of ['exit', 'disconnect'] as const) process.once(event, endAll);
process.once('SIGTERM', () => {
  endAll();
  process.exit(1);
});

/** Starts a program that ends with us at the latest. */
export function start(program: string, options: readonly string[], stdio: StdioOptions = 'ignore', environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, options, { stdio, env: { ...process.env, ...environment } });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Ends a program, and waits until it has. */
export function end(child: ChildProcess): Promise<unknown> {
  if (!running.has(child)) return Promise.resolve();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  return gone;
}

/** Tries again until something is there: not undefined, not 0, and no error; at most two minutes. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 120_000;
  for (;;) {
    let reason: unknown = 'nothing came';
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      reason = error;
    }
    if (Date.now() > end) throw new Error(`Waited in vain: ${what} (${String(reason)})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

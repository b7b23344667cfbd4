// Programs: finding them, running them, and showing what they said when they fail.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { Stop } from './log.mjs';
import { root } from './paths.mjs';

/** The full path of a program on PATH, or undefined. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not here: the next folder.
    }
  }
  return undefined;
}

/** What a program prints, or undefined where it is missing or fails. */
export function ask(command, args = [], options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/**
 * Runs a program to its end and gives { code, output }. Output is kept and not shown, unless `show`.
 * A child is ended with its parent, so an interrupted script leaves nothing running.
 */
export function attempt(command, args, { show = false, env = {}, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    const end = () => child.kill();
    process.once('exit', end);
    const done = (code, text) => {
      process.removeListener('exit', end);
      resolve({ code, output: text });
    };
    child.on('error', (error) => done(127, `${command}: ${error.message}`));
    child.on('close', (code, signal) => done(code ?? 1, signal ? `${output}\nended by ${signal}` : output));
  });
}

/** Runs a program that must succeed; otherwise stops with the end of what it printed. */
export async function run(command, args, options) {
  const { code, output } = await attempt(command, args, options);
  if (code === 0) return output;
  const tail = output.trimEnd().split('\n').slice(-60).join('\n');
  throw new Stop(`${tail}\n\nThis failed with status ${code}:\n  ${inShort([command, ...args].join(' '))}`);
}

// A command line may name hundreds of files.
function inShort(line, most = 500) {
  return line.length <= most ? line : `${line.slice(0, most)} ...`;
}

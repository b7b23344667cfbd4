// Projects that use the package as anyone would: packed, installed from the tarball, and run.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A copy of tests/package/consumers, with the package installed beside the projects. */
export const consumers = path.join(root, 'build/consumers');

const execute = promisify(execFile);

/** Runs a program to its end and gives what it printed. */
export async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 1 << 26 });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error });
  }
}

export const node = (args: readonly string[], cwd: string, env?: Record<string, string>): Promise<string> => run(process.execPath, args, cwd, env);

/** What `npm pack` would publish. */
export interface Packed {
  readonly file: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs the built package. */
export async function pack(): Promise<Packed> {
  const folder = path.join(root, 'build/packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const output = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root);
  const parsed = JSON.parse(output) as Packed[] | Record<string, Packed>;
  const packed = (Array.isArray(parsed) ? parsed[0] : Object.values(parsed)[0]) as Packed;
  return { ...packed, file: path.join(folder, readdirSync(folder)[0] as string) };
}

/** Copies the projects and installs the package for them, from its tarball. */
export async function install(): Promise<void> {
  const { file } = await pack();
  const stamp = path.join(consumers, 'installed');
  const key = readFileSync(file).toString('base64');
  for (const name of existsSync(consumers) ? readdirSync(consumers) : []) {
    if (name !== 'node_modules' && name !== 'installed') rmSync(path.join(consumers, name), { recursive: true });
  }
  cpSync(path.join(root, 'tests/package/consumers'), consumers, { recursive: true });
  writeFileSync(path.join(consumers, 'package.json'), '{ "private": true }\n'); // or tools find the repository's
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  rmSync(path.join(consumers, 'node_modules'), { recursive: true, force: true });
  await run('npm', ['install', '--no-save', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', file], consumers);
  writeFileSync(stamp, key);
}

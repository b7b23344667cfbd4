// Debian's packages, with the machine's own sources and keys: installed into the system, or downloaded and
// unpacked in the project's .toolchain without the system noticing.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { attempt, run } from '../lib/run.mjs';
import { step, Stop } from '../lib/log.mjs';
import { toolchain } from '../lib/paths.mjs';

const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
const aptFolder = path.join(toolchain, 'apt');

/** Installs packages into the system; must be root. */
export async function install(packages, about) {
  step(`Installing Debian packages: ${packages.join(' ')}`, about);
  const go = () => attempt('apt-get', ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600', ...packages], quiet);
  // An earlier set-up may have been stopped in the middle of dpkg's work.
  await attempt('dpkg', ['--configure', '-a'], quiet);
  // A machine's package lists may be missing or old: fetched only when the install says so.
  if ((await go()).code === 0) return;
  await run('apt-get', ['update'], quiet);
  const { code, output } = await go();
  if (code !== 0) throw new Stop(`${output.trim().split('\n').slice(-20).join('\n')}\n\napt-get could not install ${packages.join(' ')}.`);
}

/** Downloads packages of one suite, without what they depend on; gives the paths of the .deb files. */
export async function download(suite, packages) {
  const source = path.join(aptFolder, `${suite}.sources`);
  mkdirSync(path.join(aptFolder, suite, 'partial'), { recursive: true });
  writeFileSync(source, sourceOf(suite));
  const view = ['-o', `Dir::Etc::sourcelist=${source}`, '-o', 'Dir::Etc::sourceparts=/dev/null',
    '-o', `Dir::State::lists=${path.join(aptFolder, suite)}`, '-o', 'APT::Sandbox::User=root',
    '-o', `Dir::Cache::pkgcache=`, '-o', `Dir::Cache::srcpkgcache=`];
  await run('apt-get', [...view, 'update'], quiet);
  return downloaded(`${suite}-debs`, (folder) => run('apt-get', [...view, 'download', ...packages], { ...quiet, cwd: folder }));
}

/** Downloads packages of the machine's own suites and all that they need and the machine lacks. */
export async function downloadWithNeeds(name, packages) {
  const lists = path.join(aptFolder, 'own');
  mkdirSync(path.join(lists, 'partial'), { recursive: true });
  return downloaded(`${name}-debs`, async (folder) => {
    mkdirSync(path.join(folder, 'partial'), { recursive: true });
    const view = ['-o', `Dir::State::lists=${lists}`, '-o', 'APT::Sandbox::User=root', '-o', `Dir::Cache::archives=${folder}`,
      '-o', `Dir::Cache::pkgcache=`, '-o', `Dir::Cache::srcpkgcache=`];
    await run('apt-get', [...view, 'update'], quiet);
    await run('apt-get', [...view, 'install', '-y', '--no-install-recommends', '--download-only', ...packages], quiet);
  });
}

async function downloaded(name, fetch) {
  const folder = path.join(aptFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await fetch(folder);
  return readdirSync(folder).filter((file) => file.endsWith('.deb')).map((file) => path.join(folder, file));
}

/** Unpacks .deb files into a folder; tar's own arguments say which part of them. */
export async function unpack(debs, folder, tarArguments = []) {
  mkdirSync(folder, { recursive: true });
  for (const deb of debs) {
    const line = `dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" "\${@:3}"`;
    await run('bash', ['-o', 'pipefail', '-c', line, 'bash', deb, folder, ...tarArguments]);
  }
}

/** Removes what was downloaded; the unpacked files are what counts. */
export function forgetDownloads() {
  rmSync(aptFolder, { recursive: true, force: true });
}

// A source for another suite, with the address and key of the machine's own source for its main archive.
function sourceOf(suite) {
  const own = machineSources().find((source) => source.isMainArchive);
  if (!own) throw new Stop('No source of Debian packages with component main was found in /etc/apt.');
  return [`Types: deb`, `URIs: ${own.uri}`, `Suites: ${suite}`, `Components: main`, ...(own.key ? [`Signed-By: ${own.key}`] : []), ''].join('\n');
}

// The sources in both of apt's formats: { uri, key, isMainArchive }, where the main archive is what has the
// release itself, not its updates.
function machineSources() {
  const release = readFileSync('/etc/os-release', 'utf8').match(/^VERSION_CODENAME=(\w+)/m)?.[1];
  const describe = (uri, suites, components, key) =>
    ({ uri, key, isMainArchive: suites.some((s) => s === release || s === 'stable') && components.includes('main') });
  const parts = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...(existsSync(parts) ? readdirSync(parts).map((file) => path.join(parts, file)) : [])];
  return files.filter((file) => existsSync(file) && /\.(list|sources)$/.test(file))
    .flatMap((file) => (file.endsWith('.list') ? oneLine : deb822)(readFileSync(file, 'utf8'), describe));
}

// deb [signed-by=/key arch=amd64] URI SUITE COMPONENT...
function oneLine(text, describe) {
  return [...text.matchAll(/^\s*deb\s+(?:\[([^\]]*)\]\s*)?(\S+)\s+(\S+)\s+([^#\n]+)/gm)].map(([, options, uri, suite, components]) =>
    describe(uri, [suite], components.trim().split(/\s+/), options?.match(/signed-by=(\S+)/i)?.[1]));
}

// Paragraphs of "Field: value", where a value goes on over indented lines (a whole key may stand there).
function deb822(text, describe) {
  const paragraphs = text.replace(/^#.*\n?/gm, '').split(/\n\s*\n/);
  return paragraphs.map((paragraph) => {
    const field = (name) => paragraph.match(new RegExp(`^${name}:[ \t]*(.*(?:\n[ \t].*)*)`, 'mi'))?.[1].trim();
    const words = (name) => field(name)?.split(/\s+/) ?? [];
    if (!words('Types').includes('deb') || field('Enabled') === 'no') return undefined;
    return describe(field('URIs'), words('Suites'), words('Components'), field('Signed-By'));
  }).filter(Boolean);
}

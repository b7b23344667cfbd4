// Where this machine has the browsers that the tests run in. An environment variable goes before what is found.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Stop } from './log.mjs';
import { which } from './run.mjs';

export const chromium = () => named('POSENC_CHROMIUM') ?? which('chromium');

export const firefox = () => named('POSENC_FIREFOX') ?? which('firefox-esr') ?? which('firefox');

// A variable that names nothing is a mistake to tell of; another browser in its place would hide it.
function named(variable) {
  const file = process.env[variable];
  if (file && !existsSync(file)) throw new Stop(`${variable} names ${file}, where there is no file. It must be the path of a browser's program.`);
  return file || undefined;
}

/** WebKitGTK takes three programs: { driver, browser, display }. */
export function webkit() {
  const found = { driver: which('WebKitWebDriver'), browser: named('POSENC_WEBKIT') ?? miniBrowser(), display: which('Xvfb') };
  return Object.values(found).every(Boolean) ? found : undefined;
}

// Distributions keep it out of PATH: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser, /usr/libexec/webkitgtk-6.0/MiniBrowser.
function miniBrowser() {
  const roots = ['/usr/lib', '/usr/libexec', '/usr/lib64'].filter((folder) => existsSync(folder));
  const folders = roots.flatMap((root) => [root, ...readdirSync(root).filter((name) => /-linux-/.test(name)).map((name) => path.join(root, name))]);
  const kept = folders.flatMap((folder) => ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'].map((name) => path.join(folder, name, 'MiniBrowser')));
  return kept.find((file) => existsSync(file));
}

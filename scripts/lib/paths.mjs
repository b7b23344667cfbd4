// Where things are. Everything that scripts make and git ignores is under one of these folders.
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const at = (...parts) => path.join(root, ...parts);

export const toolchain = at('.toolchain'); // what set-up prepares
export const build = at('build'); // objects, linked modules, stamps
export const dist = at('dist'); // the npm package
export const site = at('web/dist');

// What the scripts say: one line per step, so that a long silence always has a name.

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const started = performance.now();

function clock() {
  const seconds = Math.round((performance.now() - started) / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A step that is about to run; `about` says how long it takes on a small machine. */
export function step(text, about) {
  console.log(`[${clock()}] ${text}${about ? ` (about ${about})` : ''}`);
}

/** Something to know that needs no action. */
export function note(text) {
  console.log(`        ${text}`);
}

/** An error whose message is meant for the person at the terminal: printed without a stack. */
export class Stop extends Error {}

/** Is this module the program that was started, rather than imported by it? */
export const isMain = (meta) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(meta.url);

/** Runs a script's main function; a Stop ends it with its message alone. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    console.error(error instanceof Stop ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

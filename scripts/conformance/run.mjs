// Running cases through the public API.
import { mapperOf } from './cases/index.mjs';

/**
 * @typedef {{ name: string, outcome: 'passed' | 'failed', failures: string[] }} Outcome
 */

/** Whether `--only` takes a case. */
export function selected(one, only) {
  if (only === undefined) return true;
  return one.selects ? one.selects(only) : one.ids.some((id) => only.has(id));
}

/**
 * Runs one case. Whatever it throws is a failure, and so is an expected tensor that nothing was compared with, and a
 * parameter that nothing read.
 * @param {import('./case.mjs').Case} one
 * @param {{ posenc: object, fromConfig: Function, describeConfig: Function }} api
 * @returns {Outcome}
 */
export function runCase(one, api) {
  const run = mapperOf(one.ids);
  if (one.failures.length === 0 && !run) one.fail(`nothing here runs "${one.ids[0]}"`);
  if (run) {
    try {
      run(one, api);
      for (const name of one.untouched()) one.fail(`${name}: not compared`);
      for (const name of one.unread()) one.fail(`parameter ${name}: nothing here reads it`);
    } catch (error) {
      one.fail(error.message);
    }
  }
  return { name: one.name, outcome: one.failures.length > 0 ? 'failed' : 'passed', failures: one.failures };
}

/** The closing line. */
export function summary(outcomes) {
  const count = (kind) => outcomes.filter(({ outcome }) => outcome === kind).length;
  return `${count('passed')} passed, ${count('failed')} failed`;
}

// The page's side: runs test files and case files here, and tells what came of them as plain data.
import { startTests, type Task, type VitestRunner } from '@vitest/runner';
import { load, type Variant } from 'posenc';
import { describeConfig, fromConfig } from 'posenc/config';
import { readCases } from '../../../../scripts/conformance/read.mjs';
import { runCase } from '../../../../scripts/conformance/run.mjs';

export interface Report {
  passed: number;
  failures: string[];
}

/** One file of tests, by its address. */
async function runTests(address: string): Promise<Report> {
  const runner: VitestRunner = {
    config: {
      root: '/', setupFiles: [], name: undefined, passWithNoTests: false, testNamePattern: undefined, allowOnly: false,
      sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' }, chaiConfig: undefined, maxConcurrency: 1, testTimeout: 200_000,
      hookTimeout: 200_000, retry: 0, includeTaskLocation: undefined, tags: [], tagsFilter: undefined, strictTags: false,
    },
    importFile: (file) => import(file),
  };
  const files = await startTests([address], runner);
  const report: Report = { passed: 0, failures: [] };
  for (const file of files) note(file, report);
  return report;
}

function note(task: Task, report: Report): void {
  for (const error of task.result?.errors ?? []) report.failures.push(`${task.name}: ${error.message}\n${error.stack ?? ''}`);
  if (task.type === 'suite') for (const each of task.tasks) note(each, report);
  else if (task.result?.state === 'pass') report.passed++;
  else if (!task.result?.errors?.length && task.mode !== 'skip') report.failures.push(`${task.name}: ${task.result?.state}`);
}

/** Case files by their addresses, all through one instance. */
async function runCases(addresses: readonly string[]): Promise<Report> {
  const api = { posenc: await load(), describeConfig, fromConfig };
  const report: Report = { passed: 0, failures: [] };
  for (const address of addresses) {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    for (const one of (await readCases(address, bytes)) ?? []) {
      const { name, outcome, failures } = runCase(one, api);
      if (outcome === 'passed') report.passed++;
      else report.failures.push(`${name}: ${failures.join('; ')}`);
    }
  }
  return report;
}

const detected = async (): Promise<Variant> => (await load()).variant;

export const inPage = { runTests, runCases, detected };
Object.assign(globalThis, { inPage });

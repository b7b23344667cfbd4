// The device, the engine, its cold start and its limits as lists of names and values.
import { make } from '../lib/dom.js';
import { t } from '../lib/language.js';
import { digits3, labelOf } from './report.js';
import type { ColdStart, Engine, Host, Limits, Report, RivalName } from './results.js';
import { isSteady } from './statistics.js';

type Fact = readonly [name: string, value: string];

const yesOrNo = (value: boolean): string => (value ? t('yes') : t('no'));
const milliseconds = (value: number): string => `${digits3(value)} ms`;

export function hostFacts(host: Host): Fact[] {
  const facts: (Fact | undefined)[] = [
    [t('Where'), host.title],
    [t('Platform'), [host.platform, host.architecture, host.processor].filter(Boolean).join(', ')],
    [t('User agent'), host.agent],
    [t('Logical processors'), String(host.processors)],
    host.memory === undefined ? undefined : [t('Memory'), t('{0} GB or more', host.memory)],
    [t('Isolated'), host.isolated ? t('yes: a fine clock') : t('no: the clock is coarse')],
    host.onBattery === undefined ? undefined : [t('On battery'), yesOrNo(host.onBattery)],
    host.hidden === undefined ? undefined : [t('Page was hidden'), yesOrNo(host.hidden)],
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** What is known before anything is measured: which build runs, and what else the engine takes. */
export function featureFacts({ version, variant, features: { simd, relaxedSimd, threads, memory64 } }: Pick<Engine, 'version' | 'variant' | 'features'>): Fact[] {
  return [
    ['posenc', t('{0}, build {1}', version, variant)],
    ['SIMD', yesOrNo(simd)],
    [t('Relaxed SIMD'), yesOrNo(relaxedSimd)],
    [t('Threads'), yesOrNo(threads)],
    [t('64-bit memory'), yesOrNo(memory64)],
  ];
}

export function engineFacts({ wasm, clock }: Engine): Fact[] {
  return [
    [t('Its module'), [t('{0} bytes', wasm.bytes), ...(wasm.sha256 ? [`SHA-256 ${wasm.sha256.slice(0, 16)}\u2026`] : [])].join(', ')],
    [t('Step of the clock'), `${digits3(1000 * clock)} \u00b5s`],
  ];
}

export function coldFacts({ fetch, compile, instantiate, first, rivals }: ColdStart): Fact[] {
  return [
    [t('Fetching the module'), milliseconds(fetch)],
    [t('Compiling'), milliseconds(compile)],
    [t('Instantiating'), milliseconds(instantiate)],
    [t('First encoding and result'), milliseconds(first)],
    ...Object.entries(rivals).map(([name, time]): Fact => [t('{0}, to its first result', t(labelOf(name as RivalName))), milliseconds(time)]),
  ];
}

export function limitFacts({ bandwidth, simd, relaxed }: Limits): Fact[] {
  return [
    ...bandwidth.map(({ bytes, fill, read, copy }): Fact => [
      t('{0} MiB of memory', digits3(bytes / 2 ** 20)),
      t('fill {0}, read {1}, copy {2} GB/s', digits3(fill), digits3(read), digits3(copy)),
    ]),
    ...(simd === undefined ? [] : [[t('Multiply-adds, SIMD'), `${digits3(simd)} GFLOP/s`] as const]),
    ...(relaxed === undefined ? [] : [[t('Multiply-adds, relaxed SIMD'), `${digits3(relaxed)} GFLOP/s`] as const]),
  ];
}

export function showFacts(list: HTMLElement, facts: readonly Fact[]): void {
  list.replaceChildren(...facts.map(([name, value]) => make('div', {}, make('dt', { textContent: name }), make('dd', { textContent: value }))));
}

/** What a reader of the numbers should know. */
export function doubtsOf({ host, engine, rows, skipped, complete }: Report): string[] {
  const entries = rows.flatMap((row) => row.entries.filter(({ name }) => name === 'posenc'));
  const unsteady = entries.filter(({ statistics }) => statistics && !isSteady(statistics)).length;
  const wrong = rows.filter((row) => row.entries.some(({ status }) => status !== 'timed'));
  const leaking = rows.filter(({ memory }) => memory.kept > 0);
  return [
    ...(complete ? [] : [t('The run was stopped before its end.')]),
    ...(unsteady > 0 ? [t('{0} of {1} medians are not steady: something else was going on. Run again on a quiet machine.', unsteady, entries.length)] : []),
    ...(engine.clock >= 0.5 ? [t('The clock is so coarse that samples have to be long: serve the page isolated for a finer one.')] : []),
    ...(host.hidden ? [t('The page was hidden for a while; browsers slow such pages down.')] : []),
    ...(host.onBattery ? [t('The device ran on battery, which may slow it down.')] : []),
    ...wrong.map(({ name, entries: all }) => t('{0}: {1}', name, all.filter(({ status }) => status !== 'timed').map(({ name: who, why }) => `${labelOf(who)} ${why ?? ''}`.trim()).join('; '))),
    ...leaking.map(({ name, memory }) => t('{0} left {1} bytes in use.', name, memory.kept)),
    ...skipped.map(({ name, why }) => t('{0} was left out: {1}', name, why)),
  ];
}

// What is measured, as it stands in a report: report.schema.json says the same of the file.
import type { Case, Effort } from './plan.js';
import type { Statistics } from './statistics.js';

/** Who can be measured. */
export const names = ['posenc', 'scalar', 'javascript', 'onnxruntime', 'tfjs'] as const;
export type Name = (typeof names)[number];
export type RivalName = Exclude<Name, 'posenc'>;

/** One contestant in one case. */
export interface Entry {
  name: Name;
  /** A result that is wrong, or a call that failed, is not timed. */
  status: 'timed' | 'wrong' | 'failed';
  /** Largest difference to the scalar build, relative to 1 + size. */
  difference?: number;
  why?: string;
  /** Nanoseconds of the first call, with whatever is made in it. */
  first?: number;
  /** Calls in a sample. */
  calls?: number;
  statistics?: Statistics;
  /** Nanoseconds a call, in the order they were taken; a shared link has none. */
  samples?: readonly number[];
}

export interface Row {
  name: string;
  id: string;
  operation: string;
  size: string;
  output: string;
  shape: readonly number[];
  elements: number;
  /** Bytes that have to be read and written at least. */
  bytes: number;
  /** Bytes that cross the boundary to wasm memory and back. */
  boundary: number;
  flops?: number;
  entries: readonly Entry[];
  memory: {
    /** Size of the wasm memory after the case. */
    heap: number;
    /** Bytes in use after it that were not before: none, unless something leaks. */
    kept: number;
  };
}

export interface Skipped {
  name: string;
  why: string;
}

/** Bytes in a nanosecond, that is GB/s, moved in `bytes` of memory. */
export interface Bandwidth {
  bytes: number;
  fill: number;
  read: number;
  copy: number;
}

export interface Limits {
  bandwidth: readonly Bandwidth[];
  /** GFLOP/s of one thread's multiply-adds: with plain SIMD, and with relaxed SIMD's. */
  simd?: number;
  relaxed?: number;
}

/** Milliseconds until the library can be used. */
export interface ColdStart {
  fetch: number;
  compile: number;
  instantiate: number;
  /** The first encoding and its first small result. */
  first: number;
  /** Rivals, from their download to their first result. */
  rivals: Readonly<Partial<Record<RivalName, number>>>;
}

/** What the one who measures finds out about the engine. */
export interface Engine {
  version: string;
  variant: string;
  wasm: { bytes: number; sha256?: string };
  features: { simd: boolean; relaxedSimd: boolean; threads: boolean; memory64: boolean };
  /** Smallest step of the clock, milliseconds. */
  clock: number;
  cold: ColdStart;
  limits: Limits;
}

/** Where it ran. */
export interface Host {
  /** A name for tables: "Chromium 140, Linux". */
  title: string;
  agent: string;
  platform: string;
  architecture?: string;
  processor?: string;
  processors: number;
  /** GB, or a bound for it. */
  memory?: number;
  isolated: boolean;
  /** Whether the page was hidden at any time. */
  hidden?: boolean;
  /** Whether the battery fed the device. */
  onBattery?: boolean;
}

export interface Plan {
  preset: string;
  filter: string;
  seed: number;
  rivals: readonly RivalName[];
}

export const schemaVersion = 1;

export interface Report {
  schema: typeof schemaVersion;
  date: string;
  plan: Plan;
  host: Host;
  engine: Engine;
  rows: readonly Row[];
  skipped: readonly Skipped[];
  /** Whether all of the plan was measured. */
  complete: boolean;
}

/** What the page asks the worker for. */
export interface Order {
  cases: readonly Case[];
  effort: Effort;
  seed: number;
  rivals: readonly RivalName[];
}

export type News =
  | { kind: 'step'; text: 'load' | 'limits' }
  | { kind: 'engine'; engine: Engine }
  | { kind: 'begin'; index: number }
  | { kind: 'row'; row: Row }
  | { kind: 'skipped'; skipped: Skipped }
  | { kind: 'end' }
  | { kind: 'failed'; message: string };

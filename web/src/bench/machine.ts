// What the machine allows, measured in the same engine: memory by fills, reads and copies of three sizes, arithmetic by
// multiply-adds in registers. The fastest of several tries counts.
import { memoryLimits } from '../../../scripts/bench/limits.mjs';
import { accepts, multiplyAdds } from '../../../scripts/bench/peak.mjs';
import type { Bandwidth, Engine, Limits, Row } from './results.js';

const tries = 7;
const megabyte = 2 ** 20;
/** In a cache near, in a farther one, and beyond. */
const extents = [megabyte / 4, 4 * megabyte, 64 * megabyte];

function timeOf(run: () => void, times: number): number {
  const start = performance.now();
  for (let call = 0; call < times; call++) run();
  return performance.now() - start;
}

/** Milliseconds of a call: the least of several tries, each of so many calls that all of them last `shortest`. */
function least(run: () => void, shortest: number): number {
  for (let times = 1; ; times *= 2) {
    let best = timeOf(run, times);
    for (let i = 1; i < tries && best >= shortest; i++) best = Math.min(best, timeOf(run, times));
    if (best >= shortest) return best / times;
  }
}

function bandwidthOf(bytes: number, shortest: number): Bandwidth {
  const limits = memoryLimits(bytes);
  const speed = (run: () => void): number => bytes / 1e6 / least(run, shortest);
  return { bytes, fill: speed(limits.fill), read: speed(() => void limits.read()), copy: speed(limits.copy) };
}

function peakOf(isFused: boolean, shortest: number): number | undefined {
  const found = multiplyAdds(isFused);
  if (!found) return undefined;
  const rounds = 1e5;
  return (found.flops * rounds) / 1e6 / least(() => void found.run(rounds), shortest);
}

/** `clock` is the step of the clock: a try lasts fifty of them. */
export function measureLimits(clock: number): Limits {
  const shortest = Math.max(2, 50 * clock);
  const [simd, relaxed] = [peakOf(false, shortest), peakOf(true, shortest)];
  return {
    bandwidth: extents.map((bytes) => bandwidthOf(bytes, shortest)),
    ...(simd === undefined ? {} : { simd }),
    ...(relaxed === undefined ? {} : { relaxed }),
  };
}

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Whether a module with a memory of that kind is valid: shared (3), with 64-bit addresses (4). */
const takesMemory = (...kind: number[]): boolean => WebAssembly.validate(new Uint8Array([...header, 5, kind.length + 1, 1, ...kind]));

export const features = (): Engine['features'] => ({
  simd: accepts.simd(),
  relaxedSimd: accepts.relaxed(),
  threads: takesMemory(3, 1, 1),
  memory64: takesMemory(4, 1),
});

/** The build that the library takes where nothing else is asked. */
export const variantFor = ({ simd, relaxedSimd }: Engine['features']): string => (relaxedSimd ? 'relaxed' : simd ? 'simd' : 'scalar');

/** Multiply-adds that the variant could do at best, GFLOP/s. */
export function peakFor({ limits, variant }: Pick<Engine, 'limits' | 'variant'>): number | undefined {
  return variant === 'relaxed' ? (limits.relaxed ?? limits.simd) : limits.simd;
}

/** GB/s of a copy of about as much as the case moves. */
export function copySpeed({ bandwidth }: Limits, bytes: number): number {
  const distance = (one: Bandwidth): number => Math.abs(Math.log(one.bytes / bytes));
  return bandwidth.reduce((best, one) => (distance(one) < distance(best) ? one : best)).copy;
}

/** Nanoseconds that the case takes at least on this machine: its bytes have to be moved, its operations done. */
export function floorOf({ bytes, flops }: Pick<Row, 'bytes' | 'flops'>, engine: Engine): number {
  const moving = bytes / copySpeed(engine.limits, bytes);
  const peak = peakFor(engine);
  return flops && peak ? Math.max(moving, flops / peak) : moving;
}

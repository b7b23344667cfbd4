// What arithmetic allows: multiply-adds of 128-bit vectors in registers, twelve chains side by side so that none waits
// for itself, with relaxed SIMD's fused instruction or with two of SIMD.
import { get, moduleOf, set, signed, simd } from './assemble.mjs';

const chains = 12;
const unrolled = 2;
const [factor, term] = [chains + 1, chains + 2];

const numbers = (...bytes) => simd(0x0c, ...Array(4).fill(bytes).flat());
const half = numbers(0, 0, 0, 0x3f);
const one = numbers(0, 0, 0x80, 0x3f);
const two = [simd(0xe6, 1), simd(0xe4, 1)]; // f32x4.mul, f32x4.add
const fused = simd(0x85, 2); // f32x4.relaxed_madd

// x = x / 2 + 1 / 2 keeps x at 1: no number that the processor would be slow with comes up.
const each = Array.from({ length: chains }, (_, i) => i + 1);
const step = (isFused) => (x) => [...get(x), ...get(factor), ...(isFused ? get(term).concat(fused) : [...two[0], ...get(term), ...two[1]]), ...set(x)];

function bodyOf(isFused) {
  const round = each.flatMap(step(isFused));
  return [
    1, chains + 2, 0x7b,
    ...each.flatMap((x) => [...one, ...set(x)]), ...half, ...set(factor), ...half, ...set(term),
    0x03, 0x40, ...Array(unrolled).fill(round).flat(), ...get(0), 0x41, ...signed(1), 0x6b, 0x22, 0, 0x0d, 0, 0x0b,
    ...get(1), ...each.slice(1).flatMap((x) => [...get(x), ...two[1]]), ...simd(0x1f, 0), 0x0b,
  ];
}

const moduleFor = (isFused) => moduleOf({ types: [[0x60, 1, 0x7f, 1, 0x7d]], functions: [{ name: 'run', type: 0, body: bodyOf(isFused) }] });

/** Which of them this engine takes. */
export const accepts = { simd: () => WebAssembly.validate(moduleFor(false)), relaxed: () => WebAssembly.validate(moduleFor(true)) };

/** { run(times), flops } of one round, or undefined where the engine has no such instructions. */
export function multiplyAdds(isFused) {
  const bytes = moduleFor(isFused);
  if (!WebAssembly.validate(bytes)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  if (exports.run(1) !== chains) throw new Error('multiply-adds that are wrong');
  return { run: exports.run, flops: chains * unrolled * 4 * 2 };
}

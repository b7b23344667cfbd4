// What memory allows: a fill and a read of 128-bit vectors, as a module of a few bytes, and the engine's own copy.
//
//   (func (export "fill") (param i32 i32)            ;; from, to
//     (loop
//       (v128.store           (local.get 0) (v128.const f32x4 0.5 0.5 0.5 0.5)) ... four of them, 16 bytes apart
//       (br_if 0 (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 64))) (local.get 1)))))
//   (func (export "read") (param i32 i32) (result f32) (local v128 v128 v128 v128)
//     ... the same with f32x4.add of v128.load, one sum for each of the four; the sum of all is given
import { get, moduleOf, signed, simd } from './assemble.mjs';

const vector = simd(0x0c, ...Array(4).fill([0, 0, 0, 0x3f]).flat());
const memory = (code, offset) => simd(code, 4, offset);
const add = simd(0xe4, 1);
const next = [...get(0), 0x41, ...signed(64), 0x6a, 0x22, 0, ...get(1), 0x49, 0x0d, 0];
const loop = (body) => [0x03, 0x40, ...body, ...next, 0x0b];
const four = (body) => [0, 1, 2, 3].flatMap(body);

const fill = [0, ...loop(four((i) => [...get(0), ...vector, ...memory(0x0b, 16 * i)])), 0x0b];
const read = [
  1, 4, 0x7b,
  ...loop(four((i) => [...get(2 + i), ...get(0), ...memory(0x00, 16 * i), ...add, 0x21, 2 + i])),
  ...get(2), ...get(3), ...add, ...get(4), ...add, ...get(5), ...add,
  ...simd(0x1f, 0), 0x0b,
];

const module = moduleOf({
  types: [[0x60, 2, 0x7f, 0x7f, 0], [0x60, 2, 0x7f, 0x7f, 1, 0x7d]],
  functions: [{ name: 'fill', type: 0, body: fill }, { name: 'read', type: 1, body: read }],
  pages: 1,
});

/** { fill(), read(), copy() } over `bytes` of memory that was written before, so that each page is there. */
export function memoryLimits(bytes) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  exports.memory.grow(Math.ceil(bytes / 65536));
  const end = Math.ceil(bytes / 64) * 64;
  exports.fill(0, end);
  const all = new Uint8Array(exports.memory.buffer, 0, end);
  return { fill: () => exports.fill(0, end), read: () => exports.read(0, end), copy: () => all.copyWithin(end / 2, 0, end / 2) };
}

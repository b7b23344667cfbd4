/** Which build of the WebAssembly module runs. */
export type Variant = 'relaxed' | 'simd' | 'scalar';

/*
 * Both probes compute the same sum, 13 = 1.5 + 2.5 + 9 · (0 + 1), from lanes x · y + x. One wants 128-bit SIMD, the
 * other relaxed SIMD. An engine must accept the module and get the sum right: some have accepted SIMD and miscounted.
 *
 * (module
 *   (func (export "f") (result f32) (local v128)
 *     (local.set 0 (f32x4.add
 *       (f32x4.mul (v128.const f32x4 1 2 3 4) (v128.const f32x4 0.5 0.25 2 -1))
 *       (v128.const f32x4 1 2 3 4)))
 *     (f32.add
 *       (f32.add (f32x4.extract_lane 0 (local.get 0)) (f32x4.extract_lane 1 (local.get 0)))
 *       (f32.mul (f32x4.extract_lane 2 (local.get 0))
 *         (f32.add (f32x4.extract_lane 3 (local.get 0)) (f32.const 1))))))
 *
 * The other has f32x4.relaxed_madd of the three constants in place of f32x4.mul and f32x4.add.
 */
const begin = '0061736d010000000105016000017d03020100070501016600000a';
const x = 'fd0c0000803f000000400000404000008040';
const y = 'fd0c0000003f0000803e00000040000080bf';
const sum = '2100' + '2000fd1f002000fd1f0192' + '2000fd1f022000fd1f03430000803f929492' + '0b';
const multiplyAdd = `${x}${y}fde601${x}fde401`;
const relaxedMultiplyAdd = `${x}${y}${x}fd8502`;

/** The fastest build that this engine runs. */
export function bestVariant(): Variant {
  if (passes(relaxedMultiplyAdd)) return 'relaxed';
  return passes(multiplyAdd) ? 'simd' : 'scalar';
}

/** Whether this engine runs a build. */
export function runs(variant: Variant): boolean {
  if (variant === 'scalar') return true;
  return passes(variant === 'relaxed' ? relaxedMultiplyAdd : multiplyAdd);
}

function passes(body: string): boolean {
  const code = `01017b${body}${sum}`;
  const size = code.length / 2;
  const bytes = fromHex(`${begin}${hex(size + 2)}01${hex(size)}${code}`);
  if (!WebAssembly.validate(bytes)) return false;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return (exports['f'] as () => number)() === 13;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

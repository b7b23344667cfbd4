// 16-bit floats against arithmetic in double, for every bit pattern.
import { expect, test } from 'vitest';

import { errorOf, loadPosenc } from './support/posenc.js';

const posenc = await loadPosenc();
const all = Uint16Array.from({ length: 65536 }, (_, bits) => bits);

/** Value of a float of 1 sign bit, `exponent` and `fraction` bits, as IEEE 754 says. */
function value(bits: number, exponent: number, fraction: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const e = (bits >> fraction) & (2 ** exponent - 1);
  const f = bits & (2 ** fraction - 1);
  const bias = 2 ** (exponent - 1) - 1;
  if (e === 2 ** exponent - 1) return f === 0 ? sign * Infinity : NaN;
  return sign * (e === 0 ? 2 ** (1 - bias) * (f / 2 ** fraction) : 2 ** (e - bias) * (1 + f / 2 ** fraction));
}

const formats = [['f16', 5, 10], ['bf16', 8, 7]] as const;

test.each(formats)('%s is widened exactly', (format, exponent, fraction) => {
  const { data, shape } = posenc.fromHalf(all, [256, 256], format);
  expect(shape).toEqual([256, 256]);
  const wrong = all.filter((bits) => !Object.is(data[bits], value(bits, exponent, fraction)));
  expect([...wrong]).toEqual([]);
});

test.each(formats)('%s: narrowing what was widened gives the same bits, NaN stays NaN', (format, exponent, fraction) => {
  const wide = posenc.fromHalf(all, [65536], format);
  const { data } = posenc.toHalf(wide, format);
  const wrong = all.filter((bits) => (Number.isNaN(wide.data[bits]) ? !Number.isNaN(value(data[bits]!, exponent, fraction)) : data[bits] !== bits));
  expect([...wrong]).toEqual([]);
});

test.each(formats)('%s: numbers between two are rounded to the nearest, ties to even', (format, exponent, fraction) => {
  const finite = all.filter((bits) => bits < 0x7fff && Number.isFinite(value(bits + 1, exponent, fraction)));
  const middle = Float32Array.from(finite, (bits) => (value(bits, exponent, fraction) + value(bits + 1, exponent, fraction)) / 2);
  // The neighbours of a number in single precision, by its bits: none of these is 0.
  const bits = new Int32Array(middle.buffer);
  const below = new Float32Array(bits.map((each) => each - 1).buffer);
  const above = new Float32Array(bits.map((each) => each + 1).buffer);
  const narrow = (data: Float32Array): number[] => [...posenc.toHalf({ data, shape: [data.length] }, format).data];
  expect(narrow(below)).toEqual([...finite]);
  expect(narrow(above)).toEqual(Array.from(finite, (each) => each + 1));
  expect(narrow(middle)).toEqual(Array.from(finite, (each) => each + (each & 1)));
});

test('f16: what is beyond the range becomes infinite', () => {
  const data = Float32Array.of(65504, 65519.996, 65520, 1e30, -1e30, Infinity);
  expect([...posenc.toHalf({ data, shape: [6] }, 'f16').data]).toEqual([0x7bff, 0x7bff, 0x7c00, 0x7c00, 0xfc00, 0x7c00]);
});

test('`into` and errors', () => {
  const into = posenc.tensor([2]);
  expect(posenc.fromHalf(Uint16Array.of(0x3c00, 0xc000), [2], 'f16', { into })).toBe(into);
  expect(into.toArray()).toEqual([1, -2]);
  expect(posenc.toHalf(into, 'bf16')).toEqual({ data: Uint16Array.of(0x3f80, 0xc000), shape: [2] });
  into.dispose();
  expect(errorOf(() => posenc.fromHalf(new Uint16Array(3), [2], 'f16'))).toMatchObject({ code: 'shapeMismatch', parameter: 'bits' });
  expect(errorOf(() => posenc.fromHalf(new Int16Array(2) as unknown as Uint16Array, [2], 'f16')).code).toBe('invalidType');
  expect(errorOf(() => posenc.fromHalf(new Uint16Array(2), [2], 'f8' as 'f16'))).toMatchObject({ code: 'outOfRange', parameter: 'format' });
});

// Arrays over memory of every kind: shared, part of a larger one, resizable, shrunk since it was made, given away.

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array | Uint16Array | BigInt64Array;
export type Resizable = ArrayBuffer & { resize(bytes: number): void };
export const resizable = (bytes: number): Resizable =>
  new (ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => Resizable)(bytes, { maxByteLength: 2 * bytes });

type Made = <Kind extends Numbers>(usual: Kind) => Kind;

/** The same numbers in memory of another kind. A page that is not isolated has no shared memory. */
export const whole = ([
  ['shared', (usual) => filled(usual, new SharedArrayBuffer(usual.byteLength), 0)],
  ['a part', (usual) => filled(usual, new ArrayBuffer(usual.byteLength + 32), 16)],
  ['resizable', (usual) => filled(usual, resizable(usual.byteLength), 0)],
  ['resizable and shared', (usual) => {
    const Growable = SharedArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => SharedArrayBuffer;
    return filled(usual, new Growable(usual.byteLength, { maxByteLength: 4 * usual.byteLength }), 0);
  }],
] satisfies [string, Made][] as [string, Made][]).filter(([kind]) => !kind.includes('shared') || typeof SharedArrayBuffer === 'function');

export function filled<Kind extends Numbers>(usual: Kind, buffer: ArrayBufferLike, offset: number, tracking = false): Kind {
  const Class = usual.constructor as new (buffer: ArrayBufferLike, offset: number, length?: number) => Kind;
  const array = tracking ? new Class(buffer, offset) : new Class(buffer, offset, usual.length);
  (array as unknown as { set(values: Kind): void }).set(usual);
  return array;
}

/** What holds fewer numbers than it did. */
export const broken: [string, string, Made][] = [
  ['shrunk', 'shapeMismatch', (usual) => {
    const buffer = resizable(usual.byteLength);
    const array = filled(usual, buffer, 0, true);
    buffer.resize(usual.byteLength - usual.BYTES_PER_ELEMENT);
    return array;
  }],
  ['shrunk below where it begins', 'detached', (usual) => {
    const buffer = resizable(usual.byteLength + 8);
    const array = filled(usual, buffer, 8);
    buffer.resize(4);
    return array;
  }],
  ['given away', 'detached', (usual) => {
    const array = filled(usual, new ArrayBuffer(usual.byteLength), 0);
    structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
    return array;
  }],
];

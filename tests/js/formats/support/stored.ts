// Numbers of every type that files have, those at the ends of their ranges among them.
import type { Dtype, StoredTensor } from 'posenc/formats';

export const stored: { [Type in Dtype]: StoredTensor<Type>['data'] } = {
  F64: Float64Array.of(Math.PI, -0, NaN),
  F32: Float32Array.of(1e-45, -0, Infinity),
  F16: Uint16Array.of(0x3c00, 0x8000, 0x7e01),
  BF16: Uint16Array.of(0x3f80, 0x8000, 0x7fc1),
  F8_E4M3: Uint8Array.of(1, 2, 255),
  F8_E5M2: Uint8Array.of(1, 2, 255),
  I64: BigInt64Array.of(-1n, 2n ** 62n, 0n),
  I32: Int32Array.of(-1, 2 ** 31 - 1, 0),
  I16: Int16Array.of(-1, 32767, 0),
  I8: Int8Array.of(-1, 127, 0),
  U64: BigUint64Array.of(1n, 2n ** 63n, 0n),
  U32: Uint32Array.of(1, 2 ** 32 - 1, 0),
  U16: Uint16Array.of(1, 65535, 0),
  U8: Uint8Array.of(1, 255, 0),
  BOOL: Uint8Array.of(1, 0, 1),
};

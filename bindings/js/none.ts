import { Encoding } from './encoding.js';
import type { Tensor } from './tensor.js';

/** An encoding that adds no position at all: to show, and to compare with. */
export class NoneEncoding<Parameters extends object = Record<string, Tensor>> extends Encoding<Parameters> {}

import type { CoreErrorCode } from './generated/errors.js';

/**
 * What went wrong, by name.
 *
 * Those of the C++ library: `invalidType` (not a number, not a whole number, a wrong kind of value), `outOfRange`,
 * `unknownOption` (a name that the call does not know, or that does not apply here), `missingOption`,
 * `shapeMismatch`, `outsideDomain` (a position that the encoding has no meaning for), `tooLarge`, `outOfMemory`,
 * `aliasing` (an output overlaps an input in a way that is not allowed), `unsupported`.
 *
 * Those of the JavaScript side: `loadFailed` (no WebAssembly module came to be), `disposed` (used after `dispose()`),
 * `detached` (an array whose memory was given away, or shrank from under it), `workerFailed` (a worker of a pool did not start, or ended).
 */
export type PosencErrorCode = CoreErrorCode | 'loadFailed' | 'disposed' | 'detached' | 'workerFailed';

/** The one error class of the library. Wrong input is refused before any work is done. */
export class PosencError extends Error {
  /** @internal Minifying takes the name that consoles show. */
  static override readonly name = 'PosencError';
  /** What went wrong. */
  readonly code: PosencErrorCode;
  /** The option or argument that was wrong, spelled as in the call: `scaling.factor`, `positions[3]`. */
  readonly parameter: string;
  /** What came. */
  readonly received: string;
  /** What may come. */
  readonly allowed: string;

  constructor(code: PosencErrorCode, parameter: string, received: string, allowed: string, cause?: unknown) {
    super(`${parameter}: received ${received}, allowed ${allowed}`, cause === undefined ? undefined : { cause });
    this.name = 'PosencError';
    this.code = code;
    this.parameter = parameter;
    this.received = received;
    this.allowed = allowed;
  }
}

/** @internal Throws unless it is an instance of the library, for functions that are handed one. */
export function expectPosenc(posenc: unknown): void {
  if (typeof (posenc as { attentionLayer?: unknown } | null | undefined)?.attentionLayer === 'function') return;
  throw new PosencError('invalidType', 'posenc', describe(posenc), 'what load() gave');
}

/** A value as an error message shows it: short, and never throwing. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > 40 ? `"${value.slice(0, 40)}..."` : `"${value}"`;
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'function':
    case 'symbol':
      return `a ${typeof value}`;
    default:
      break;
  }
  if (value === null) return 'null';
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const { length } = value as { length?: unknown };
  if (tag === 'Object') return 'an object';
  return typeof length === 'number' ? `${tag} of length ${length}` : `an object of kind ${tag}`;
}

// What attention is made with, and the names of what its calls are given: checked.
import type { ScoreStage } from './attention-types.js';
import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { ScoreStageNumber } from './generated/names.js';
import type { Placed } from './options.js';

/** @internal */
export const callOptions: readonly string[] = [
  'layout', 'mask', 'keyLengths', 'qOffset', 'segments', 'sinks', 'global', 'positions', 'relations', 'logitScale', 'gateInput',
];
const stages: Readonly<Record<ScoreStage, ScoreStageNumber>> = {
  raw: ScoreStageNumber.raw,
  capped: ScoreStageNumber.capped,
  biased: ScoreStageNumber.biased,
  weights: ScoreStageNumber.weights,
};

/** @internal Options with `causal` by name. */
export function namedCausal(options: object): object {
  const { causal } = options as { causal?: unknown };
  return typeof causal === 'boolean' ? { ...options, causal: causal ? 'bottomRight' : 'off' } : options;
}

/** @internal */
export function readStage(stage: ScoreStage): ScoreStageNumber {
  if (Object.hasOwn(stages, stage)) return stages[stage];
  const code = typeof stage === 'string' ? 'outOfRange' : 'invalidType';
  throw new PosencError(code, 'stage', describe(stage), `one of ${Object.keys(stages).join(', ')}`);
}

/** @internal */
export function checkEncodings(core: Core, encodings: unknown): readonly Encoding<object>[] {
  if (!Array.isArray(encodings)) {
    throw new PosencError('invalidType', 'encodings', describe(encodings), 'an array of encodings');
  }
  const names = new Set<string>();
  // A copy: what comes of an array is what was checked, holes of it too.
  const list = Array.from(encodings as readonly unknown[]);
  list.forEach((encoding, index) => {
    const parameter = `encodings[${index}]`;
    if (!(encoding instanceof Encoding)) {
      throw new PosencError('invalidType', parameter, describe(encoding), 'an encoding that posenc made');
    }
    encoding.coreOf(parameter, core);
    if (names.has(encoding.name)) {
      throw new PosencError('outOfRange', `${parameter}.name`, describe(encoding.name), 'a name that no other encoding here has');
    }
    names.add(encoding.name);
  });
  return Object.freeze(list as Encoding<object>[]);
}

/** @internal Their addresses, in wasm memory. */
export function placeList(core: Core, encodings: readonly Encoding<object>[]): Placed {
  const address = core.take(4 * encodings.length, 'encodings');
  core.views.i32.set(encodings.map((encoding) => encoding.address), address >>> 2);
  return { address, count: encodings.length };
}

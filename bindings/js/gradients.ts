import type { Core } from './core.js';
import { PosencError } from './errors.js';
import { type Out, type Source, Target, keepApart } from './inputs.js';
import type { Shape } from './shape.js';

/** @internal A gradient of a call: its shape, or none where the call was not given what it would be of. */
export interface Wanted {
  readonly shape: Shape | undefined;
  /** When the call has it; left out where it always does. */
  readonly where?: string;
}

/** @internal Where the gradients of a backward call go. */
export class GradientTargets<Name extends string> {
  readonly #names: readonly Name[];
  readonly #targets: readonly (readonly [Name, Target<Out>])[];

  /** Refuses a place for a gradient that there is not, and one that overlaps an input or another place. */
  constructor(
    core: Core,
    into: Partial<Record<Name, Out>> | undefined,
    wanted: Readonly<Record<Name, Wanted>>,
    inputs: readonly (Source | undefined)[],
  ) {
    this.#names = Object.keys(wanted) as Name[];
    this.#targets = this.#names.flatMap((name) => {
      const { shape, where = '' } = wanted[name];
      if (shape !== undefined) return [[name, new Target(core, into?.[name], shape, `into.${name}`)] as const];
      if (into?.[name] !== undefined) throw new PosencError('unknownOption', `into.${name}`, 'a place', `only where ${where}`);
      return [];
    });
    keepApart(inputs, this.#targets.map(([, target]) => target));
  }

  /** Where the call writes each; 0 for those that there are not. */
  begin(): Record<Name, number> {
    const places = Object.fromEntries(this.#names.map((name) => [name, 0])) as Record<Name, number>;
    for (const [name, target] of this.#targets) places[name] = target.begin();
    return places;
  }

  finish(): Partial<Record<Name, Out>> {
    return Object.fromEntries(this.#targets.map(([name, target]) => [name, target.finish()])) as Partial<Record<Name, Out>>;
  }
}

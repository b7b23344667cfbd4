/** A worker that computes: an instance of the library, and the attentions that it was told of. */
import type { Attention } from '../attention.js';
import type { AttentionConfig } from '../attention-types.js';
import type { Core } from '../core.js';
import type { Encoding } from '../encoding.js';
import { PosencError } from '../errors.js';
import type { Posenc } from '../posenc.js';
import { runPart } from './part.js';
import type { AttentionPlan, Done, ErrorPlan, Shared, Work } from './protocol.js';

export class Hand {
  readonly #core: Core;
  readonly #posenc: Posenc;
  readonly #attentions = new Map<number, Attention>();
  readonly #calls = new Map<number, { readonly attention: number; readonly shared: Shared }>();
  #current = 0;

  constructor(core: Core, posenc: Posenc) {
    this.#core = core;
    this.#posenc = posenc;
  }

  /** The answer, where the work wants one. */
  do(work: Work): Done | undefined {
    switch (work.kind) {
      case 'attention':
        this.#attentions.set(work.id, this.#make(work.plan));
        return undefined;
      case 'forget':
        this.#forget(work.id);
        return undefined;
      case 'begin':
        this.#calls.set(work.id, work);
        return undefined;
      case 'end':
        this.#calls.delete(work.id);
        return undefined;
      default:
        return this.#part(work);
    }
  }

  #make({ options, encodings }: AttentionPlan): Attention {
    const factories = this.#posenc as unknown as Record<string, (options: object) => Encoding<object>>;
    const made = encodings.map(({ id, options: own }) => (factories[id] as (options: object) => Encoding<object>)(own));
    return this.#posenc.attention({ ...options, encodings: made } as unknown as AttentionConfig);
  }

  #forget(id: number): void {
    const attention = this.#attentions.get(id);
    this.#attentions.delete(id);
    attention?.dispose();
    for (const encoding of attention?.encodings ?? []) encoding.dispose();
  }

  #part({ id, index, part, tensors, mask }: Work & { kind: 'part' }): Done | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return { id, index }; // it was ended
    try {
      const attention = this.#attentions.get(call.attention);
      if (attention === undefined) throw new Error('an attention that was not announced');
      this.#use(id, attention, call.shared);
      return { id, index, result: runPart(this.#core, attention, call.shared, part, tensors, mask ?? call.shared.mask) };
    } catch (error) {
      return { id, index, error: errorPlan(error) };
    }
  }

  /** Gives the encodings the tensors of the call, unless they have them. */
  #use(id: number, attention: Attention, { parameters }: Shared): void {
    if (this.#current === id) return;
    attention.encodings.forEach((encoding, i) => encoding.setWeights(parameters[i] ?? {}));
    this.#current = id;
  }
}

function errorPlan(error: unknown): ErrorPlan {
  if (error instanceof PosencError) {
    const { code, parameter, received, allowed } = error;
    return { code, parameter, received, allowed };
  }
  return { code: 'workerFailed', parameter: 'workers', received: String(error), allowed: 'work without a fault' };
}

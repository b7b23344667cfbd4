// Sinusoidal rows at the input, in the forms that released models use.
import type { StackContext } from './stack.js';
import type { EncodingChoice } from './types.js';

/** A family of released sine tables. */
export interface SinusoidalForm {
  readonly layout: 'interleaved' | 'concat';
  readonly exponent: 'paper' | 'tensor2tensor';
  readonly odd: 'sine' | 'zero';
  /** Positions count from pad_token_id + 1, and padding has a row of zeros (fairseq). */
  readonly padded?: boolean;
  /** First position, where it is fixed. */
  readonly offset?: number;
  /** Embeddings are multiplied by sqrt(d): always, or where scale_embedding says so. */
  readonly scales?: 'always' | 'byField';
}

export const forms = {
  /** DistilBERT, XLM: sine and cosine in turn, the paper's exponent. */
  interleaved: { layout: 'interleaved', exponent: 'paper', odd: 'sine' },
  /** CTRL: all sines, then all cosines, the paper's exponent, embeddings always scaled. */
  ctrl: { layout: 'concat', exponent: 'paper', odd: 'sine', scales: 'always' },
  /** Marian, Pegasus: all sines, then all cosines, the paper's exponent. */
  marian: { layout: 'concat', exponent: 'paper', odd: 'sine', scales: 'byField' },
  /** Whisper: all sines, then all cosines, the last frequency 1 / base. */
  whisper: { layout: 'concat', exponent: 'tensor2tensor', odd: 'zero' },
  /** Pegasus-X: the same, with scaled embeddings. */
  tensor2tensor: { layout: 'concat', exponent: 'tensor2tensor', odd: 'zero', scales: 'byField' },
  /** fairseq and its descendants (M2M100, NLLB, FSMT, TrOCR): the same with padding rows. */
  fairseq: { layout: 'concat', exponent: 'tensor2tensor', odd: 'zero', padded: true, scales: 'byField' },
  /** XGLM: fairseq's table read from row 2 on. */
  xglm: { layout: 'concat', exponent: 'tensor2tensor', odd: 'zero', offset: 2, scales: 'byField' },
} as const satisfies Readonly<Record<string, SinusoidalForm>>;

/** The choice for `Stack.input`. */
export function sinusoidal(form: SinusoidalForm): (context: StackContext) => readonly EncodingChoice[] {
  return ({ config, hiddenSize, warn }) => {
    if (hiddenSize === undefined) throw config.missing(['d_model'], 'the width of the embeddings');
    const padding = form.padded ? config.integer('pad_token_id') : undefined;
    const scaleInput =
      form.scales === 'always' || (form.scales === 'byField' && config.boolean('scale_embedding') === true);
    const offset = form.offset ?? (padding === undefined ? undefined : padding + 1);
    if (padding !== undefined) {
      warn(
        `positions count the tokens that are no padding, from ${padding + 1}; ` +
          `padding has position ${padding} and a row of zeros`,
      );
    }
    const options = {
      dim: hiddenSize,
      layout: form.layout,
      exponent: form.exponent,
      odd: form.odd,
      scaleInput,
      ...(padding === undefined ? {} : { paddingIndex: padding }),
    };
    const order = form.layout === 'concat' ? 'sines, then cosines' : 'sine and cosine in turn';
    return [
      { id: 'sinusoidal', name: 'sinusoidal', options, ...(offset === undefined ? {} : { offset }), about: order },
    ];
  };
}

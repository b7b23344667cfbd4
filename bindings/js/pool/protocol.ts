/** What the page and the workers of a pool say to one another: plain data, arrays handed over without a copy. */
import type { PosencErrorCode } from '../errors.js';
import type { Layout } from '../heads.js';
import type { Shape } from '../shape.js';

/** Numbers of tensors by the names that they have in the call. */
export type Arrays = Record<string, Float32Array>;

/** An encoding as its factory makes it; its tensors come with every call, since training changes them. */
export interface EncodingPlan {
  readonly id: string;
  readonly options: object;
}

/** What an attention is made of. */
export interface AttentionPlan {
  readonly options: object;
  readonly encodings: readonly EncodingPlan[];
}

/** Extents of a call. */
export interface Extents {
  readonly batch: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly qLen: number;
  readonly kLen: number;
  readonly headDim: number;
  readonly valueDim: number;
}

/** A mask: plain data in its shape. */
export interface MaskPlan {
  readonly data: Float32Array | Uint8Array;
  readonly shape: Shape;
}

/** What all parts of a call share. */
export interface Shared {
  readonly backward: boolean;
  readonly withLse: boolean;
  /** Whether the call brings what gates read: a tensor that lies as q does. */
  readonly gated: boolean;
  readonly layout: Layout;
  readonly extents: Extents;
  /** Of the call, but for the layout, the mask and what gates read. Arrays with a row for each of the batch hold all of its rows. */
  readonly options: object;
  readonly mask?: MaskPlan | undefined;
  /** Of each encoding, by name. */
  readonly parameters: readonly Arrays[];
}

/** Some batch rows with all heads, or some heads of one row. `group`s are of query heads that share keys. */
export interface Part {
  readonly row: number;
  readonly rows: number;
  readonly group: number;
  readonly groups: number;
}

/** A call, whose pieces follow: for each part q, k, v, what gates read where they do, and in a backward call out, lse and dOut. */
export interface Call {
  readonly attention: number;
  readonly shared: Shared;
  readonly parts: readonly Part[];
}

export interface ErrorPlan {
  readonly code: PosencErrorCode;
  readonly parameter: string;
  readonly received: string;
  readonly allowed: string;
}

/** From the page to the worker that leads. */
export type ToLead =
  | { readonly kind: 'lead'; readonly hands: readonly MessagePort[] }
  | { readonly kind: 'attention'; readonly id: number; readonly plan: AttentionPlan }
  | { readonly kind: 'forget'; readonly id: number }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'piece'; readonly id: number; readonly tensors: Arrays }
  | { readonly kind: 'abort'; readonly id: number };

/** From the worker that leads to the page. `done` counts heads of batch rows. */
export type FromLead =
  | { readonly id: number; readonly done: number; readonly total: number }
  | { readonly id: number; readonly result: Arrays }
  | { readonly id: number; readonly error: ErrorPlan };

/** From the page to a worker that computes. Without a module, where a platform cannot hand one over, it loads its own. */
export interface ToHand {
  readonly kind: 'hand';
  readonly variant: 'relaxed' | 'simd' | 'scalar';
  readonly module: WebAssembly.Module | undefined;
  readonly port: MessagePort;
}

/** From the worker that leads to one that computes. */
export type Work =
  | { readonly kind: 'attention'; readonly id: number; readonly plan: AttentionPlan }
  | { readonly kind: 'forget'; readonly id: number }
  | { readonly kind: 'begin'; readonly id: number; readonly attention: number; readonly shared: Shared }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'part'; readonly id: number; readonly index: number; readonly part: Part; readonly tensors: Arrays; readonly mask?: MaskPlan | undefined };

/** And back. */
export interface Done {
  readonly id: number;
  readonly index: number;
  readonly result?: Arrays;
  readonly error?: ErrorPlan;
}

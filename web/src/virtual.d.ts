declare module 'virtual:formulas' {
  /** MathML of each encoding's formula, by id. */
  export const formulas: Readonly<Record<string, string>>;
}

declare module 'virtual:model-examples' {
  /** Configurations of public models. */
  export const examples: readonly { readonly model: string; readonly config: Readonly<Record<string, unknown>> }[];
}

declare module 'virtual:longrope-factors' {
  /** LongRoPE's factors of one public model, by pair. */
  export const factors: { readonly model: string; readonly short: readonly number[]; readonly long: readonly number[] };
}

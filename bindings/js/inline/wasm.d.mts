/** A build in base64 of its deflated bytes. Written by scripts/build/inline.mjs. */
export interface Inlined {
  readonly size: number;
  readonly base64: string;
}
export const builds: { readonly simd: Inlined; readonly scalar: Inlined };

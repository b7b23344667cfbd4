/** Two builds, whose slices take turns, in base64 of their deflated bytes. Written by scripts/build/inline.mjs. */
export const base64: string;
/** Bytes of each build. */
export const sizes: { readonly simd: number; readonly scalar: number };
/** How many slices each has. */
export const slices: number;

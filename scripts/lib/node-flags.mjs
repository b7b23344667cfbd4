// Node before 22 runs relaxed SIMD only when asked to; later ones do not know the flag.
export const nodeFlags = (variant) =>
  variant === 'relaxed' && Number(process.versions.node.split('.')[0]) < 22 ? ['--experimental-wasm-relaxed-simd'] : [];

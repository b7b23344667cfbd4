// Which letters of a formula stand for which option, as the papers have it, or for which setting of the pictures ("show.").
// A letter with an index is written with it: "d_h".

/** Of encodings that give each position a row. */
const row = { d: 'dim', p: 'show.length' } as const;
const head = { h: 'show.head' } as const;
const heads = { ...head, H: 'heads' } as const;

export const symbols: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sinusoidal: { ...row, b: 'base' },
  learned: { ...row, L: 'maxLength', o: 'offset' },
  gridLearned: { W: 'cols', x: 'show.columns', y: 'show.rows', t: 'show.frames' },
  axial: { p: 'show.length', W: 'shape' },
  block: { p: 'show.length' },
  segment: { d: 'dim', T: 'types', t: 'show.length' },
  coordinates: { l: 'low', h: 'high', '\u03d5': 'features' },
  lowRank: { p: 'show.length', r: 'rank' },
  sparse: { p: 'show.length', K: 'nonzeros', D: 'atoms' },
  grid: { b: 'base', e: 'dim', x: 'show.columns', y: 'show.rows' },
  fourier: { B: 'frequencies', '\u03c3': 'sigma' },
  binary: { p: 'show.length', r: 'radix', K: 'digits' },
  mlp: { p: 'show.length', f: 'activation', s: 'inputScale' },
  conv: { k: 'kernel', f: 'activation', b: 'bias', r: 'show.rows', c: 'show.columns' },
  recurrent: { p: 'show.length', GRU: 'cell' },
  flow: { p: 'show.length', f: 'hidden', '\u0394': 'delta' },
  graph: { k: 'vectors', i: 'nodes' },
  rope: { b: 'base', d: 'rotaryDim', p: 'show.position' },
  ropeNd: { b: 'base', D: 'headDim' },
  mrope: { b: 'base', d: 'rotaryDim', p: 'show.position' },
  xpos: { B: 'scaleBase', '\u03b3': 'gamma', d: 'rotaryDim', p: 'show.position' },
  alibi: heads,
  t5: head,
  kerple: head,
  sandwich: { ...heads, b: 'base', d: 'dim' },
  fire: { ...head, c: 'initC', L: 'initL' },
  swin: head,
  swinV2: head,
  beit: head,
  layoutBias: head,
  relation: head,
  shaw: { k: 'left', d_h: 'headDim' },
  transformerXL: { d_h: 'headDim' },
  deberta: { d_h: 'headDim' },
  decomposed: { d_h: 'headDim' },
  cope: { d_h: 'headDim' },
};

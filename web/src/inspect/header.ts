// A safetensors file read by ranges: its header, and of its tensors only those that hold positions. Weights of a large
// model are never read, and nothing is sent anywhere.
import { PosencError, type Posenc } from 'posenc';
import type { Floats } from '../tensors/npy.js';

export type Kind = 'rows' | 'buckets' | 'window' | 'frequencies' | 'slopes';

/** A tensor that holds positions. */
export interface Found {
  name: string;
  kind: Kind;
  dtype: string;
  shape: readonly number[];
  /** Where its bytes lie in the file. */
  start: number;
  end: number;
}

/** What models call such tensors. */
const names: readonly (readonly [Kind, RegExp])[] = [
  ['buckets', /relative_attention_bias\.weight$/],
  ['window', /relative_position_bias_table$/],
  ['frequencies', /inv_freq$/],
  ['slopes', /(^|\.)(alibi_)?slopes$/],
  ['rows', /(^|\.)(wpe\.weight|(token_)?pos(ition(al)?)?_?emb(ed(ding)?s?)?(\.weight)?|embed_positions\.weight|pos_embed(_\w+)?)$/],
  ['rows', /(^|\.)(rel_pos_[hw]|distance_embedding\.weight|rel_embeddings\.weight|emb_rel_[kv]|[xy]_position_embeddings\.weight|[hw]_position_embeddings\.weight)$/],
];

const largestHeader = 100 * 2 ** 20;
const widths: Readonly<Record<string, number>> = { F64: 8, F32: 4, F16: 2, BF16: 2 };

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const refuse = (received: string): PosencError => new PosencError('invalidType', 'file', received, 'a .safetensors file');

async function readHeader(file: Blob): Promise<{ header: Readonly<Record<string, Entry>>; start: number }> {
  const first = new DataView(await file.slice(0, 8).arrayBuffer());
  const length = first.byteLength < 8 ? NaN : Number(first.getBigUint64(0, true));
  if (!(length > 1 && length <= Math.min(largestHeader, file.size - 8))) throw refuse(`${file.size} bytes without a header`);
  try {
    return { header: JSON.parse(await file.slice(8, 8 + length).text()) as Record<string, Entry>, start: 8 + length };
  } catch {
    throw refuse('a header that is no JSON');
  }
}

/** The kinds of tensors with positions in the file, in its order, and how many tensors there are in all. */
export async function findPositions(file: Blob): Promise<{ found: Found[]; count: number }> {
  const { header, start } = await readHeader(file);
  const entries = Object.entries(header).filter(([name]) => name !== '__metadata__');
  const found = entries.flatMap(([name, { dtype, shape, data_offsets: [from, to] }]): Found[] => {
    const kind = names.find(([, pattern]) => pattern.test(name))?.[0];
    return kind && dtype in widths ? [{ name, kind, dtype, shape, start: start + from, end: start + to }] : [];
  });
  return { found, count: entries.length };
}

/** The numbers of one tensor. */
export async function readFound(posenc: Posenc, file: Blob, { name, dtype, shape, start, end }: Found): Promise<Floats> {
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (!(end <= file.size && end - start === count * widths[dtype]!)) throw refuse(`tensor ${name} beyond the end of the file`);
  const bytes = await file.slice(start, end).arrayBuffer();
  if (dtype === 'F16' || dtype === 'BF16') return posenc.fromHalf(new Uint16Array(bytes), [...shape], dtype === 'F16' ? 'f16' : 'bf16');
  return { shape, data: dtype === 'F32' ? new Float32Array(bytes) : Float32Array.from(new Float64Array(bytes)) };
}

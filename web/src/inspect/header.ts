// A safetensors file read by ranges: its header, and of its tensors only those that hold positions. Weights of a large
// model are never read, and nothing is sent anywhere.
import { openSafetensors, toFloats, type Floats, type StoredEntry } from 'posenc/formats';

export type Kind = 'rows' | 'buckets' | 'window' | 'frequencies' | 'slopes';

/** A tensor that holds positions. */
export interface Found extends StoredEntry {
  name: string;
  kind: Kind;
  /** Reads its numbers. */
  read(): Promise<Floats>;
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

/** The tensors with positions in the file, in its order, and how many tensors there are in all. */
export async function findPositions(file: Blob): Promise<{ found: Found[]; count: number }> {
  const opened = await openSafetensors(file);
  const entries = Object.entries(opened.tensors);
  const found = entries.flatMap(([name, entry]): Found[] => {
    const kind = names.find(([, pattern]) => pattern.test(name))?.[0];
    if (kind === undefined || !/^B?F(16|32|64)$/.test(entry.dtype)) return [];
    return [{ ...entry, name, kind, read: async () => toFloats(await opened.read(name)) }];
  });
  return { found, count: entries.length };
}

// What a config.json says about positions: the shape of describeConfig's answer.

/** A parsed Hugging Face config.json. Unknown fields are left alone. */
export type ModelConfig = Readonly<Record<string, unknown>>;

/** Which stack of layers a part of the description is about. */
export type TowerName = 'text' | 'vision' | 'audio' | 'encoder' | 'decoder';

/** An encoding that a model uses, ready for `posenc[id](options)`. */
export interface EncodingChoice {
  /** The factory's name: 'rope', 'alibi', 'sinusoidal', 'nope', ... */
  readonly id: string;
  /** The encoding's `name`: its id, or id and layer kind where one tower uses several of an id. */
  readonly name: string;
  /** Options for the factory; null where posenc cannot make this encoding from a config yet. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** Position of the first token, where a model does not count from 0. */
  readonly offset?: number;
  /** Tensors of the encoding that the model has multiplied by a factor: { slopes: 0.125 }. */
  readonly scaled?: Readonly<Record<string, number>>;
  /** Tensors that the model puts through a layer norm before it uses them, with its epsilon. */
  readonly layerNorm?: Readonly<Record<string, number>>;
  /** In words, what the model has; for the ones without options this is what is missing. */
  readonly about: string;
}

/** How far a query sees. */
export interface WindowChoice {
  /** Keys before its own place; absent: all. */
  readonly left?: number;
  /** Keys after its own place; absent: all. */
  readonly right?: number;
}

/** Options for `posenc.attention`, all of them resolved. */
export interface AttentionChoice {
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key/value heads. */
  readonly kvHeads: number;
  /** Width of a query and key head. */
  readonly headDim: number;
  /** Width of a value head. */
  readonly valueDim: number;
  /** Whether a query sees the keys up to its own place only. */
  readonly causal: boolean;
  /** Factor on q·k. */
  readonly scale: number;
  /** softcap·tanh(score / softcap); 0: none. */
  readonly softcap: number;
  /** Cosines of queries and keys instead of their products (Swin v2). */
  readonly logits?: 'cosine';
  /** How many keys on each side a query sees, its own place not counted; absent: all. */
  readonly window?: WindowChoice;
  /** A query sees keys of its own chunk of so many places only; absent: all. */
  readonly chunk?: number;
  /** A factor on queries that grows with their position. */
  readonly temperature?: Readonly<Record<string, unknown>>;
}

/** Layers of a tower that place positions alike. */
export interface LayerGroup {
  /** Indices from 0, or 'all' where the config does not tell how many layers there are. */
  readonly layers: readonly number[] | 'all';
  /** The layer type in Hugging Face's words: 'full_attention', 'sliding_attention', 'chunked_attention'. */
  readonly kind: string;
  /** What `posenc.attention` takes as `encodings`. */
  readonly encodings: readonly EncodingChoice[];
  /** Options of `posenc.attention` for these layers. */
  readonly attention: AttentionChoice;
  /**
   * How rotated channels pair up in the released weights, which `rope` has as its `layout`; absent where nothing is
   * rotated. (Not the `layout` of a call, which says how heads lie.)
   */
  readonly layout?: 'half' | 'interleaved';
  /** True where each head has a learned sink in its softmax: calls take them as `sinks`. */
  readonly sinks: boolean;
}

/** One stack of layers. */
export interface Tower {
  /** Which stack it is. */
  readonly name: TowerName;
  /** The `model_type` of the part of the config that this tower comes from. */
  readonly modelType: string;
  /** Number of layers, attention or not. */
  readonly layers: number | undefined;
  /** Width of the embeddings. */
  readonly hiddenSize: number | undefined;
  /** Positions seen in training, where the config says so. */
  readonly maxPositions: number | undefined;
  /** Encodings that are added to the embeddings in front of the first layer. */
  readonly input: readonly EncodingChoice[];
  /** Its layers, those together that place positions alike. */
  readonly groups: readonly LayerGroup[];
  /** Traps of this model, one sentence each. */
  readonly warnings: readonly string[];
}

/** What describeConfig returns. */
export interface ConfigDescription {
  /** The config's `model_type`. */
  readonly modelType: string;
  /** Its stacks of layers: one of most models, encoder and decoder of others. */
  readonly towers: readonly Tower[];
}

/** What describeConfig and fromConfig may be told besides. */
export interface DescribeOptions {
  /**
   * The length, in tokens, that will be reached. Only a rule that no option of `rope` expresses looks at it (the NTK rule
   * of the first Qwen), and the warning about unseen lengths.
   */
  readonly length?: number;
  /** Only these towers. Default: all. */
  readonly towers?: readonly TowerName[];
}

/** What the model is for. */
export type Task =
  | 'language-model'
  | 'text-encoder'
  | 'translation'
  | 'code'
  | 'image-classification'
  | 'dense-vision'
  | 'video'
  | 'image-text'
  | 'document-layout'
  | 'long-document'
  | 'speech'
  | 'music'
  | 'biology'
  | 'time-series'
  | 'reinforcement-learning'
  | 'points'
  | 'graph'
  | 'set';

/** What a recommendation is made from. Only `task` has to be given. */
export interface Needs {
  /** What the model is for. */
  task: Task;
  /** Whether a token sees only those before it. Default: true for language models, code, music and reinforcement learning. */
  causal?: boolean;
  /** Length (tokens along one side) that the model is trained for. Default 512. */
  trainedLength?: number;
  /** Longest length it has to run at. Default: the trained length. */
  longestLength?: number;
  /** Whether grids or images of other sizes than the trained one come in. Default false. */
  variableSize?: boolean;
  /** Whether outputs depend on where a thing is, and not only on what surrounds it. Default: by the task. */
  absolute?: boolean;
  /** How many trained parameters positions may take. With 'none' what has to be trained is left out. Default 'any'. */
  parameters?: 'any' | 'few' | 'none';
  /** Whether keys stay in a cache while tokens are generated. Default: as `causal`. */
  cache?: boolean;
}

/** A paper that supports a reason. */
export interface Source {
  /** Authors, year and title. */
  readonly text: string;
  /** Where the paper is. */
  readonly url: string;
}

/** One sentence for or against an encoding, with the points that it counted. */
export interface Reason {
  /** The sentence. */
  readonly text: string;
  /** Above 0 for it, below against it. */
  readonly points: number;
  /** What it rests on. */
  readonly source?: Source;
}

/** An encoding, and why. */
export interface Recommendation {
  /** The encoding's id, a factory of that name. */
  readonly id: string;
  /** Sum of the reasons' points; only the order means something. */
  readonly score: number;
  /** Options to begin with; sizes are left to the caller. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What speaks for it, the weightiest first. */
  readonly reasons: readonly Reason[];
  /** What speaks against it, or has to be minded. */
  readonly cautions: readonly Reason[];
}

/** @internal `Needs` with every default filled in. */
export type Situation = Required<Needs>;

/** @internal A reason that holds in some situations. */
export interface Rule {
  readonly id: string;
  /** The tasks that it is about; absent: all, but it never brings an encoding in by itself. */
  readonly tasks?: readonly Task[];
  readonly when?: (situation: Situation) => boolean;
  readonly points: number;
  readonly text: string;
  readonly source?: Source;
  readonly options?: (situation: Situation) => Readonly<Record<string, unknown>>;
}

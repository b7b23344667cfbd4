type Shapes = Readonly<Record<string, readonly number[]>>;

export interface ModelNode {
  type: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export function model(description: {
  opset: number;
  nodes: readonly ModelNode[];
  inputs: Shapes;
  outputs: Shapes;
  constants?: Readonly<Record<string, { data: Float32Array | BigInt64Array; shape: readonly number[] }>>;
}): Uint8Array;

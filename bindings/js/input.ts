import type { Core } from './core.js';
import { Encoding } from './encoding.js';
import { PosencError, describe } from './errors.js';
import { type PositionRows, writeInputCall } from './generated/calls.js';
import { type Out, type Source, Target, type TensorLike, place, readTensor } from './inputs.js';
import { checkOptions } from './options.js';
import { type PositionList, type Positions, readGrid, readNumber, readPositionList, readPositions } from './positions.js';
import { type Shape, sameShape, shapeText } from './shape.js';
import { Tensor } from './tensor.js';

/** What `encode` takes beside the positions. */
export interface EncodeOptions<Into extends Out = Tensor> {
  /** With a count: the first position. Default 0. */
  offset?: number;
  /** Where the rows go, instead of a new tensor. */
  into?: Into;
}

/** What `add` and `concat` take beside x. */
export interface AddOptions<Into extends Out = Tensor> {
  /** Positions of the rows of x: a first one, one per row, or [.., n] by batch row. Default 0, 1, 2, ... */
  positions?: Positions;
  /** Instead of positions, where they have several axes: extents of a grid whose cells, row by row, the rows of x are. */
  grid?: readonly number[];
  /** Where the result goes, instead of a new tensor. */
  into?: Into;
}

/** What `backward` takes beside the gradient of the rows. */
export interface BackwardOptions extends Pick<AddOptions, 'positions' | 'grid'> {
  /** Where rows are made from x: the x of the forward call, of the shape of the gradient. */
  x?: TensorLike;
}

/** What `backward` gives beside the gradients of the trained tensors. */
export interface InputGradient {
  /** Of x, by way of the rows, where they are made from it. */
  x?: Tensor;
}

const encodeOptions = ['offset', 'into'];
const addOptions = ['positions', 'grid', 'into'];

/** An encoding that gives every position a row of `width` numbers, to be added to or laid beside the token's own. */
export class InputEncoding<
  Parameters extends object = Record<string, Tensor>,
  Gradients extends object = Partial<Parameters>,
> extends Encoding<Parameters> {
  /** Length d of a row. */
  readonly width: number = this.handle.width();
  /** What `add` multiplies x by before the row is added: sqrt(d) where `scaleInput` is on, else 1. */
  readonly inputScale: number = this.handle.inputScale();
  /** Whether rows are made from x itself (convolution): then only `add` and `concat` make them, and `backward` wants x. */
  readonly readsX: boolean = this.handle.readsX();

  /**
   * Rows for positions: a count n for offset, offset + 1, ..., or positions of any shape. Where positions have several
   * axes, an array of numbers is the shape of a grid and stands for all its cells: encode([rows, cols]).
   * @returns [n, width], or the shape of the grid or of the positions with `width` behind it.
   */
  encode<Into extends Out = Tensor>(positions: number | Positions, options?: EncodeOptions<Into>): Into {
    const core = this.coreOf(this.name);
    checkOptions(options, encodeOptions, 'options');
    core.begin();
    try {
      const offset = options?.offset === undefined ? undefined : readNumber(options.offset, 'offset');
      const list = readPositionList(core, positions, offset, this.axes);
      const target = new Target(core, options?.into, [...list.shape, this.width]);
      const out = target.begin();
      writeInputCall(core, { encoding: this.address, batch: 1, positions: list.rows, x: 0, xWidth: 0, content: 0, dContent: 0, out });
      core.check(core.wasm._posenc_input_encode(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /**
   * inputScale · x + rows. `into` may be x itself.
   * @param x [.., n, width]
   */
  add<Into extends Out = Tensor>(x: TensorLike, options?: AddOptions<Into>): Into {
    return this.#combine(x, options, false);
  }

  /**
   * `[x | rows]`: the row of each position laid behind that of x.
   * @param x [.., n, w], any w
   * @returns [.., n, w + width]
   */
  concat<Into extends Out = Tensor>(x: TensorLike, options?: AddOptions<Into>): Into {
    return this.#combine(x, options, true);
  }

  /**
   * Gradients of the trained tensors, from the gradient of the rows. Where rows are made from x, `x` is what `add` was
   * given, and the gradient that it gets by way of the rows comes back under that name.
   * @param dOut [.., n, width]
   * @returns a gradient for each tensor that is trained, under its name and of its shape
   */
  backward(dOut: TensorLike, options?: BackwardOptions): Gradients & InputGradient {
    const core = this.coreOf(this.name);
    checkOptions(options, ['positions', 'grid', 'x'], 'options');
    core.begin();
    try {
      const source = readTensor(core, dOut, 'dOut');
      const { batch, positions } = this.#rowsOf(core, source, options, true);
      const content = this.#contentOf(core, options?.x, source);
      const dContent = content === undefined ? 0 : core.take(4 * content.size, 'x');
      const out = core.take(this.gradientBytes, 'dOut');
      writeInputCall(core, {
        encoding: this.address,
        batch,
        positions,
        x: place(core, source),
        xWidth: this.width,
        content: content === undefined ? 0 : place(core, content),
        dContent,
        out,
      });
      core.check(core.wasm._posenc_input_backward(core.frame));
      const gradients = Object.fromEntries(this.readGradients(core, out)) as Gradients & InputGradient;
      if (content === undefined) return gradients;
      const first = dContent >>> 2;
      return { ...gradients, x: new Tensor(core.views.f32.slice(first, first + content.size), content.shape) };
    } finally {
      core.end();
    }
  }

  /** The x of the forward call, where rows are made from it. */
  #contentOf(core: Core, x: TensorLike | undefined, dOut: Source): Source | undefined {
    if (!this.readsX) {
      if (x === undefined) return undefined;
      throw new PosencError('unknownOption', 'x', describe(x), 'nothing: these rows do not depend on x');
    }
    if (x === undefined) throw new PosencError('missingOption', 'x', 'nothing', `what add was given, ${shapeText(dOut.shape)}`);
    const content = readTensor(core, x, 'x');
    if (sameShape(content.shape, dOut.shape)) return content;
    throw new PosencError('shapeMismatch', 'x', `shape ${shapeText(content.shape)}`, `shape ${shapeText(dOut.shape)}, as dOut`);
  }

  #combine<Into extends Out>(x: TensorLike, options: AddOptions<Into> | undefined, concat: boolean): Into {
    const core = this.coreOf(this.name);
    checkOptions(options, addOptions, 'options');
    core.begin();
    try {
      const source = readTensor(core, x, 'x');
      const width = source.shape[source.shape.length - 1] ?? 0;
      const outWidth = concat ? width + this.width : width;
      const target = new Target(core, options?.into, [...source.shape.slice(0, -1), outWidth]);
      target.apart(source, !concat);
      const { batch, positions } = this.#rowsOf(core, source, options, !concat);
      const placed = place(core, source);
      const out = target.begin(concat || source.data === null ? 0 : placed);
      writeInputCall(core, { encoding: this.address, batch, positions, x: placed, xWidth: width, content: 0, dContent: 0, out });
      core.check(concat ? core.wasm._posenc_input_concat(core.frame) : core.wasm._posenc_input_add(core.frame));
      return target.finish();
    } finally {
      core.end();
    }
  }

  /** How many rows x has in each row of the batch, and their positions. */
  #rowsOf(
    core: Core,
    { shape, parameter }: Source,
    options: Pick<AddOptions, 'positions' | 'grid'> | undefined,
    ownWidth: boolean,
  ): { batch: number; positions: PositionRows } {
    const width = shape[shape.length - 1] ?? 0;
    if (shape.length < 2 || (ownWidth && width !== this.width)) {
      const allowed = `[.., n, ${ownWidth ? this.width : 'any'}]`;
      throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)}`, allowed);
    }
    const { positions, grid } = options ?? {};
    if (grid === undefined) {
      const count = shape[shape.length - 2] ?? 0;
      const batch = shape.slice(0, -2).reduce((product, extent) => product * extent, 1);
      return { batch, positions: readPositions(core, positions, count, batch, this.axes, 'positions') };
    }
    if (positions !== undefined) throw new PosencError('unsupported', 'grid', describe(grid), 'a grid or positions');
    const cells = readGrid(core, grid, this.axes, 'grid');
    return { batch: this.#gridsIn(shape, cells, parameter), positions: cells.rows };
  }

  /** How many grids there are in [.., n, width] or [.., rows, cols, width]. */
  #gridsIn(shape: Shape, { shape: grid, rows }: PositionList, parameter: string): number {
    const outer = shape.slice(0, -1);
    const spread = sameShape(outer.slice(-grid.length), grid) ? grid.length : 1;
    const inner = outer.slice(-spread).reduce((product, extent) => product * extent, 1);
    if (inner !== rows.count) {
      const allowed = `[.., ${grid.join(', ')}, width] or [.., ${rows.count}, width]`;
      throw new PosencError('shapeMismatch', parameter, `shape ${shapeText(shape)}`, allowed);
    }
    return outer.slice(0, -spread).reduce((product, extent) => product * extent, 1);
  }
}

// generated/encodings.ts: what the factories need at run time, and the types of encodings and factories.
import { operationOptions } from './options.mjs';
import { comment, conditionText, header, pascal, quoted, sentence } from './text.mjs';

// The class of each family and the file in bindings/js that has it.
const families = {
  input: ['InputEncoding', 'input'],
  rotary: ['RotaryEncoding', 'rotary'],
  bias: ['BiasEncoding', 'bias'],
  relative: ['RelativeEncoding', 'relative'],
  none: ['NoneEncoding', 'none'],
};

export function encodingsFile({ encodings }) {
  const used = Object.keys(families).filter((family) => encodings.some((encoding) => encoding.family === family));
  const classes = used.map((family) => `import type { ${families[family][0]} } from '../${families[family][1]}.js';\n`);
  const optionTypes = encodings.flatMap((encoding) => [
    `${pascal(encoding.id)}Options`,
    ...encoding.operations.filter(({ fields }) => fields.length > 0).map((operation) => operationOptions(encoding, operation)),
  ]);
  return `${header}
${classes.join('')}import type { OperationInput } from '../operations.js';
import type { Tensor } from '../tensor.js';
import type {
${optionTypes.map((type) => `  ${type},\n`).join('')}} from './options.js';

/** @internal An operation that an encoding offers beyond its family's. */
export interface OperationSpec {
  /** Its name in JavaScript. */
  readonly name: string;
  /** A method of the encoding; else a function of its factory. */
  readonly onInstance: boolean;
  /** What it takes in front of its options, in order. */
  readonly inputs: readonly { readonly name: string; readonly required: boolean }[];
  /** Names of its results where it has several. */
  readonly results: readonly string[];
}

/** @internal What a factory needs to know. */
export interface EncodingSpec {
  /** The factory's name. */
  readonly id: string;
  /** Where position enters attention. */
  readonly family: ${used.map(quoted).join(' | ')};
  /** Names of its trainable tensors. */
  readonly tensors: readonly string[];
  /** What it offers beyond its family. */
  readonly operations: readonly OperationSpec[];
}

/** @internal All encodings, in the order of the C++ list. */
export const encodingSpecs: readonly EncodingSpec[] = [
${encodings.map(specText).join('')}];

${encodings.map(typesText).join('\n')}
/** The factories: one per encoding, under its id. */
export interface Factories {
${encodings.map(factoryText).join('')}}
`;
}

function specText({ id, family, tensors, operations }) {
  const names = tensors.map(({ name }) => quoted(name)).join(', ');
  const specs = operations.map(({ name, needsInstance, inputs, results }) => {
    const list = inputs.map((input) => `{ name: ${quoted(input.name)}, required: ${input.required} }`).join(', ');
    const several = results.map((result) => quoted(result.name)).join(', ');
    return `      { name: ${quoted(name)}, onInstance: ${needsInstance}, inputs: [${list}], results: [${several}] },\n`;
  });
  const text = specs.length === 0 ? '[]' : `[\n${specs.join('')}    ]`;
  return `  {\n    id: ${quoted(id)},\n    family: ${quoted(family)},\n    tensors: [${names}],\n    operations: ${text},\n  },\n`;
}

function typesText(encoding) {
  const { id, title, summary, paper, url, family, tensors, operations } = encoding;
  const type = pascal(id);
  const optional = (tensor) => tensor.present !== undefined;
  const tensorMembers = tensors.map((tensor) => `${tensorDoc(tensor)}  ${tensor.name}${optional(tensor) ? '?' : ''}: Tensor;\n`);
  const getters = tensors.map((tensor) => `${tensorDoc(tensor)}  readonly ${tensor.name}: Tensor${optional(tensor) ? ' | undefined' : ''};\n`);
  const methods = operations.filter(({ needsInstance }) => needsInstance).map((operation) => operationText(encoding, operation));
  return `${comment([`Trainable tensors of ${title}.`])}export type ${type}Tensors = ${tensors.length === 0 ? 'Record<never, never>' : `{\n${tensorMembers.join('')}}`};

${comment([`${title}.`, sentence(summary), sentence(paper), url])}export interface ${type} extends ${families[family][0]}<${typeArguments(encoding)}> {
  readonly options: Readonly<${type}Options>;
${getters.join('')}${methods.join('')}}
`;
}

// The tensors' type, and that of the gradients which `backward` gives where it is known: without it, any may be missing.
function typeArguments({ id, family, tensors }) {
  const all = `${pascal(id)}Tensors`;
  const conditional = tensors.some(({ trained }) => trained !== undefined);
  if (conditional || tensors.length === 0 || !['input', 'bias'].includes(family)) return all;
  const untrained = tensors.filter(({ indexBelow }) => indexBelow !== undefined).map(({ name }) => quoted(name));
  return `${all}, ${untrained.length === 0 ? all : `Omit<${all}, ${untrained.join(' | ')}>`}`;
}

function factoryText(encoding) {
  const { id, title, summary, fields, operations } = encoding;
  const type = pascal(id);
  const needed = fields.some(({ required, condition }) => required && condition === undefined);
  const statics = operations.filter(({ needsInstance }) => !needsInstance).map((operation) => operationText(encoding, operation, '    '));
  return `${comment([`${title}.`, sentence(summary)], '  ')}  readonly ${id}: {
    (options${needed ? '' : '?'}: ${type}Options): ${type};
${statics.join('')}  };
`;
}

function operationText(encoding, operation, indent = '  ') {
  const { name, inputs, fields, doc, returns, results } = operation;
  const needed = fields.some(({ required, condition }) => required && condition === undefined);
  const parameters = inputs.map((input, index) => {
    const optional = !input.required && (!needed && inputs.slice(index).every(({ required }) => !required));
    return `${input.name}${optional ? '?' : ''}: OperationInput${!input.required && !optional ? ' | undefined' : ''}`;
  });
  if (fields.length > 0) parameters.push(`options${needed ? '' : '?'}: ${operationOptions(encoding, operation)}`);
  const inputDocs = inputs.map((input) => `@param ${input.name} ${input.doc}`);
  const docs = comment([sentence(doc), ...inputDocs, returns === '' ? '' : `@returns ${asCode(returns)}`], indent);
  const members = results.map((result) => `\n${comment([sentence(result.doc)], `${indent}  `)}${indent}  ${result.name}: Tensor;`);
  const type = results.length === 0 ? 'Tensor' : `{${members.join('')}\n${indent}}`;
  return `${docs}${indent}${name}(${parameters.join(', ')}): ${type};\n`;
}

// A shape in front of a colon would be read as a link's definition.
const asCode = (text) => text.replace(/^(\[[^\]]*\]):/, '`$1`:');

function tensorDoc({ shape, doc, present, initialDoc }) {
  const initial = initialDoc === '' ? '' : `Initially ${initialDoc}.`;
  const condition = conditionText(present);
  return comment([sentence(doc), `${shape}.`, condition === '' ? '' : `${pascal(condition)}.`, initial].filter(Boolean), '  ');
}

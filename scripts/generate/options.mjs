// generated/options.ts: the types of all option objects. A field that applies only where a choice has some value
// makes the type a union over that choice, so that TypeScript knows what C++ would refuse.
import { comment, defaultText, header, pascal, quoted, rangeText, sentence } from './text.mjs';

export function optionsFile({ encodings, attention, layer, cache }) {
  const parts = [
    ...encodings.flatMap((encoding) => [
      optionsType(`${pascal(encoding.id)}Options`, encoding.fields, encoding.title, `EncodingCommon<${pascal(encoding.id)}Tensors>`),
      ...encoding.operations.flatMap((operation) =>
        operation.fields.length === 0
          ? []
          : [optionsType(operationOptions(encoding, operation), operation.fields, `${operation.name} of ${encoding.title}`)],
      ),
    ]),
    optionsType('AttentionOptions', attention.fields, 'attention'),
    optionsType('AttentionLayerOptions', layer.fields, 'an attention layer'),
    optionsType('KvCacheOptions', cache.fields, "attention's cache"),
  ];
  const tensorTypes = encodings.map(({ id }) => `${pascal(id)}Tensors`).join(', ');
  return `${header}
import type { EncodingCommon } from '../encoding.js';
import type { ${tensorTypes} } from './encodings.js';

${parts.join('\n')}`;
}

/** Name of the type of an operation's scalar arguments. */
export function operationOptions(encoding, operation) {
  return `${pascal(encoding.id)}${pascal(operation.name)}Options`;
}

function optionsType(name, fields, what, base) {
  const aliases = [];
  const own = objectType(fields, '', name, aliases);
  const groups = aliases.map(({ name: alias, text, doc }) => `${doc}${declaration(alias, text)}`);
  const all = [...(base === undefined ? [] : [base]), ...(own === '{}' && base !== undefined ? [] : [own])];
  return `${groups.join('\n')}${groups.length > 0 ? '\n' : ''}${comment([`Options of ${what}.`])}${declaration(name, all.join(' & '))}`;
}

function declaration(name, type) {
  return `export type ${name} =${type.startsWith('\n') ? '' : ' '}${type};\n`;
}

// `fields` are those of one object (names begin with `prefix`). A condition on a field that is not among them was dealt
// with further out.
function objectType(fields, prefix, name, aliases) {
  const { common, unions } = partsOf(fields, prefix, name, aliases);
  return joined(common === '' && unions.length > 0 ? [] : [braces(common)], unions);
}

// The properties that are there whatever the choices, and a union for each choice that others depend on.
function partsOf(fields, prefix, name, aliases) {
  const names = new Set(fields.map((field) => field.name));
  const free = fields.filter(({ condition }) => condition === undefined || !names.has(condition.field));
  const isSwitch = (field) => isOwn(field, prefix) && fields.some(({ condition }) => condition?.field === field.name);
  const plain = free.filter((field) => !isSwitch(field));
  return {
    common: membersOf(plain, fields, prefix, name, aliases),
    unions: free.filter(isSwitch).map((field) => unionOf(field, fields, prefix, name, aliases)),
  };
}

// One member per value of the switch, or per set of values under which the same fields apply.
function unionOf(field, fields, prefix, name, aliases) {
  const values = field.type === 'boolean' ? [false, true] : field.choices;
  const branches = new Map();
  for (const value of values) {
    const applying = fields.filter(({ condition }) => condition?.field === field.name && condition.values.includes(value));
    const key = applying.map((each) => each.name).join();
    if (!branches.has(key)) branches.set(key, { values: [], applying });
    branches.get(key).values.push(value);
  }
  const members = [...branches.values()].map((branch) => {
    const chosen = { ...field, required: !branch.values.includes(field.default) };
    const text = property(chosen, prefix, branch.values.map(literal).join(' | '));
    const { common, unions } = partsOf(nestedFields(branch.applying, fields), prefix, name, aliases);
    return joined([braces(text + common)], unions);
  });
  return `\n${members.map((member) => `  | ${member.replaceAll('\n', '\n    ')}`).join('\n')}`;
}

function joined(objects, unions) {
  if (objects.length === 0 && unions.length === 1) return unions[0];
  return [...objects, ...unions.map((union) => `(${union}\n)`)].join(' & ');
}

// Fields together with those whose conditions refer to them.
function nestedFields(applying, fields) {
  const names = new Set(applying.map((field) => field.name));
  const deeper = fields.filter(({ name, condition }) => !names.has(name) && condition !== undefined && names.has(condition.field));
  return deeper.length === 0 ? applying : nestedFields([...applying, ...deeper], fields);
}

// Properties of one object: fields of its own, and a nested object for each group.
function membersOf(chosen, fields, prefix, name, aliases) {
  const own = chosen.filter((field) => isOwn(field, prefix)).map((field) => property(field, prefix, valueType(field)));
  const groups = new Set(chosen.filter((field) => !isOwn(field, prefix)).map((field) => groupOf(field, prefix)));
  const nested = [...groups].map((group) => {
    const inner = `${prefix}${group}.`;
    const inside = nestedFields(chosen.filter((field) => field.name.startsWith(inner)), fields);
    const alias = `${name.replace(/Options$/, '')}${pascal(group)}`;
    const text = objectType(inside.map(withoutOuter(inside)), inner, alias, aliases);
    if (!aliases.some((each) => each.name === alias && each.text === text)) aliases.push({ name: alias, text, doc: comment([groupDoc(inside, inner)]) });
    return `${comment([groupDoc(inside, inner)], '  ')}  ${group}${inside.some(isNeeded(inside)) ? '' : '?'}: ${alias};\n`;
  });
  return own.join('') + nested.join('');
}

// What a group is for: what its type says, or what its members are.
function groupDoc(fields, prefix) {
  const own = [...new Map(fields.filter((field) => isOwn(field, prefix)).map(({ name, doc }) => [name.slice(prefix.length), doc]))];
  const [[first, doc]] = own;
  return first === 'type' ? sentence(doc) : sentence(own.map(([name, text]) => `\`${name}\`: ${text.replace(/\.$/, '')}`).join('; '));
}

// A condition that was dealt with further out is no condition inside.
function withoutOuter(inside) {
  const names = new Set(inside.map((field) => field.name));
  return (field) => (field.condition !== undefined && !names.has(field.condition.field) ? { ...field, condition: undefined } : field);
}

// Whether a field has to be given whatever the others are.
function isNeeded(fields) {
  return ({ required, condition }) => {
    const owner = fields.find((field) => field.name === condition?.field);
    return required && (owner === undefined || condition.values.includes(owner.default));
  };
}

function property(field, prefix, type) {
  const key = field.name.slice(prefix.length);
  const range = rangeText(field);
  const doc = comment([sentence(field.doc), range === '' ? '' : sentence(pascal(range)), defaultText(field)].filter(Boolean), '  ');
  return `${doc}  ${key}${field.required ? '' : '?'}: ${type};\n`;
}

function valueType(field) {
  switch (field.type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'list':
      return 'readonly number[] | Float32Array | Float64Array';
    default:
      // A choice that can be off can be switched on and off.
      return [...(field.choices[0] === 'off' ? ['boolean'] : []), ...field.choices.map(literal)].join(' | ');
  }
}

function literal(value) {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function isOwn(field, prefix) {
  return !field.name.slice(prefix.length).includes('.');
}

function groupOf(field, prefix) {
  return field.name.slice(prefix.length).split('.')[0];
}

function braces(members) {
  return members === '' ? '{}' : `{\n${members}}`;
}

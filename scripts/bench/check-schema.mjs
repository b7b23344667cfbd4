// Whether a value is what a JSON Schema says, for as much of the language as report.schema.json uses.

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isOfType = (value, type) => (type === 'integer' ? Number.isInteger(value) : kindOf(value) === type);

/** What is wrong with the value, one line for each fault: "rows/0/bytes: not a number". */
export function faultsOf(value, schema, root = schema, path = '') {
  const at = path || 'the report';
  if (schema.$ref) return faultsOf(value, root.$defs[schema.$ref.split('/').pop()], root, path);
  if (schema.const !== undefined) return value === schema.const ? [] : [`${at}: not ${JSON.stringify(schema.const)}`];
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${at}: none of ${schema.enum.join(', ')}`];
  if (schema.type && !isOfType(value, schema.type)) return [`${at}: not of type ${schema.type}`];
  if (schema.minimum !== undefined && !(value >= schema.minimum)) return [`${at}: below ${schema.minimum}`];
  const below = (name) => (path ? `${path}/${name}` : String(name));
  if (schema.type === 'array') return value.flatMap((item, i) => faultsOf(item, schema.items ?? {}, root, below(i)));
  if (schema.type !== 'object') return [];
  const { properties = {}, required = [], additionalProperties = true } = schema;
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${below(name)}: missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (known === false) return [`${below(name)}: unknown`];
      return known === true ? [] : faultsOf(member, known, root, below(name));
    }),
  ];
}

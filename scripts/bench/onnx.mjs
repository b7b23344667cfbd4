// Models for onnxruntime-web, written as protocol buffers by the field numbers of onnx.proto: a graph of a few nodes with
// float tensors, and constants that may be 64-bit integers too. Only what the benchmark needs.

const encoder = new TextEncoder();

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
const join = (parts) => {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};
const number = (field, value) => varint(field * 8).concat(varint(value));
const bytes = (field, content) => join([varint(field * 8 + 2), varint(content.length), content]);
const string = (field, text) => bytes(field, encoder.encode(text));
const message = (field, ...parts) => bytes(field, join(parts));
const float = (field, value) => join([varint(field * 8 + 5), new Uint8Array(new Float32Array([value]).buffer)]);

const floatType = 1;
const int64Type = 7;

function attribute([name, value]) {
  const parts = Number.isInteger(value)
    ? [number(3, value), number(20, 2)]
    : Array.isArray(value) ? [...value.map((item) => number(8, item)), number(20, 7)] : [float(2, value), number(20, 1)];
  return message(5, string(1, name), ...parts);
}

const node = ({ type, inputs, outputs, attributes = {} }) =>
  message(1, ...inputs.map((name) => string(1, name)), ...outputs.map((name) => string(2, name)), string(4, type), ...Object.entries(attributes).map(attribute));

const initializer = ([name, { data, shape }]) =>
  message(5, ...shape.map((extent) => number(1, extent)), number(2, data instanceof BigInt64Array ? int64Type : floatType), string(8, name),
    bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)));

const value = (field) => ([name, shape]) =>
  message(field, string(1, name), message(2, message(1, number(1, floatType), message(2, ...shape.map((extent) => message(1, number(1, extent)))))));

/** The bytes of a model; `inputs` and `outputs` are { name: shape }, `constants` { name: { data, shape } }. */
export function model({ opset, nodes, inputs, outputs, constants = {} }) {
  return join([
    number(1, 10),
    message(7, ...nodes.map(node), string(2, 'g'), ...Object.entries(constants).map(initializer),
      ...Object.entries(inputs).map(value(11)), ...Object.entries(outputs).map(value(12))),
    message(8, string(1, ''), number(2, opset)),
  ]);
}

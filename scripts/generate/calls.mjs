// generated/calls.ts: writers of the call frames, so that offsets are those of the C++ structs.
import { header, pascal } from './text.mjs';

const types = { pointer: 'number', integer: 'number', number: 'number', positions: 'PositionRows' };

export function callsFile({ calls }) {
  return `${header}
import type { Views } from '../core.js';

/** Where frames are written. Views are taken when the call is complete: making it may have grown the memory. */
export interface FrameMemory {
  readonly frame: number;
  readonly views: Views;
}
${calls.map(callText).join('')}`;
}

function callText({ name, bytes, slots }) {
  const type = pascal(name);
  const members = slots.map((slot) => `  ${slot.name}: ${types[slot.type]};\n`).join('');
  const writer = slots.some((slot) => slot.type === 'positions') ? framed(type, slots) : part(type, slots);
  // Frames contain positions; positions stand inside a frame.
  const size = slots.some((slot) => slot.type === 'positions') ? `export const ${name}Bytes = ${bytes};\n\n` : '';
  return `\nexport interface ${type} {\n${members}}\n\n${size}${writer}`;
}

function framed(type, slots) {
  return `export function write${type}(memory: FrameMemory, call: ${type}): void {
  const { views, frame } = memory;
${slots.map((slot) => `  ${store(slot, 'frame', 'call')}\n`).join('')}}
`;
}

function part(type, slots) {
  return `function write${type}({ i32, f64 }: Views, at: number, call: ${type}): void {
${slots.map((slot) => `  ${store(slot, 'at', 'call').replace('views.', '')}\n`).join('')}}
`;
}

function store({ name, type, offset }, base, call) {
  const at = offset === 0 ? base : `${base} + ${offset}`;
  const sum = offset === 0 ? base : `(${at})`;
  switch (type) {
    case 'number':
      return `views.f64[${sum} >>> 3] = ${call}.${name};`;
    case 'positions':
      return `writePositionRows(views, ${at}, ${call}.${name});`;
    default:
      return `views.i32[${sum} >>> 2] = ${call}.${name};`;
  }
}

/** What JSON.parse lets through and a header must not have: two keys of one name, and nesting without end. */
import { PosencError } from '../errors.js';

const [kQuote, kBackslash, kColon] = [0x22, 0x5c, 0x3a];
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** A JSON object whose values nest at most `depth` deep, itself included; no object in it has a key twice. */
export function parseObject(text: string, depth: number, parameter: string): Record<string, unknown> {
  const refuse = (received: string): PosencError => new PosencError('invalidType', parameter, received, 'a JSON object of tensors by name');
  const fault = findFault(text, depth);
  if (fault !== undefined) throw refuse(fault);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Below.
  }
  throw refuse('a header that is no JSON object');
}

/** One pass that knows strings, brackets and keys; what else may be wrong is left to JSON.parse. */
function findFault(text: string, depth: number): string | undefined {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') {
      if (open.push(char === '{' ? new Set() : null) > depth) return `a header nested more than ${depth} deep`;
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      if (followedByColon(text, end)) {
        const key = decoded(text.slice(at, end));
        const keys = open.at(-1);
        if (keys?.has(key)) return `a header with two of ${JSON.stringify(key.slice(0, 60))}`;
        keys?.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Behind the closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === kBackslash) at++;
    else if (code === kQuote) return at + 1;
  }
  return text.length;
}

function followedByColon(text: string, from: number): boolean {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === kColon;
}

/** A key without its escapes: "a" and "\u0061" are one. */
function decoded(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}

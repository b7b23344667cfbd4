// generated/errors.ts: the codes of the C++ library.
import { header, quoted } from './text.mjs';

export function errorsFile({ errorCodes }) {
  return `${header}
/** Codes of the C++ library, in the order of its enum. */
export const coreErrorCodes = [
${errorCodes.map((code) => `  ${quoted(code)},\n`).join('')}] as const;

export type CoreErrorCode = (typeof coreErrorCodes)[number];
`;
}

// generated/errors.ts: the codes of the C++ library.
import { header, quoted } from './text.mjs';

export function errorsFile({ errorCodes }) {
  return `${header}
/** Codes of the C++ library. */
export type CoreErrorCode =
${errorCodes.map((code) => `  | ${quoted(code)}`).join('\n')};

/** @internal In the order of its enum. */
export const coreErrorCodes: readonly CoreErrorCode[] = [
${errorCodes.map((code) => `  ${quoted(code)},\n`).join('')}];
`;
}

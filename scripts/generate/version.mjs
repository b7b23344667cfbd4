// generated/version.ts: the package's version.
import { header, quoted } from './text.mjs';

export function versionFile(version) {
  return `${header}
export const version = ${quoted(version)};
`;
}

// What other scripts and the tests use of this folder.
export { Case } from './case.mjs';
export { idsOfGolden } from './cases/index.mjs';
export { difference, goldenBounds, relativeBound } from './compare.mjs';
export { findCases } from './files.mjs';
export { runCase, selected, summary } from './run.mjs';

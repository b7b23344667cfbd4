import { load } from '/node_modules/posenc/dist/index.js';
import { check } from '/check.mjs';

check(load, { workers: 1 }).then((variant) => postMessage({ variant }), (error) => postMessage({ error: String(error) }));

import { load } from 'posenc';
import { check } from '../check.mjs';

check(load).then((variant) => postMessage({ variant }), (error) => postMessage({ error: String(error) }));

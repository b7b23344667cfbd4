import { load } from 'posenc/inline';
import { check } from '../check.mjs';

globalThis.result = check(load);

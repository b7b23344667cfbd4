export { runCase } from './api.mjs';

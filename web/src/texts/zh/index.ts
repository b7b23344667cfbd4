// 简体中文: English text → Chinese, by what the texts belong to.
import { controls } from './controls.js';
import { pages } from './pages.js';
import { pictures } from './pictures.js';

export const texts: Readonly<Record<string, string>> = { ...pages, ...controls, ...pictures };

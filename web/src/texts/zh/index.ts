// 简体中文: English text → Chinese, by what the texts belong to. The glossary is loaded on its own page alone.
import { encodings } from './encodings.js';
import { controls } from './controls.js';
import { options } from './options.js';
import { pages } from './pages.js';
import { pictures } from './pictures.js';
import { tools } from './tools.js';
import { words } from './words.js';

export const texts: Readonly<Record<string, string>> = { ...encodings, ...options, ...words, ...pages, ...controls, ...pictures, ...tools };

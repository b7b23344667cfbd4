// Chinese notes on an encoding: prose from src/texts/zh/notes, and what is no prose from the English page. Of the table of
// options, what the catalogue says of them stands in place of the page's words, as that is translated for the controls.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

interface Section {
  title: string;
  body: string;
}

/** Reference and code, which stay as they are: their headings in Chinese. */
const kept: Readonly<Record<string, string>> = { Parameters: '参数', Accuracy: '精度', Example: '示例', Source: '来源', Sources: '来源' };

/** What stands before the first heading of the second level, and the sections. */
function sectionsOf(text: string): { opening: string; sections: Section[] } {
  const [opening = '', ...rest] = text.replace(/^# .*\n/, '').split(/^## /m);
  const sections = rest.map((part) => {
    const end = part.indexOf('\n');
    return { title: part.slice(0, end).trim(), body: part.slice(end + 1) };
  });
  return { opening, sections };
}

/** The formulas that a page begins with. */
const formulasOf = (opening: string): string => /^\s*(?:\$\$[^$]+\$\$\s*)+/.exec(opening)?.[0] ?? '';

const english = (body: string): string => `<div lang="en">\n\n${body.trim()}\n\n</div>\n\n`;

/** What an option means, in Chinese; undefined where that is not known. */
export type Meaning = (option: string) => string | undefined;

const heads: Readonly<Record<string, string>> = { option: '选项', meaning: '含义', default: '默认值' };
const defaults: Readonly<Record<string, string>> = { required: '必填', none: '无' };

const cellsOf = (row: string): string[] => row.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
/** A bar or a star of a text is none of Markdown's, and what looks like a tag is text. */
const plain = (text: string): string => text.replace(/[\\|*_`$<]/g, '\\$&');

/** A row of the table of options: several options of one row mean one thing each. Words with a link stay, as the link is theirs. */
function translateRow(row: string, meaning: Meaning): string {
  const [names = '', text = '', byDefault = ''] = cellsOf(row);
  const meanings = [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => meaning(name!));
  const known = meanings.length > 0 && meanings.every((one) => one !== undefined) && !text.includes('](');
  const shown = known ? plain([...new Set(meanings)].join('；')) : `<span lang="en">${text}</span>`;
  return rowOf([names, shown, defaults[byDefault] ?? byDefault]);
}

/** The section on parameters: its table of options in Chinese, what stands around it in English. */
function translateOptions(body: string, meaning: Meaning): string {
  const found = /^\| option \| meaning \| default \|\n\|[-| ]+\|\n((?:\|.*\|\n)+)/m.exec(body);
  if (!found) return english(body);
  const [before, after] = [body.slice(0, found.index), body.slice(found.index + found[0].length)].map((part) => (part.trim() ? english(part) : ''));
  const rows = found[1]!.trim().split('\n').map((row) => translateRow(row, meaning));
  return `${before}${[rowOf(Object.values(heads)), rowOf(['---', '---', '---']), ...rows].join('\n')}\n\n${after}`;
}

/** Markdown of the Chinese page: its sections stand for those of the English page that are not kept, one by one. */
export function joinNotes(chinese: string, page: string, meaning: Meaning): string {
  const [own, other] = [sectionsOf(chinese), sectionsOf(page)];
  const translated = [...own.sections];
  const parts = other.sections.map(({ title, body }) => {
    const name = kept[title];
    if (name) return `## ${name}\n\n${title === 'Parameters' ? translateOptions(body, meaning) : english(body)}`;
    const section = translated.shift();
    if (!section) throw new Error(`the Chinese notes have no section for "${title}"`);
    return `## ${section.title}\n\n${section.body}`;
  });
  if (translated.length > 0) throw new Error(`the English page has no section for "${translated[0]!.title}"`);
  return `${formulasOf(other.opening)}\n${own.opening}\n${parts.join('\n')}`;
}

const place = /[/\\]texts[/\\]zh[/\\]notes[/\\](\w+\.md)$/;

/** The Markdown of a module: of Chinese notes the joined page, of any other file its text. `watch` gets the files behind it. */
export async function readNotes(file: string, meaningsOf: (id: string) => Promise<Meaning>, watch: (file: string) => void): Promise<string> {
  const text = await readFile(file, 'utf8');
  const name = place.exec(file)?.[1];
  if (!name) return text;
  const source = path.resolve(path.dirname(file), '../../../../../docs/encodings', name);
  watch(source);
  try {
    return joinNotes(text, await readFile(source, 'utf8'), await meaningsOf(path.basename(name, '.md')));
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}

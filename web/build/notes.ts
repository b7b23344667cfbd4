// Chinese notes on an encoding: prose from src/texts/zh/notes, and what is no prose from the English page. Of the table of
// options, what the catalogue says of them stands in place of the page's words, as that is translated for the controls; the
// notes' own table has the rows that the catalogue does not know, and defaults that are words.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

interface Section {
  title: string;
  body: string;
}

/** Code and references, which stay as they are: their headings in Chinese. */
const kept: Readonly<Record<string, string>> = { Example: '示例', Source: '来源', Sources: '来源' };
/** The section that has the table of options, there and here. */
const [parameters, ownParameters] = ['Parameters', '参数'];

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

/** What a row of the table of options is about: its options, or the page that it links to. */
function subjectOf(names: string): string[] {
  const options = [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!);
  return options.length > 0 ? options : [...names.matchAll(/\]\(([^)]+)\)/g)].map(([, page]) => page!);
}

/** Whether there is more than code, formulas and names. */
const saysWords = (text: string): boolean => /\b[a-z]{2,}\b/.test(text.replace(/`[^`]*`|\$[^$]*\$/g, ''));

/** A row of the table of options in Chinese: the notes' own, or what the catalogue says; several options of one row mean one thing each. */
function translateRow(row: string, own: readonly string[] | undefined, meaning: Meaning): string {
  const [names = '', text = '', byDefault = ''] = cellsOf(row);
  const [ownNames, ownText, ownDefault] = own ?? [];
  const meanings = subjectOf(names).map(meaning);
  const known = meanings.length > 0 && meanings.every((one) => one !== undefined) && !text.includes('](');
  if (!ownText && !known) throw new Error(`the Chinese notes do not say what ${names} means`);
  const value = ownDefault ?? defaults[byDefault] ?? byDefault;
  if (saysWords(value)) throw new Error(`the Chinese notes do not say what the default "${byDefault}" of ${names} is`);
  return rowOf([ownNames ?? names, ownText || plain([...new Set(meanings)].join('；')), value]);
}

const optionTable = (head: string): RegExp => new RegExp(`^\\| ${head} \\|\n\\|[-| ]+\\|\n((?:\\|.*\\|\n)+)`, 'm');
const headOf = (titles: readonly string[]): string => titles.join(' \\| ');
const rowsOf = (table: RegExpExecArray | null): string[] => table?.[1]!.trim().split('\n') ?? [];

/** The section on parameters: the page's table of options in Chinese, and after it what the notes say. */
function joinOptions(own: string, page: string, meaning: Meaning): string {
  const ownTable = optionTable(headOf(Object.values(heads))).exec(own);
  const ownRows = new Map(rowsOf(ownTable).map((row) => [subjectOf(cellsOf(row)[0]!).join(), cellsOf(row)]));
  const rows = rowsOf(optionTable(headOf(Object.keys(heads))).exec(page)).map((row) => {
    const subject = subjectOf(cellsOf(row)[0]!).join();
    const found = ownRows.get(subject);
    ownRows.delete(subject);
    return translateRow(row, found, meaning);
  });
  if (ownRows.size > 0) throw new Error(`the English page has no option ${[...ownRows.keys()].join(' or ')}`);
  const table = rows.length > 0 ? [rowOf(Object.values(heads)), rowOf(['---', '---', '---']), ...rows].join('\n') : '';
  return `${table}\n\n${own.replace(ownTable?.[0] ?? '', '').trim()}\n\n`;
}

/** Markdown of the Chinese page: its sections stand for those of the English page that are not kept, one by one. */
export function joinNotes(chinese: string, page: string, meaning: Meaning): string {
  const [own, other] = [sectionsOf(chinese), sectionsOf(page)];
  const ownOptions = own.sections.find(({ title }) => title === ownParameters);
  const translated = own.sections.filter((section) => section !== ownOptions);
  const parts = other.sections.map(({ title, body }) => {
    const name = kept[title];
    if (name) return `## ${name}\n\n${english(body)}`;
    if (title === parameters) return `## ${ownParameters}\n\n${joinOptions(ownOptions?.body ?? '', body, meaning)}`;
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

// Chinese notes on an encoding: prose from src/texts/zh/notes, and what is no prose from the English page.
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

/** Markdown of the Chinese page: its sections stand for those of the English page that are not kept, one by one. */
export function joinNotes(chinese: string, page: string): string {
  const [own, other] = [sectionsOf(chinese), sectionsOf(page)];
  const translated = [...own.sections];
  const parts = other.sections.map(({ title, body }) => {
    const name = kept[title];
    if (name) return `## ${name}\n\n${english(body)}`;
    const section = translated.shift();
    if (!section) throw new Error(`the Chinese notes have no section for "${title}"`);
    return `## ${section.title}\n\n${section.body}`;
  });
  if (translated.length > 0) throw new Error(`the English page has no section for "${translated[0]!.title}"`);
  return `${formulasOf(other.opening)}\n${own.opening}\n${parts.join('\n')}`;
}

const place = /[/\\]texts[/\\]zh[/\\]notes[/\\](\w+\.md)$/;

/** The Markdown of a module: of Chinese notes the joined page, of any other file its text. `watch` gets the files behind it. */
export async function readNotes(file: string, watch: (file: string) => void): Promise<string> {
  const text = await readFile(file, 'utf8');
  const name = place.exec(file)?.[1];
  if (!name) return text;
  const source = path.resolve(path.dirname(file), '../../../../../docs/encodings', name);
  watch(source);
  try {
    return joinNotes(text, await readFile(source, 'utf8'));
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}

// Every text of the site that another language has to have: read from its sources and its pages.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const web = fileURLToPath(new URL('../../../web/', import.meta.url));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)).filter((name) => name.endsWith('.ts'));
}

/** Functions that show a text, and those whose argument that is a sentence describes a control. */
const shows = new Set(['t', 'say']);
const describes = new Set(['whole', 'choice', 'indexSetting']);
/** Members of objects that are shown in the page's language. */
const shownMembers = new Set(['doc', 'defaultDoc']);

/** The literals of an expression; a name stands for the constant of that name in the file. */
function literals(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue, constants), ...literals(node.whenFalse, constants)];
  if (ts.isBinaryExpression(node)) return [...literals(node.left, constants), ...literals(node.right, constants)];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return literals(node.expression, constants);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((element) => literals(element, constants));
  const known = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  return known ? literals(known, new Map()) : [];
}

export function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  const constants = new Map<string, ts.Expression>();
  const found: string[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      if (ts.isIdentifier(node.name)) constants.set(node.name.text, node.initializer);
      else if (ts.isArrayBindingPattern(node.name)) {
        for (const element of node.name.elements) if (ts.isBindingElement(element) && ts.isIdentifier(element.name)) constants.set(element.name.text, node.initializer);
      }
    }
    ts.forEachChild(node, collect);
  };
  collect(source);
  // [a, b] = list: the names stand for what the list's constant holds.
  for (const [name, value] of constants) {
    const list = ts.isIdentifier(value) ? constants.get(value.text) : undefined;
    if (list) constants.set(name, list);
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [first, second] = node.arguments;
      if (shows.has(node.expression.text)) found.push(...[node.expression.text === 'say' ? second : first].flatMap((one) => (one ? literals(one, constants) : [])));
      if (describes.has(node.expression.text)) found.push(...node.arguments.flatMap((one) => literals(one, new Map())).filter((text) => text.includes(' ')));
    }
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && shownMembers.has(node.name.text)) found.push(...literals(node.initializer, constants));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter((text) => /[A-Za-z]/.test(text));
}

/** Texts in the code of the site. */
export function codeTexts(): string[] {
  const files = filesBelow(path.join(web, 'src')).filter((file) => !file.includes(`${path.sep}zh${path.sep}`));
  return [...new Set(files.flatMap(textsOf))];
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();
const blocks = 'title|h1|h2|h3|p|a|button|label|legend|dt|dd|th|li|summary|noscript';

/** Texts in the pages as they are built, or in some of them. */
export function pageTexts(of: (page: string) => boolean = () => true): string[] {
  const folder = path.join(web, 'dist');
  const found = readdirSync(folder).filter((name) => name.endsWith('.html') && of(name)).flatMap((name) => {
    const html = readFileSync(path.join(folder, name), 'utf8');
    const elements = [...html.matchAll(new RegExp(`<(${blocks}|span)\\b[^>]*>((?:(?!</?(?:${blocks})\\b)[^])*?)</\\1>`, 'g'))].map((match) => match[2]!);
    const attributes = [...html.matchAll(/(?:aria-label|placeholder|name="description" content)="([^"]*)"/g)].map((match) => match[1]!);
    return [...elements, ...attributes];
  });
  return [...new Set(found.map(tidy))].filter((text) => /[a-z]{2}/i.test(text) && !/^<(svg|span)/.test(text));
}

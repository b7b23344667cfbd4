// Building elements without a framework.

type Properties<T> = { [K in keyof T as T[K] extends string | number | boolean | null ? K : never]?: T[K] };

/** Attributes to set where a property does not exist. */
interface Extras {
  attributes?: Record<string, string>;
}

export type Child = Node | string;

/** An element with properties set and children appended. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<HTMLElementTagNameMap[K]> & Extras = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const { attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function setAttributes(element: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** An SVG element with attributes set and children appended. */
export function makeSvg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

export interface SvgPart {
  tag: keyof SVGElementTagNameMap;
  attributes: Record<string, string | number>;
}

/** Makes these parts the children of `parent`. Elements are kept where they can be, and change only where they differ. */
export function setParts(parent: SVGElement, parts: readonly SvgPart[]): SVGElement[] {
  const old = [...parent.children] as SVGElement[];
  const isSame = parts.length === old.length && parts.every(({ tag }, i) => old[i]!.localName === tag);
  if (!isSame) parent.replaceChildren(...parts.map(({ tag }) => makeSvg(tag)));
  const elements = [...parent.children] as SVGElement[];
  for (const [i, { attributes }] of parts.entries()) {
    for (const [name, value] of Object.entries(attributes)) setAttribute(elements[i]!, name, String(value));
  }
  return elements;
}

/** A copy without styles and classes: a page's policy may forbid the ones, and the others mean nothing elsewhere. */
export function plainCopy(element: Element): SVGElement {
  const copy = document.createElementNS(svgNamespace, element.tagName);
  for (const { name, value } of element.attributes) if (name !== 'style' && name !== 'class') copy.setAttribute(name, value);
  copy.append(...[...element.children].map(plainCopy));
  return copy;
}

/** The element with that id, which the page's HTML must hold. */
export function find<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return element;
}

/** Sets the element's text unless it has it: the browser lays out anew after every change, even to the same. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute unless it is that already. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Runs `task` once before the next frame, however often it is asked for in between. */
export function oncePerFrame(task: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      task();
    });
  };
}

const rest = 120;

/** Runs what it is given once nothing more has come for a moment: for what may wait until a slider rests. */
export function whenAtRest(): (task: () => void) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (task) => {
    clearTimeout(waiting);
    waiting = setTimeout(task, rest);
  };
}

// HTML made at build time, put into the page.
import { onResize } from './resize.js';

/** Replaces the element's content; styles kept as `data-style` are set one by one, as the security policy asks. */
export function setMarkup(element: HTMLElement, html: string): void {
  element.innerHTML = html;
  for (const styled of element.querySelectorAll<HTMLElement>('[data-style]')) {
    styled.style.cssText = styled.dataset['style'] ?? '';
  }
  watchScrollers(element);
}

function offerScrolling(box: Element): void {
  if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0');
  else box.removeAttribute('tabindex');
}

/** Gives formulas, code and tables that are wider than their place a stop for the keyboard, to scroll them. */
export function watchScrollers(within: HTMLElement): void {
  for (const box of within.querySelectorAll('.formula, pre, .table-scroll')) onResize(box, () => offerScrolling(box));
}

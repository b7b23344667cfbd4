// HTML made at build time, put into the page.

/** Replaces the element's content; styles kept as `data-style` are set one by one, as the security policy asks. */
export function setMarkup(element: HTMLElement, html: string): void {
  element.innerHTML = html;
  for (const styled of element.querySelectorAll<HTMLElement>('[data-style]')) {
    styled.style.cssText = styled.dataset['style'] ?? '';
  }
  watchScrollers(element);
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

/** Gives formulas, code and tables that are wider than their place a stop for the keyboard, to scroll them. */
export function watchScrollers(within: HTMLElement): void {
  for (const box of within.querySelectorAll('.formula, pre, .table-scroll')) resized.observe(box);
}

// HTML made at build time, put into the page.

/** Replaces the element's content; styles kept as `data-style` are set one by one, as the security policy asks. */
export function setMarkup(element: HTMLElement, html: string): void {
  element.innerHTML = html;
  for (const styled of element.querySelectorAll<HTMLElement>('[data-style]')) {
    styled.style.cssText = styled.dataset['style'] ?? '';
  }
}

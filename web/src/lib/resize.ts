// Telling of an element that has another size.

/**
 * Calls back in the frame after an element's size has changed, and once to begin with. Not at once: what is done then may
 * change sizes again, which engines report as an error.
 */
export function onResize(element: Element, then: () => void): void {
  new ResizeObserver(() => void requestAnimationFrame(then)).observe(element);
}

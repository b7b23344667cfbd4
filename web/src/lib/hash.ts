// The page's state in the address, "#id=rope&headDim=64", so that what is shown can be linked to.

/** Names and values behind the #. */
export function readHash(): Map<string, string> {
  return new Map(new URLSearchParams(location.hash.slice(1)));
}

/** "#a=1&b=2", with commas and dots left readable. */
export function formatHash(state: Iterable<readonly [string, string]>): string {
  const text = new URLSearchParams([...state].map(([name, value]) => [name, value])).toString();
  return text ? `#${text.replaceAll('%2C', ',')}` : '';
}

const delay = 200;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Replaces the address a moment later: a slider moves faster than browsers let a page change its address.
 * An address that the visitor gave meanwhile stays: browsers tell of it late, maybe after this moment.
 */
export function writeHash(state: Iterable<readonly [string, string]>): void {
  const hash = formatHash(state);
  const before = location.hash;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (location.hash === before && hash !== before) history.replaceState(null, '', hash || location.pathname + location.search);
  }, delay);
}

/** Calls `listener` when the visitor changes the address: a link, the back button, an edit. */
export function onHashChange(listener: () => void): void {
  addEventListener('hashchange', () => {
    clearTimeout(timer);
    listener();
  });
}

// Going from encoding to encoding on one page, as a visitor does: loading it anew for each takes longer than all the rest.
import type { CatalogEncoding } from 'posenc/catalog';
import type { Watched } from './site.js';

/** Small pictures, so that a walk through all encodings does not take long. */
export const small = 'show.length=12&show.frames=2&show.rows=3&show.columns=4&show.tokens=random';

/** Opens another encoding on the page of encodings, by its address. */
export async function goTo({ page }: Watched, { id, title }: CatalogEncoding, state = ''): Promise<void> {
  await page.evaluate((hash) => {
    document.querySelector('#notes')?.replaceChildren();
    location.hash = hash;
  }, `id=${id}${state}`);
  await page.waitForFunction((text) => document.querySelector('h1')?.textContent === text && document.querySelector('#lead [data-key]'), title);
}

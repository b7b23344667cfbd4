// What public/start.js loads where Chinese is wanted, beside the page's own code and before it has come: translates the
// HTML as soon as it is there, so that the first paint need not wait, and asks for the page's other texts.
import { pageName, translatePage } from '../../lib/translate.js';
import { always, textsOf } from './index.js';

async function begin(): Promise<void> {
  const page = pageName();
  const all = textsOf(page);
  // The glossary is all HTML, the benchmark mostly; other pages have nothing in theirs that is not in the first tables.
  translatePage(page === 'glossary' || page === 'benchmark' ? await all : always);
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', () => void begin(), { once: true });
else void begin();

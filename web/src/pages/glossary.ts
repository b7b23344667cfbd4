// The glossary: text alone.
import { startPage } from '../lib/page.js';

startPage();

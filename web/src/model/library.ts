// The library, loaded once per page.
import { load, PosencError, type Posenc } from 'posenc';
import { said, t } from '../lib/language.js';

let loading: Promise<Posenc> | undefined;

export function library(): Promise<Posenc> {
  loading ??= load();
  return loading;
}

/** What to tell the visitor about an error: PosencError says what was wrong, anything else is a fault of the page. */
export function explain(error: unknown): string {
  if (!(error instanceof PosencError)) throw error;
  return t('{0}: received {1}, allowed {2}', error.parameter, said(error.received), said(error.allowed));
}

import { load } from 'posenc';
import { check } from '../check.mjs';

// Rendered on the server while the project is built.
export default async function Page() {
  return <p>{`page: ${await check(load)}`}</p>;
}

import { load } from 'posenc';
import { check } from '../../../check.mjs';

// Computed on the server at each request, with a pool too.
export async function GET(request) {
  const posenc = await load();
  const dim = Number(new URL(request.url).searchParams.get('dim'));
  const row = Array.from(posenc.sinusoidal({ dim }).encode([1]).data);
  return Response.json({ row, variant: await check(load, { workers: 1 }) });
}

// A report in a link: deflated, behind the #, so that no server ever sees it.
import { readReport, toJson, withoutSamples } from './report.js';
import type { Report } from './results.js';

const key = 'results';

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const passed = new Blob([bytes]).stream().pipeThrough(stream as TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(passed).arrayBuffer());
}

/** Times to seven digits: with four, what the table shows with three would now and then be rounded another way than there. */
const rounded = (_: string, value: unknown): unknown => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(7)) : value);

/** "#results=..." */
export async function packReport(report: Report): Promise<string> {
  const text = JSON.stringify(JSON.parse(toJson(withoutSamples(report))), rounded);
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `#${key}=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The report of a link's end; undefined where it holds none. Throws what is wrong with it. */
export async function unpackReport(hash: string): Promise<Report | undefined> {
  const packed = new RegExp(`^#${key}=([\\w-]+)$`).exec(hash)?.[1];
  if (packed === undefined) return undefined;
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return readReport(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
}

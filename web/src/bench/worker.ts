// The benchmark's worker: the page stays at rest meanwhile. Rivals are fetched when they are asked for.
import { load } from 'posenc';
import relaxed from '../../../dist/posenc-relaxed.wasm?url';
import scalar from '../../../dist/posenc-scalar.wasm?url';
import simd from '../../../dist/posenc-simd.wasm?url';
import type { News, Order } from './results.js';
import { runSession } from './session.js';

const builds: Readonly<Record<string, string>> = { relaxed, simd, scalar };
const tell = (news: News): void => postMessage(news);

async function read(variant: string): Promise<ArrayBuffer> {
  // The scope's own address is the worker's file; addresses of builds are as it sees them.
  const answer = await fetch(new URL(builds[variant]!, import.meta.url));
  if (!answer.ok) throw new Error(`${answer.url}: HTTP status ${answer.status}`);
  return answer.arrayBuffer();
}

const rivals = {
  onnxruntime: async () => (await import('./load-ort.js')).loadOrt(),
  tfjs: async () => (await import('./load-tfjs.js')).loadTfjs(),
};

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  runSession(data, { load, read, rivals, tell }).catch((error: unknown) => tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }));
});

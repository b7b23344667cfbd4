// A static file server for 127.0.0.1: right types, nothing outside its folder, COOP and COEP if wanted.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.json': 'application/json; charset=utf-8', '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png',
  '.ico': 'image/x-icon', '.woff2': 'font/woff2', '.map': 'application/json',
};
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/**
 * Serves a folder; gives { address, close }. With port 0 the system picks a free one; a port that is taken is
 * passed over for the next free one. `headers` are added to every answer.
 */
export function serve(folder, { port = 0, isolated = false, headers = {} } = {}) {
  const always = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', ...(isolated ? isolation : {}), ...headers };
  const server = createServer((request, response) => answer(path.resolve(folder), always, request, response));
  return new Promise((resolve, reject) => {
    server.on('error', (error) => {
      if (error.code === 'EADDRINUSE' && port !== 0) server.listen(0, '127.0.0.1');
      else reject(error);
    });
    server.on('listening', () => resolve({
      address: `http://127.0.0.1:${server.address().port}/`,
      close: () => new Promise((done) => (server.closeAllConnections(), server.close(done))),
    }));
    server.listen(port, '127.0.0.1');
  });
}

function answer(folder, headers, request, response) {
  const end = (status, text) => response.writeHead(status, { ...headers, 'Content-Type': types['.txt'] }).end(`${text}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'Only GET and HEAD');
  const asked = requestedFile(folder, request.url);
  if (!asked) return end(400, 'Bad request');
  const found = withIndex(asked);
  if (!found) return end(404, 'Not found');
  response.writeHead(200, { ...headers, 'Content-Type': types[path.extname(found.file)] ?? 'application/octet-stream', 'Content-Length': found.size });
  if (request.method === 'HEAD') return response.end();
  createReadStream(found.file).on('error', () => response.destroy()).pipe(response);
}

function requestedFile(folder, url) {
  try {
    const name = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const file = path.join(folder, name);
    return !name.includes('\0') && (file === folder || file.startsWith(folder + path.sep)) ? file : undefined;
  } catch {
    return undefined;
  }
}

function withIndex(file) {
  try {
    const status = statSync(file);
    if (status.isFile()) return { file, size: status.size };
    return status.isDirectory() ? withIndex(path.join(file, 'index.html')) : undefined;
  } catch {
    return undefined;
  }
}

// An encoding for as long as a function needs it.

/** @param {{ dispose(): void }} encoding @param {(encoding: object) => void} body */
export function using(encoding, body) {
  try {
    body(encoding);
  } finally {
    encoding.dispose();
  }
}

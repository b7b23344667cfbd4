// Hands a file to the visitor.
import { make } from './dom.js';

const keptFor = 1000;

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), keptFor);
}

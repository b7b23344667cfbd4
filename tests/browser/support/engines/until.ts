/** Tries again until something is there: not undefined, not 0, and no error; at most a minute. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    let reason: unknown = 'nothing came';
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      reason = error;
    }
    if (Date.now() > end) throw new Error(`Waited in vain: ${what} (${String(reason)})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

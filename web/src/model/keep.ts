// Results that are kept from one redraw to the next, so that only what depends on a change is computed again.

export interface Keep {
  /** What `make` gave when it was last asked for under that name, or gives now if what it depends on has changed. */
  <T>(name: string, dependsOn: readonly unknown[], make: () => T): T;
}

/** A store of results for as long as `clear` is not called. */
export function makeKeep(): { keep: Keep; clear(): void } {
  const results = new Map<string, { key: string; value: unknown }>();
  return {
    keep(name, dependsOn, make) {
      const key = JSON.stringify(dependsOn);
      const found = results.get(name);
      if (found?.key === key) return found.value as ReturnType<typeof make>;
      const value = make();
      results.set(name, { key, value });
      return value;
    },
    clear: () => results.clear(),
  };
}

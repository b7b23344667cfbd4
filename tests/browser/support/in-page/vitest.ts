// What tests import from Vitest, for a page: its own parts that run anywhere, put together without its server.
import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import { spyOn } from '@vitest/spy';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, onTestFinished, test } from '@vitest/runner';

for (const part of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(part);

export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT],
);

const replaced: [string, PropertyDescriptor | undefined][] = [];

export const vi = {
  spyOn,
  stubGlobal(name: string, value: unknown): void {
    replaced.push([name, Object.getOwnPropertyDescriptor(globalThis, name)]);
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  },
  unstubAllGlobals(): void {
    for (const [name, before] of replaced.splice(0).toReversed()) {
      Reflect.deleteProperty(globalThis, name);
      if (before) Object.defineProperty(globalThis, name, before);
    }
  },
};

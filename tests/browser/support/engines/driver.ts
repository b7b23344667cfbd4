// What the tests ask of an engine, whichever it is.

/** One tab of a browser. */
export interface Driver {
  navigate(address: string): Promise<void>;
  /** Calls a function, given as its source, with plain data in the page, and gives what it gives, also plain. */
  call(source: string, given: unknown): Promise<unknown>;
  click(css: string): Promise<void>;
  /** Types over what stands in a field. */
  type(css: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** A WebDriver command sent to a browser, whatever carries it. */
export interface Session {
  send(command: Command, parameters?: object): Promise<unknown>;
  end(): Promise<void>;
}

/** The commands that are used, with their paths below a session where HTTP carries them. */
export const commands = {
  SetTimeouts: ['POST', '/timeouts'],
  Navigate: ['POST', '/url'],
  ExecuteAsyncScript: ['POST', '/execute/async'],
  FindElement: ['POST', '/element'],
  ElementClick: ['POST', '/element/:id/click'],
  ElementClear: ['POST', '/element/:id/clear'],
  ElementSendKeys: ['POST', '/element/:id/value'],
} as const;
export type Command = keyof typeof commands;

/** Milliseconds that a script or a page may take: a busy machine is slow. */
const patience = 200_000;

const element = 'element-6066-11e4-a52e-4f735466cecf';

/** A driver of a browser that understands WebDriver. */
export async function webDriver({ send, end }: Session): Promise<Driver> {
  await send('SetTimeouts', { script: patience, pageLoad: patience, implicit: patience });
  const find = async (css: string): Promise<string> => {
    const found = (await send('FindElement', { using: 'css selector', value: css })) as Record<string, string>;
    return found[element] as string;
  };
  /** Pages that are still being laid out move under the pointer. */
  const act = async (css: string, action: (id: string) => Promise<void>): Promise<void> => {
    const end = Date.now() + 30_000;
    for (;;) {
      try {
        return await action(await find(css));
      } catch (error) {
        if (Date.now() > end || !/not interactable|intercepted|stale element/i.test(String(error))) throw error;
      }
      await new Promise((next) => setTimeout(next, 100));
    }
  };
  return {
    async navigate(address) {
      await send('Navigate', { url: address });
    },
    async call(source, given) {
      const script = `const [given, done] = arguments;
        Promise.resolve().then(() => (${source})(given)).then((value) => done({ value }), (error) => done({ error: error.message + '\\n' + error.stack }));`;
      const answer = (await send('ExecuteAsyncScript', { script, args: [given ?? null] })) as { value?: unknown; error?: string } | null;
      if (answer === null) throw new Error('unload: the page went away before it answered');
      const { value, error } = answer;
      if (error !== undefined) throw new Error(error);
      return value;
    },
    click: (css) => act(css, async (id) => void (await send('ElementClick', { id }))),
    type: (css, text) =>
      act(css, async (id) => {
        await send('ElementClear', { id });
        await send('ElementSendKeys', { id, text });
      }),
    close: end,
  };
}

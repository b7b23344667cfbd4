/** What a worker of a pool does with the messages of its page, whatever the platform. */
import { type Host, makeCore } from '../load.js';
import { makePosenc } from '../posenc.js';
import { Hand } from './hand.js';
import { Lead } from './lead.js';
import type { ToHand, ToLead, Work } from './protocol.js';

export interface Scope {
  post(message: unknown, transfer: Transferable[]): void;
  listen(heard: (message: unknown) => void): void;
}

/** Waits to be told whether to lead or to compute. Messages of others are left alone. */
export function serveScope(scope: Scope, host: Host | Promise<Host>): void {
  let lead: Lead | undefined;
  scope.listen((given) => {
    const message = (given ?? {}) as ToLead | ToHand | { kind?: undefined };
    if (message.kind === 'hand') void compute(message, scope, host);
    else if (message.kind === 'lead') lead = new Lead(scope.post, message.hands);
    else if (message.kind !== undefined) lead?.hear(message);
  });
}

async function compute({ variant, module, port }: ToHand, scope: Scope, hosting: Host | Promise<Host>): Promise<void> {
  try {
    const host = await hosting;
    const core = await makeCore(host, module ?? host.find(variant, variant));
    const hand = new Hand(core, makePosenc(core, host));
    port.onmessage = ({ data }) => {
      const done = hand.do(data as Work);
      if (done === undefined) return;
      port.postMessage(done, Object.values(done.result ?? {}).map(({ buffer }) => buffer as ArrayBuffer));
    };
  } catch (error) {
    scope.post({ failed: String(error) }, []);
  }
}

/** The worker that leads: it hands out the parts of calls, and puts results together. */
import { cutMask } from './cut.js';
import { Joined } from './join.js';
import type { Arrays, Call, Done, FromLead, MaskPlan, Part, ToLead, Work } from './protocol.js';

/** Parts that a worker has at a time, so that it need not wait for the next. */
const kAhead = 2;

interface Hand {
  readonly port: MessagePort;
  /** Calls that it was told of. */
  readonly begun: Set<number>;
  busy: number;
}

interface Job {
  readonly id: number;
  readonly call: Call;
  readonly joined: Joined;
  /** Of the parts, in order: those that have arrived. */
  readonly pieces: Arrays[];
  next: number;
  open: number;
  heads: number;
}

export type Post = (message: FromLead, transfer: Transferable[]) => void;

export class Lead {
  readonly #post: Post;
  readonly #hands: readonly Hand[];
  readonly #jobs = new Map<number, Job>();

  constructor(post: Post, ports: readonly MessagePort[]) {
    this.#post = post;
    this.#hands = ports.map((port) => ({ port, begun: new Set(), busy: 0 }));
    for (const hand of this.#hands) hand.port.onmessage = ({ data }) => this.#take(hand, data as Done);
  }

  hear(message: ToLead): void {
    if (message.kind === 'call') this.#begin(message.id, message.call);
    else if (message.kind === 'piece') this.#receive(message.id, message.tensors);
    else if (message.kind === 'abort') this.#drop(message.id);
    else if (message.kind !== 'lead') for (const { port } of this.#hands) port.postMessage(message satisfies Work);
  }

  #begin(id: number, call: Call): void {
    const { shared, parts } = call;
    const job: Job = { id, call, joined: new Joined(shared, parts), pieces: [], next: 0, open: parts.length, heads: 0 };
    this.#jobs.set(id, job);
    if (parts.length === 0) this.#finish(job);
  }

  #receive(id: number, tensors: Arrays): void {
    this.#jobs.get(id)?.pieces.push(tensors);
    this.#handOut();
  }

  #handOut(): void {
    for (const job of this.#jobs.values()) {
      while (job.next < job.pieces.length) {
        const hand = this.#hands.reduce((least, each) => (each.busy < least.busy ? each : least));
        if (hand.busy >= kAhead) return;
        this.#give(hand, job, job.next++);
      }
    }
  }

  #give(hand: Hand, job: Job, index: number): void {
    const { id, call } = job;
    if (!hand.begun.has(id)) {
      hand.begun.add(id);
      const mask = call.shared.mask && isShared(call.shared.mask) ? call.shared.mask : undefined;
      hand.port.postMessage({ kind: 'begin', id, attention: call.attention, shared: { ...call.shared, mask } } satisfies Work);
    }
    const part = call.parts[index] as Part;
    const tensors = job.pieces[index] as Arrays;
    const each = call.shared.extents.heads / call.shared.extents.kvHeads;
    const mask = call.shared.mask && cutMask(call.shared.mask, { ...part, head: part.group * each, count: part.groups * each });
    hand.busy++;
    hand.port.postMessage({ kind: 'part', id, index, part, tensors, mask } satisfies Work, Object.values(tensors).map(({ buffer }) => buffer as ArrayBuffer));
  }

  #take(hand: Hand, { id, index, result, error }: Done): void {
    hand.busy--;
    const job = this.#jobs.get(id);
    if (job !== undefined && error !== undefined) {
      this.#drop(id);
      this.#post({ id, error }, []);
    } else if (job !== undefined && result !== undefined) {
      this.#join(job, index, result);
    }
    this.#handOut();
  }

  #join(job: Job, index: number, result: Arrays): void {
    const { heads, kvHeads, batch } = job.call.shared.extents;
    const { rows, groups } = job.call.parts[index] as Part;
    job.joined.add(index, result);
    job.heads += (rows * groups * heads) / kvHeads;
    this.#post({ id: job.id, done: job.heads, total: batch * heads }, []);
    if (--job.open === 0) this.#finish(job);
  }

  #finish(job: Job): void {
    this.#drop(job.id);
    const { results } = job.joined;
    this.#post({ id: job.id, result: results }, Object.values(results).map(({ buffer }) => buffer as ArrayBuffer));
  }

  /** Parts that are under way are finished for nothing. */
  #drop(id: number): void {
    this.#jobs.delete(id);
    for (const { port, begun } of this.#hands) if (begun.delete(id)) port.postMessage({ kind: 'end', id } satisfies Work);
  }
}

function isShared(mask: MaskPlan): boolean {
  return cutMask(mask, { row: 0, rows: 1, head: 0, count: 1 }) === undefined;
}

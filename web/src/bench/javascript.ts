// The same work as loops over typed arrays: scripts/bench/by-hand.mjs has them.
import { attendFloat, digits, lowRank, sinusoidal, turnPairs } from '../../../scripts/bench/by-hand.mjs';
import { fillLine } from './say.js';
import { countOf, type Attend, type Contestant, type Rival, type Task } from './task.js';
import type { Output } from './plan.js';

function attendWith({ q, k, v, heads, count, width, bias, turn }: Attend): (out: Float32Array) => void {
  const size = { heads, count, width };
  if (!turn) return (out) => attendFloat(q, k, v, bias, size, out);
  const [turnedQ, turnedK] = [new Float32Array(q.length), new Float32Array(k.length)];
  const pairs = { heads, length: count, width, isHalf: turn.isHalf };
  return (out) => {
    turnPairs(q, turn.cos, turn.sin, pairs, turnedQ);
    turnPairs(k, turn.cos, turn.sin, pairs, turnedK);
    attendFloat(turnedQ, turnedK, v, bias, size, out);
  };
}

/** The loop for a task, which writes its whole result. */
function loopFor(task: Task): (out: Float32Array) => void {
  switch (task.kind) {
    case 'sines': {
      const { length, width, x } = task;
      return (out) => {
        sinusoidal(length, width, out);
        if (x) for (let i = 0; i < out.length; i++) out[i]! += x[i]!;
      };
    }
    case 'copy': return (out) => out.set(task.table);
    case 'digits': return (out) => digits(task.length, task.places, task.radix, task.width, task.table, out);
    case 'lowRank': return (out) => lowRank(task.coefficients, task.basis, task.length, task.rank, task.width, out);
    case 'turn': return (out) => turnPairs(task.x, task.cos, task.sin, task, out);
    case 'bias': return (out) => fillLine(task.line, task.heads, task.count, out);
    case 'attend': return attendWith(task);
  }
}

function contestant(task: Task, output: Output): Contestant {
  const write = loopFor(task);
  let out = new Float32Array(countOf(task.shape));
  const run = output === 'new' ? () => write((out = new Float32Array(out.length))) : () => write(out);
  return { run, result: () => out };
}

export const javascript: Rival = { loadTime: 0, prepare: (task, output) => Promise.resolve(contestant(task, output)) };

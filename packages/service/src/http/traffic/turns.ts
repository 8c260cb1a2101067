import type { EventEmitter } from "node:events";
import { follow, type RequestsInWork } from "@swath/base/concurrency/requests-in-work";
import { countRequest, createHeavyCallers, isHeavy, type HeavyCallers } from "./heavy-callers.ts";
import { beginSpaced, createSpacedBegins, type SpacedBegins } from "./spaced-begins.ts";

/** Requests that begin in one turn of the event loop: of one caller, and of all callers at one address. */
const PER_CALLER = 4;
const PER_ADDRESS = 16;

type Begin = () => void;

/** The answer to a request; it emits `close`. */
type Answer = EventEmitter;

/** The sender of a request, as far as it is known before its token is verified. */
export interface Sender {
  readonly address: string;
  /** Empty without one. */
  readonly authorization: string;
  /** Whether the body that it announces takes milliseconds to read: then others do not give way to its request. */
  readonly isLarge: boolean;
}

/** A request that has arrived. */
interface Arrived {
  readonly caller: string;
  readonly end: () => void;
  isHeldBack: boolean;
}

/**
 * Turns of callers on the thread that answers. Requests that arrive together begin a few at a time, and requests of other
 * callers that arrive meanwhile come between them: 300 at once would hold the loop for 60 ms.
 */
export interface Turns {
  /** Requests begun in this turn, by caller and by address. */
  readonly begun: Map<string, number>;
  /** By caller, the next turn first. */
  readonly waiting: Map<string, Begin[]>;
  readonly callers: HeavyCallers;
  /** Requests of heavy callers. */
  readonly spaced: SpacedBegins;
  /** By its answer. */
  readonly arrived: WeakMap<Answer, Arrived>;
  isScheduled: boolean;
}

export function createTurns(light?: RequestsInWork): Turns {
  return {
    begun: new Map(),
    waiting: new Map(),
    callers: createHeavyCallers(),
    spaced: createSpacedBegins(light),
    arrived: new WeakMap(),
    isScheduled: false,
  };
}

/** Begins a request: at once, or when it is its caller's turn. A heavy caller leaves time to others. */
export function beginInTurn(turns: Turns, sender: Sender, answer: Answer, begin: Begin): void {
  const caller = `${sender.address} ${sender.authorization}`;
  const nowMs = performance.now();
  countRequest(turns.callers, caller, nowMs);
  const beginWithCaller = (): void => takeTurn(turns, caller, sender.address, begin);
  const isSpaced = isHeavy(turns.callers, caller);
  const end = isSpaced ? beginSpaced(turns.spaced, caller, beginWithCaller) : followLight(turns, sender, nowMs);
  turns.arrived.set(answer, { caller, end, isHeldBack: false });
  answer.once("close", end);
  if (!isSpaced) beginWithCaller();
}

function followLight({ spaced }: Turns, { isLarge }: Sender, nowMs: number): () => void {
  return isLarge ? () => {} : follow(spaced.light, nowMs);
}

/**
 * Others do not give way to a request that is held back: it waits for something to happen. It counts as a second one, for
 * its answer comes in another turn, and with the answers of all who wait for the same.
 */
export function holdBack(turns: Turns, answer: Answer): void {
  const request = turns.arrived.get(answer);
  if (request === undefined) return;
  request.end();
  request.isHeldBack = true;
  countRequest(turns.callers, request.caller, performance.now());
}

/** Waits before the answer of a request that was held back: its caller, if it is heavy, leaves time to others here too. */
export async function answerInTurn(turns: Turns, answer: Answer): Promise<void> {
  const request = turns.arrived.get(answer);
  if (request?.isHeldBack !== true || !isHeavy(turns.callers, request.caller)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  answer.once("close", beginSpaced(turns.spaced, request.caller, resolve));
  await promise;
}

function takeTurn(turns: Turns, caller: string, address: string, begin: Begin): void {
  const { begun, waiting } = turns;
  scheduleTurn(turns);
  const queue = waiting.get(caller);
  if (queue !== undefined) {
    queue.push(begin);
    return;
  }
  const byCaller = begun.get(caller) ?? 0;
  const byAddress = begun.get(address) ?? 0;
  if (byCaller >= PER_CALLER || byAddress >= PER_ADDRESS) {
    waiting.set(caller, [begin]);
    return;
  }
  begun.set(caller, byCaller + 1).set(address, byAddress + 1);
  begin();
}

function scheduleTurn(turns: Turns): void {
  if (turns.isScheduled) return;
  turns.isScheduled = true;
  setImmediate(nextTurn, turns);
}

/** Begins the next requests of those who wait, one of each caller before the second of any. */
function nextTurn(turns: Turns): void {
  const { begun, waiting } = turns;
  turns.isScheduled = false;
  begun.clear();
  const next: Begin[] = [];
  for (const [caller, queue] of waiting) {
    if (next.length === PER_CALLER) break;
    const begin = queue.shift();
    if (begin !== undefined) next.push(begin);
    // The others of this caller wait behind every other caller; the loop comes to them again.
    waiting.delete(caller);
    if (queue.length > 0) waiting.set(caller, queue);
  }
  if (waiting.size > 0) scheduleTurn(turns);
  for (const begin of next) begin();
}

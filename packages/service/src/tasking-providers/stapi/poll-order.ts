import { ServiceError } from "@swath/kernel/errors/service-error";
import type { OrderProgress, SubmittedOrder } from "../tasking-provider.ts";
import { parseInterval } from "./interval.ts";
import { readOrder, readStatus, type StapiOrder, type StapiStatus } from "./order-document.ts";
import { decideState } from "./order-state.ts";
import { readCaptures } from "./read-captures.ts";
import { readPages } from "./read-pages.ts";
import { addressOf, ask, linkTo, mayAsk, unreadable, type Answer, type StapiPeer } from "./stapi-peer.ts";
import * as store from "./store.ts";

const MAX_STATUSES = 2000;
/** Answers of servers without a history of statuses. */
const NO_HISTORY = [404, 405, 501];
const LONGEST_PAUSE_MS = 3_600_000;

/** An order at the provider with its document. */
export interface FoundOrder {
  readonly order: StapiOrder;
  readonly answer: Answer;
}

/** @throws {ServiceError} SERVICE-UNAVAILABLE when the provider does not know the order, or tells of another */
export async function requireOrder(peer: StapiPeer, providerOrderId: string, signal: AbortSignal): Promise<FoundOrder> {
  const url = addressOf(peer, "orders", providerOrderId);
  const answer = await ask(peer, { method: "GET", url, body: null }, signal, { absent: [404, 410] });
  if (answer === null) throw unreadable(peer, url, "that there is no such order");
  const order = readOrder(answer.json);
  if (typeof order === "string") throw unreadable(peer, url, order);
  if (order.id !== providerOrderId) throw unreadable(peer, url, `the order ${order.id}`);
  return { order, answer };
}

/** The present state of an order at the provider. */
export async function pollOrder(
  peer: StapiPeer,
  order: SubmittedOrder,
  providerOrderId: string,
  signal: AbortSignal,
): Promise<OrderProgress> {
  const { order: told, answer } = await requireOrder(peer, providerOrderId, signal);
  const history = await readHistory(peer, answer, signal);
  const submission = await store.readSubmission(peer.deps.db, order.orderId);
  const { state, by, isPlanned } = decideState(told.status, history, submission?.cancel_sent_at != null);
  const captures = await readCaptures(peer, order, told, history, answer.from, signal);
  const planned = parseInterval(told.opportunityDatetime) ?? order.window;
  const scheduledMs = isPlanned ? planned.startMs : null;
  return {
    state,
    reasonCode: by.reasonCode,
    reasonText: by.reasonText,
    scheduledMs,
    captures,
    askAgainMs: nextQuestion(peer, scheduledMs),
  };
}

/** Statuses of the past, as far as the server keeps them; those that are none are left out. */
async function readHistory(peer: StapiPeer, answer: Answer, signal: AbortSignal): Promise<readonly StapiStatus[]> {
  const link = linkTo(answer, "monitor");
  if (link === null || !mayAsk(peer, link.url)) return [];
  const statuses: StapiStatus[] = [];
  const request = { method: "GET", url: link.url, body: null } as const;
  let read = 0;
  for await (const { members } of readPages(peer, request, "statuses", signal, { absent: NO_HISTORY })) {
    for (const member of members) {
      const status = readStatus(member);
      if (typeof status !== "string") statuses.push(status);
    }
    read += members.length;
    if (read > MAX_STATUSES) {
      throw new ServiceError(
        "SERVICE-UNAVAILABLE",
        `${peer.name} tells ${read} statuses of one order, expected at most ${MAX_STATUSES}`,
      );
    }
  }
  return statuses;
}

/** Rarer while a planned time is far away, an hour at most. */
function nextQuestion({ clock, settings }: StapiPeer, scheduledMs: number | null): number {
  const nowMs = clock.now().getTime();
  const usualMs = (settings.pollSeconds ?? 300) * 1000;
  const quarterMs = scheduledMs === null ? 0 : (scheduledMs - nowMs) / 4;
  return nowMs + Math.max(usualMs, Math.min(quarterMs, LONGEST_PAUSE_MS));
}

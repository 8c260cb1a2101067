import { ServiceError } from "@swath/kernel/errors/service-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import type { HttpRequest } from "@swath/raster/remote/http-transport";
import type { SubmittedOrder } from "../tasking-provider.ts";
import { decideState } from "./order-state.ts";
import { requireOrder, type FoundOrder } from "./poll-order.ts";
import { addressOf, linkTo, type StapiPeer } from "./stapi-peer.ts";
import * as store from "./store.ts";

const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Asks the provider to cancel an order. The standard has no way; the settings say which one the provider has.
 *
 * @throws {ServiceError} ILLEGAL-STATE-TRANSITION when there is no way, or the provider refuses
 */
export async function cancelOrder(
  peer: StapiPeer,
  order: SubmittedOrder,
  providerOrderId: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await requireOrder(peer, providerOrderId, signal);
  const { state } = decideState(found.order.status, [], true);
  // A repetition after the cancellation has nothing left to do.
  if (state === "cancelled") return;
  if (state !== "received" && state !== "accepted") {
    throw refused(`the order ${providerOrderId} of ${peer.name} is ${state}, expected one that has not ended`);
  }
  const way = wayOf(peer, found);
  if (way === null) throw refused(`${peer.name} offers no cancellation of the order ${providerOrderId}`);
  await store.noteCancel(peer.deps.db, order.orderId, peer.clock.now());
  const { status } = await peer.client.send({ ...way, maxBytes: MAX_ANSWER_BYTES }, signal);
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403) {
    const message = `${peer.name}: ${displayUrl(way.url)} refused with status ${status}; check the credentials of its host`;
    throw new ServiceError("SERVICE-UNAVAILABLE", message);
  }
  throw refused(`${peer.name} answered ${status} to the cancellation of the order ${providerOrderId}`);
}

function wayOf(peer: StapiPeer, { order, answer }: FoundOrder): Pick<HttpRequest, "method" | "url"> | null {
  const { cancel = "link" } = peer.settings;
  if (cancel === "delete") return { method: "DELETE", url: addressOf(peer, "orders", order.id) };
  const link = cancel === "link" ? linkTo(answer, "cancel") : null;
  return link === null ? null : { method: link.method === "DELETE" ? "DELETE" : "POST", url: link.url };
}

function refused(message: string): ServiceError {
  return new ServiceError("ILLEGAL-STATE-TRANSITION", message);
}

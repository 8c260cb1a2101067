import { CertificateError } from "@swath/base/certificate-error";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import { RefusedAddressError, type HttpResponse } from "@swath/raster/remote/http-transport";
import { RasterError } from "@swath/raster/raster-error";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import type { SubmittedOrder } from "../tasking-provider.ts";
import { findOrder } from "./find-order.ts";
import { intervalText } from "./interval.ts";
import { readOrder } from "./order-document.ts";
import { orderParameters, queryFilter } from "./order-parameters.ts";
import { addressOf, textOf, type StapiPeer } from "./stapi-peer.ts";
import * as store from "./store.ts";

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Statuses by which a provider refuses the parameters of an order. */
const REFUSALS = new Set([400, 402, 409, 410, 413, 415, 422, 451]);
/** Failures of a connection before a byte was sent. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/**
 * Orders once. STAPI has no idempotency: a note is written before the order is sent. After a lost answer the order is
 * searched for at the provider. It is sent again only when it has not appeared there within the time to settle.
 *
 * @returns the name of the order at the provider
 */
export async function submitOrder(peer: StapiPeer, order: SubmittedOrder, signal: AbortSignal): Promise<string> {
  const { clock, deps, base } = peer;
  const now = clock.now();
  if (await store.insertSubmission(deps.db, base.href, order.orderId, now)) return send(peer, order, signal);
  const row = await store.readSubmission(deps.db, order.orderId);
  if (row === null) throw unknownOutcome(peer, 1);
  if (row.refusal !== null) throw new ServiceError("BAD-REQUEST", row.refusal);
  if (row.provider_order_id !== null) return row.provider_order_id;
  const found = await adoptOrder(peer, order, row.sent_at.getTime(), signal);
  if (found !== null) return found;
  const settledMs = row.sent_at.getTime() + (peer.settings.settleMinutes ?? 10) * 60_000;
  if (now.getTime() < settledMs) throw unknownOutcome(peer, settledMs - now.getTime());
  if (!(await store.renewSubmission(deps.db, order.orderId, row.sent_at, now))) throw unknownOutcome(peer, 1000);
  return send(peer, order, signal);
}

async function send(peer: StapiPeer, order: SubmittedOrder, signal: AbortSignal): Promise<string> {
  const { db } = peer.deps;
  let response: HttpResponse;
  try {
    response = await post(peer, order, signal);
  } catch (error) {
    if (isUnsent(error)) {
      await store.deleteSubmission(db, order.orderId);
      throw unavailable(peer, "was not reached", null, error);
    }
    signal.throwIfAborted();
    throw unavailable(peer, "gave no whole answer to an order", null, error);
  }
  const json = jsonOf(response);
  const { status } = response;
  if (status >= 200 && status < 300) return keep(peer, order, orderIdOf(peer, response, json), signal);
  const told = `${displayUrl(response.url)} answered ${status}${reasonOf(json)}`;
  if (REFUSALS.has(status)) {
    const refusal = `${peer.name} refuses the order: ${told}`;
    await store.keepRefusal(db, order.orderId, refusal);
    throw new ServiceError("BAD-REQUEST", refusal);
  }
  // Below 500 nothing was ordered; a server error may hide an order.
  if (status < 500) await store.deleteSubmission(db, order.orderId);
  throw unavailable(peer, `did not take an order: ${told}`, response);
}

/** Sent once: a repetition could order twice. */
async function post(peer: StapiPeer, order: SubmittedOrder, signal: AbortSignal): Promise<HttpResponse> {
  signal.throwIfAborted();
  const { product, timeoutMs = 30_000 } = peer.settings;
  const filter = queryFilter(peer.settings, order);
  const body = {
    datetime: intervalText(order.window),
    geometry: order.geometry,
    ...(filter === null ? {} : { filter }),
    order_parameters: orderParameters(peer.settings, order),
  };
  return peer.transport({
    method: "POST",
    url: addressOf(peer, "products", product, "orders"),
    headers: {
      accept: "application/geo+json, application/json",
      "accept-encoding": "gzip",
      // Not of the standard: some providers honour it.
      "idempotency-key": order.orderId,
    },
    body: JSON.stringify(body),
    maxBytes: MAX_ANSWER_BYTES,
    signal: AbortSignal.any([signal, peer.timers.deadline(timeoutMs)]),
  });
}

/** Keeps the name of an order. Another order may have found it first, when both are equal: then the other one is ours. */
async function keep(
  peer: StapiPeer,
  order: SubmittedOrder,
  providerOrderId: string,
  signal: AbortSignal,
): Promise<string> {
  const { db } = peer.deps;
  if (await store.keepProviderOrder(db, order.orderId, providerOrderId)) return providerOrderId;
  const other = await adoptOrder(peer, order, peer.clock.now().getTime(), signal);
  if (other !== null) return other;
  const refusal = `${peer.name} answers an order with ${providerOrderId}, the name of another order, expected a new one`;
  await store.keepRefusal(db, order.orderId, refusal);
  throw new ServiceError("BAD-REQUEST", refusal);
}

/** Finds an order that was taken and keeps its name; null when there is none. Rivals for equal orders take one each. */
async function adoptOrder(
  peer: StapiPeer,
  order: SubmittedOrder,
  sentMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  for (;;) {
    const found = await findOrder(peer, order, sentMs, signal);
    if (found === null || (await store.keepProviderOrder(peer.deps.db, order.orderId, found))) return found;
  }
}

/** From the document, or from the address of an order whose document is unreadable. */
function orderIdOf(peer: StapiPeer, response: HttpResponse, json: unknown): string {
  const order = isRecord(json) ? readOrder(json) : "no JSON object";
  if (typeof order !== "string") return order.id;
  const location = response.headers["location"] ?? "";
  const orders = addressOf(peer, "orders").pathname;
  const path = URL.canParse(location, response.url) ? new URL(location, response.url).pathname : "";
  const id = path.startsWith(`${orders}/`) ? path.slice(orders.length + 1) : "";
  if (id !== "" && !id.includes("/")) return decodeURIComponent(id);
  throw unavailable(peer, `took an order and answered ${order}`, null);
}

function isUnsent(error: unknown): boolean {
  if (error instanceof RasterError || error instanceof RefusedAddressError || error instanceof CertificateError) {
    return true;
  }
  return error instanceof Error && "code" in error && NOT_CONNECTED.has(String(error.code));
}

function unavailable(peer: StapiPeer, what: string, response: HttpResponse | null, cause?: unknown): ServiceError {
  const seconds = Number(response?.headers["retry-after"] ?? Number.NaN);
  return new ServiceError("SERVICE-UNAVAILABLE", `${peer.name} ${what}`, {
    ...(cause === undefined ? {} : { cause }),
    ...(Number.isInteger(seconds) && seconds >= 0 ? { retryAfterS: Math.min(seconds, 86_400) } : {}),
  });
}

function unknownOutcome(peer: StapiPeer, waitMs: number): ServiceError {
  return new ServiceError(
    "SERVICE-UNAVAILABLE",
    `the answer of ${peer.name} to an order was lost; the order is searched for among its orders`,
    { retryAfterS: Math.max(1, Math.min(60, Math.ceil(waitMs / 1000))) },
  );
}

function jsonOf({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body ?? new Uint8Array(0)));
  } catch {
    return null;
  }
}

function reasonOf(json: unknown): string {
  if (!isRecord(json)) return "";
  const { detail, description, message }: Json = json;
  const text = textOf(typeof detail === "object" && detail !== null ? JSON.stringify(detail) : detail, 300);
  const reason = text ?? textOf(description, 300) ?? textOf(message, 300);
  return reason === null ? "" : `: ${reason}`;
}

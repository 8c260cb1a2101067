import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { canonicalGeometry } from "@swath/kernel/geometry/canonical";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import type { SubmittedOrder } from "../tasking-provider.ts";
import { parseInterval } from "./interval.ts";
import { readOrder, type StapiOrder } from "./order-document.ts";
import { orderParameters, referenceParameter } from "./order-parameters.ts";
import { readPages } from "./read-pages.ts";
import { addressOf, type StapiPeer } from "./stapi-peer.ts";
import * as store from "./store.ts";

const PAGE_ORDERS = 100;
/** Clocks of the provider may be behind by so much. */
const CLOCK_SKEW_MS = 300_000;

/**
 * The order at the provider that an earlier submission made, though its answer was lost. It carries our identifier, or
 * it repeats the whole request, is as new and belongs to no other order. Null when there is none.
 *
 * @param sentMs when the order was sent first
 * @throws {ServiceError} SERVICE-UNAVAILABLE when the provider has more orders than are searched
 */
export async function findOrder(
  peer: StapiPeer,
  order: SubmittedOrder,
  sentMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const url = addressOf(peer, "orders");
  url.searchParams.set("limit", String(PAGE_ORDERS));
  const most = peer.settings.maxOrders ?? 20_000;
  const isOurs = recognizer(peer, order, sentMs);
  let read = 0;
  for await (const { members, isLast } of readPages(peer, { method: "GET", url, body: null }, "features", signal)) {
    const ids = members.flatMap((json) => {
      const found = readOrder(json);
      return typeof found !== "string" && isOurs(found) ? [found.id] : [];
    });
    const [free] = await store.unknownProviderOrders(peer.deps.db, peer.base.href, ids);
    if (free !== undefined) return free;
    read += members.length;
    if (isLast) return null;
    if (read >= most) break;
  }
  throw new ServiceError(
    "SERVICE-UNAVAILABLE",
    `${peer.name} has more than ${read} orders, expected at most ${most} to search for one whose answer was lost`,
  );
}

function recognizer(peer: StapiPeer, order: SubmittedOrder, sentMs: number): (found: StapiOrder) => boolean {
  const reference = referenceParameter(peer.settings);
  if (reference !== null) {
    const expected = orderParameters(peer.settings, order)[reference];
    return ({ request }) => request.orderParameters[reference] === expected;
  }
  const parameters: unknown = JSON.parse(JSON.stringify(orderParameters(peer.settings, order)));
  const geometry = comparable(order.geometry);
  return ({ createdMs, productId, request }) => {
    if (createdMs === null || createdMs < sentMs - CLOCK_SKEW_MS) return false;
    if (productId !== null && productId !== peer.settings.product) return false;
    const interval = parseInterval(request.datetime);
    return (
      interval !== null &&
      interval.startMs === order.window.startMs &&
      interval.endMs === order.window.endMs &&
      isDeepStrictEqual(comparable(request.geometry), geometry) &&
      isDeepStrictEqual(withoutNulls(request.orderParameters), parameters)
    );
  };
}

/** A polygon in canonical form; servers round coordinates and add members. */
function comparable(geometry: unknown): unknown {
  try {
    const { coordinates } = geometry as SubmittedOrder["geometry"];
    return canonicalGeometry({ type: "Polygon", coordinates });
  } catch {
    return null;
  }
}

/** Servers repeat parameters that were not sent as null. */
function withoutNulls(parameters: Json): Json {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
}

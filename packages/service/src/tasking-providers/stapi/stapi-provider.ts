import { ServiceError } from "@swath/kernel/errors/service-error";
import type { OfferedWindow, SubmittedOrder, TaskingProvider, TaskingRequest } from "../tasking-provider.ts";
import { cancelOrder } from "./cancel-order.ts";
import { searchOpportunities } from "./opportunities.ts";
import { windowOfOpportunity } from "./opportunity-window.ts";
import { pollOrder } from "./poll-order.ts";
import { productCache, readProduct, type ProductCache } from "./read-product.ts";
import type { StapiSettings } from "./settings.ts";
import { connectStapi, type StapiDeps, type StapiPeer } from "./stapi-peer.ts";
import { submitOrder } from "./submit-order.ts";

const MAX_WINDOWS = 200;

/**
 * A product of a STAPI provider. Nothing is asked before the first use; the settings are checked here.
 *
 * @throws {Error} when the settings contradict themselves or a secret is missing
 */
export function createStapiProvider(settings: StapiSettings, deps: StapiDeps): TaskingProvider {
  const peer = connectStapi(settings, deps);
  const products = productCache();
  const sending = new Map<string, Promise<string>>();
  const ended = new AbortController();
  const live = (signal: AbortSignal): AbortSignal => {
    signal.throwIfAborted();
    return AbortSignal.any([signal, ended.signal]);
  };
  return {
    feasibility: async (request, signal) => windowsOf(peer, products, request, live(signal)),
    submit: async (order, signal) => submitOnce(peer, sending, order, live(signal)),
    cancel: async (order, providerOrderId, signal) => cancelOrder(peer, order, providerOrderId, live(signal)),
    poll: async (order, providerOrderId, signal) => pollOrder(peer, order, providerOrderId, live(signal)),
    presentOf: () => peer.clock.now().getTime(),

    [Symbol.asyncDispose]() {
      ended.abort(new ServiceError("SERVICE-UNAVAILABLE", `${peer.name} is no longer asked: the service stops`));
      peer[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

/** Callers that submit the same order at the same time share the answer. */
async function submitOnce(
  peer: StapiPeer,
  sending: Map<string, Promise<string>>,
  order: SubmittedOrder,
  signal: AbortSignal,
): Promise<string> {
  const known = sending.get(order.orderId);
  if (known !== undefined) return known;
  const sent = submitOrder(peer, order, signal).finally(() => sending.delete(order.orderId));
  sending.set(order.orderId, sent);
  return sent;
}

/** Opportunities of the provider; where it has none, windows of the satellites of the dataset. */
async function windowsOf(
  peer: StapiPeer,
  products: ProductCache,
  request: TaskingRequest,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const { opportunities: url } =
    peer.settings.opportunities === "none" ? { opportunities: null } : await readProduct(peer, products, signal);
  const found = url === null ? null : await searchOpportunities(peer, url, request, signal);
  if (found === null) return computedWindows(peer, request, signal);
  return found
    .flatMap((one) => windowOfOpportunity(one, request, peer.settings) ?? [])
    .toSorted((a, b) => a.startMs - b.startMs)
    .slice(0, MAX_WINDOWS);
}

async function computedWindows(
  { deps, name, settings }: StapiPeer,
  request: TaskingRequest,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  if (deps.passes != null) return deps.passes(request, signal);
  throw new ServiceError(
    "SERVICE-UNAVAILABLE",
    `${name} has no opportunities of ${settings.product}, and the dataset ${request.dataset} has no satellites to compute windows from`,
  );
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Json, JsonRequest } from "../../sources/stac/stac-exchange.ts";
import type { TaskingRequest } from "../tasking-provider.ts";
import { intervalText } from "./interval.ts";
import { queryFilter } from "./order-parameters.ts";
import { readPages } from "./read-pages.ts";
import {
  addressOf,
  ask,
  askFor,
  linkTo,
  recordOf,
  textOf,
  unreadable,
  type Answer,
  type StapiPeer,
} from "./stapi-peer.ts";

const PAGE_OPPORTUNITIES = 100;
const MAX_OPPORTUNITIES = 1000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Answers of servers that have no opportunities for the product after all. */
const NOT_OFFERED = [404, 405, 501];

/**
 * The opportunities of a request, at most a thousand. Null when the server has none for the product.
 *
 * @throws {ServiceError} SERVICE-UNAVAILABLE when a search fails or does not end in time
 */
export async function searchOpportunities(
  peer: StapiPeer,
  url: URL,
  request: TaskingRequest,
  signal: AbortSignal,
): Promise<readonly Json[] | null> {
  const { searchSeconds = 120 } = peer.settings;
  const inTime = AbortSignal.any([signal, peer.timers.deadline(searchSeconds * 1000)]);
  try {
    return await search(peer, url, request, inTime);
  } catch (error) {
    signal.throwIfAborted();
    if (!inTime.aborted) throw error;
    const message = `${peer.name} has not ended a search for opportunities in ${searchSeconds} s`;
    throw new ServiceError("SERVICE-UNAVAILABLE", message, { cause: error });
  }
}

async function search(
  peer: StapiPeer,
  url: URL,
  request: TaskingRequest,
  signal: AbortSignal,
): Promise<readonly Json[] | null> {
  const filter = queryFilter(peer.settings, request);
  const asked: JsonRequest = {
    method: "POST",
    url,
    body: {
      datetime: intervalText({ startMs: request.fromMs, endMs: request.toMs }),
      geometry: request.geometry,
      ...(filter === null ? {} : { filter }),
      limit: PAGE_OPPORTUNITIES,
    },
    // Servers that know both ways answer at once; those that know one take it whatever is preferred.
    headers: { prefer: peer.settings.opportunities === "async" ? "respond-async" : "wait" },
  };
  const answer = await ask(peer, asked, signal, { isList: true, absent: NOT_OFFERED });
  if (answer === null) return null;
  if (Array.isArray(answer.json["features"])) return collect(peer, asked, answer, signal);
  const collection = await endedSearch(peer, answer, signal);
  return collect(peer, { method: "GET", url: collection, body: null }, null, signal);
}

async function collect(
  peer: StapiPeer,
  request: JsonRequest,
  first: Answer | null,
  signal: AbortSignal,
): Promise<readonly Json[]> {
  const found: Json[] = [];
  for await (const { members } of readPages(peer, request, "features", signal, { first })) {
    found.push(...members.slice(0, MAX_OPPORTUNITIES - found.length));
    if (found.length >= MAX_OPPORTUNITIES) break;
  }
  return found;
}

/** Follows the record of an asynchronous search to its end: the address of the opportunities. */
async function endedSearch(peer: StapiPeer, answer: Answer, signal: AbortSignal): Promise<URL> {
  const { id } = answer.json;
  if (typeof id !== "string" || id === "") throw unreadable(peer, answer.from, "neither opportunities nor a search");
  const { location } = answer.response.headers;
  const own = location !== undefined && URL.canParse(location, answer.from) ? new URL(location, answer.from) : null;
  const url = own ?? linkTo(answer, "self", "monitor")?.url ?? addressOf(peer, "searches", "opportunities", id);
  let record = answer;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const status = recordOf(record.json["status"]);
    const code = textOf(status["status_code"], 50);
    if (code === "completed") return collectionOf(peer, record, id);
    if (code !== "received" && code !== "in_progress") {
      const reason = textOf(status["reason_text"]) ?? textOf(status["reason_code"]);
      throw unreadable(
        peer,
        url,
        `a search that is ${code ?? "without a status"}${reason === null ? "" : `: ${reason}`}`,
      );
    }
    await peer.timers.wait(pauseMs, signal);
    signal.throwIfAborted();
    record = await askFor(peer, { method: "GET", url, body: null }, signal);
  }
}

function collectionOf(peer: StapiPeer, record: Answer, id: string): URL {
  const link = linkTo(record, "opportunities", "opportunity-collection");
  return link?.url ?? addressOf(peer, "products", peer.settings.product, "opportunities", id);
}

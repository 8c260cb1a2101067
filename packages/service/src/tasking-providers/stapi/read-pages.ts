import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { nextRequest } from "../../sources/stac/page-request.ts";
import type { Json, JsonRequest } from "../../sources/stac/stac-exchange.ts";
import { ask, unreadable, type Answer, type StapiPeer } from "./stapi-peer.ts";

/** The members of a list, page by page. */
export interface ListPage {
  readonly members: readonly Json[];
  /** Whether there is no further page. */
  readonly isLast: boolean;
}

/**
 * Follows the links to the next page until there is none, the consumer stops or a page comes again.
 *
 * @param first the answer of the first request, when it is here already
 * @param absent statuses that mean an empty list
 */
export async function* readPages(
  peer: StapiPeer,
  request: JsonRequest,
  member: string,
  signal: AbortSignal,
  { first = null, absent = [] }: { readonly first?: Answer | null; readonly absent?: readonly number[] } = {},
): AsyncGenerator<ListPage, void, undefined> {
  const asked = new Set<string>();
  let answer = first ?? (await ask(peer, request, signal, { isList: true, absent }));
  let current = request;
  for (;;) {
    if (answer === null) {
      yield { members: [], isLast: true };
      return;
    }
    asked.add(JSON.stringify([current.method, current.url.href, current.body]));
    const list = answer.json[member];
    if (!Array.isArray(list)) throw unreadable(peer, answer.from, `without a list "${member}"`);
    const next = nextRequest(answer.json, current, answer.from);
    yield { members: list.filter(isRecord), isLast: next === null };
    if (next === null) return;
    if (asked.has(JSON.stringify([next.method, next.url.href, next.body]))) {
      throw unreadable(peer, answer.from, `a next page that was read already, after ${asked.size} pages`);
    }
    // A page without the headers of the first may be answered in another way.
    current = request.headers === undefined ? next : { ...next, headers: request.headers };
    answer = await ask(peer, current, signal, { isList: true });
  }
}

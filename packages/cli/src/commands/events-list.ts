import type { SwathEvent } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { eventRow, requestedEvents, type EventOptions } from "../event-options.ts";

const PAGE = 200;

/** `swath events list`: pages through events, oldest first, until the limit. */
export async function eventsList(
  context: CommandContext,
  { limit, ...options }: EventOptions & { readonly limit: number },
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const { after, types, isWanted } = requestedEvents(options);
  const results: SwathEvent[] = [];
  let cursor = after ?? 0;
  let isMore = true;
  while (isMore && results.length < limit) {
    const request = { after: cursor, types: [...types], limit: PAGE };
    const page = await client.call("/events/list", request, { signal });
    isMore = page.results.length === PAGE;
    ({ cursor } = page);
    for (const event of page.results.filter(isWanted)) {
      if (results.length === limit) break;
      results.push(event);
      // The rest of the page comes with the next list.
      if (results.length === limit) cursor = event.position;
    }
  }
  const lines = results.length === 0 ? ["no event"] : formatTable(results.map(eventRow));
  output.result({ results, cursor }, lines);
  output.note(`go on with --after ${cursor}`);
}

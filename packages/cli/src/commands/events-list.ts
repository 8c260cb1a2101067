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
  const { after = 0, ...wanted } = requestedEvents(options);
  const results: SwathEvent[] = [];
  let cursor = after;
  let isMore = true;
  while (isMore && results.length < limit) {
    const request = { ...wanted, after: cursor, limit: Math.min(PAGE, limit - results.length) };
    const page = await client.call("/events/list", request, { signal });
    results.push(...page.results);
    isMore = page.cursor > cursor;
    ({ cursor } = page);
  }
  const lines = results.length === 0 ? ["no event"] : formatTable(results.map(eventRow));
  output.result({ results, cursor }, lines);
  output.note(`go on with --after ${cursor}`);
}

import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { eventRow, requestedEvents, type EventOptions } from "../event-options.ts";

/** `swath events follow`: a line for each event, until interrupted. */
export async function eventsFollow(
  context: CommandContext,
  { limit = Number.POSITIVE_INFINITY, ...options }: EventOptions & { readonly limit?: number },
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const wanted = requestedEvents(options);
  let shown = 0;
  let position = wanted.after ?? null;
  for await (const event of client.events({ ...wanted, signal })) {
    ({ position } = event);
    output.streamed(event, eventRow(event).join("  "));
    shown += 1;
    if (shown === limit) break;
  }
  if (position !== null) output.note(`go on with --after ${position}`);
  signal.throwIfAborted();
}

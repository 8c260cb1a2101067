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
  const { after, types, isWanted } = requestedEvents(options);
  const chosen = {
    signal,
    ...(after === null ? {} : { after }),
    ...(types.length === 0 ? {} : { types }),
  };
  let shown = 0;
  let position = after;
  for await (const event of client.events(chosen)) {
    ({ position } = event);
    if (!isWanted(event)) continue;
    output.streamed(event, eventRow(event).join("  "));
    shown += 1;
    if (shown === limit) break;
  }
  if (position !== null) output.note(`go on with --after ${position}`);
  signal.throwIfAborted();
}

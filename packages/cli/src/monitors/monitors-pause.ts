import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { monitorLine } from "./monitor-line.ts";

/** `swath monitors pause`. */
export async function monitorsPause(
  context: CommandContext,
  { resume }: { readonly resume?: boolean },
  [monitorId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const monitor = await client.call("/monitor/pause", { monitorId, paused: resume !== true }, { signal });
  output.result(monitor, formatTable([monitorLine(monitor)]));
}

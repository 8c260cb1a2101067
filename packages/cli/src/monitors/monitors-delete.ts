import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";

/** `swath monitors delete`. */
export async function monitorsDelete(
  context: CommandContext,
  _: unknown,
  [monitorId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  output.result(await client.call("/monitor/delete", { monitorId }, { signal }), [
    `the monitor ${monitorId} is deleted`,
  ]);
}

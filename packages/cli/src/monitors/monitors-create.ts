import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { readObject } from "../read-object.ts";
import { monitorLine } from "./monitor-line.ts";

/** `swath monitors create`. */
export async function monitorsCreate(
  context: CommandContext,
  _: unknown,
  [file = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const settings = await readObject(file, "monitor");
  const client = await connect(context);
  // The service checks the members of a file.
  const monitor = await client.call("/monitor/create", settings as never, { signal });
  output.result(monitor, formatTable([monitorLine(monitor)]));
}

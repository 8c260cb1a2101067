import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { monitorLine } from "./monitor-line.ts";

/** `swath monitors get`. */
export async function monitorsGet(
  context: CommandContext,
  _: unknown,
  [monitorId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const monitor = await client.call("/monitor/get", { monitorId }, { signal });
  const scenes = monitor.scenes.map(({ alertAreas, chargedCredits, message, sceneId, skipReason, status }) => [
    sceneId,
    skipReason === null ? status : `${status} ${skipReason}`,
    `${chargedCredits} credits`,
    alertAreas.length === 0 ? "" : `alert: ${alertAreas.join(",")}`,
    message ?? "",
  ]);
  const looks = monitor.looks.map(({ lastLookAt, nextLookAt, provider }) => [
    provider,
    `last look ${lastLookAt ?? "none"}`,
    `next look ${nextLookAt ?? "none"}`,
  ]);
  const tables = [[monitorLine(monitor)], looks, scenes].flatMap(formatTable);
  output.result(monitor, tables);
}

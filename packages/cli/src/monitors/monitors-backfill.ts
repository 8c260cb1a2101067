import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { parseInstant } from "../instant.ts";
import { formatTable } from "../output.ts";

export interface MonitorsBackfillOptions {
  readonly from: string;
  readonly to: string;
  readonly yes?: boolean;
}

/** `swath monitors backfill`: past scenes with their price. Nothing is paid without `--yes`. */
export async function monitorsBackfill(
  context: CommandContext,
  options: MonitorsBackfillOptions,
  [monitorId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const period = {
    monitorId,
    startDatetime: parseInstant(options.from, "--from"),
    endDatetime: parseInstant(options.to, "--to"),
  };
  const client = await connect(context);
  const plan = await client.run("/monitor/backfill/dry-run", period, { signal });
  const fitting = plan.scenes.filter(({ fits }) => fits).length;
  const price = `${fitting} scenes cost ${plan.credits} credits`;
  for (const { message, sceneId } of plan.scenes) {
    if (message !== null) output.note(`left out ${sceneId}: ${message}`);
  }
  if (plan.credits > 0 && options.yes !== true) {
    throw new CommandError(price, EXIT.credit, "repeat the command with --yes to pay");
  }
  const request = { ...period, expectedCredits: plan.credits };
  const taken = fitting === 0 ? plan : await client.run("/monitor/backfill", request, { signal });
  const rows = taken.scenes
    .filter(({ fits }) => fits)
    .map((one) => [one.datetime, one.sceneId, `${one.credits} credits`]);
  output.result(taken, [price, ...formatTable(rows)]);
}

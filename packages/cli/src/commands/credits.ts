import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";

/** `swath credits`: remaining and spent credit of the user. */
export async function credits(context: CommandContext): Promise<void> {
  const client = await connect(context);
  const info = await client.call("/credits/user/info", {}, { signal: context.signal });
  context.output.result(info, [
    `${info.remainingCredit} credits left, ${info.usedCredit} spent by ${info.email}`,
    `paid by group ${info.groupId}, tier ${info.creditsTier}`,
  ]);
}

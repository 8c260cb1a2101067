import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { findGroup } from "./find-group.ts";
import { readPages } from "./pages.ts";
import { showRows } from "./show-table.ts";

export interface ListGrantsOptions {
  readonly group?: string;
  readonly limit: number;
}

/** `swath admin grants list`: newest first. */
export async function listGrants(context: CommandContext, { group, limit }: ListGrantsOptions): Promise<void> {
  const { signal } = context;
  const client = await connect(context);
  const filter = group === undefined ? {} : { groupId: (await findGroup(client, group, signal)).id };
  const rows = await readPages(limit, (page) =>
    client.call("/credits/grants/list", { ...filter, ...page }, { signal }),
  );
  showRows(
    context,
    rows,
    {
      time: ({ time }) => time,
      group: ({ groupId }) => groupId,
      credit: ({ credit }) => credit,
      by: ({ grantedBy }) => grantedBy,
      note: ({ note }) => note,
    },
    `no grant${group === undefined ? "" : ` to group ${group}`}: swath admin grants create gives credit`,
  );
}

export interface CreateGrantOptions {
  readonly note: string;
  readonly key?: string;
}

/** `swath admin grants create`: a negative grant corrects. */
export async function createGrant(
  context: CommandContext,
  { note, key }: CreateGrantOptions,
  [idOrName = "", amount = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const credit = Number(amount);
  if (amount.trim() === "" || !Number.isFinite(credit)) {
    throw new UsageError(`the credit is "${amount}", expected a number such as 1000 or -50`);
  }
  const client = await connect(context);
  const group = await findGroup(client, idOrName, signal);
  const grant = await client.call(
    "/credits/grant",
    { groupId: group.id, credit, note, ...(key === undefined ? {} : { idempotencyKey: key }) },
    { signal },
  );
  output.result(grant, [`${group.name} has ${grant.remainingCredit} credits`]);
}

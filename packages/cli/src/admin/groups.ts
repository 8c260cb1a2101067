import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { findGroup, listGroups } from "./find-group.ts";
import { readPages } from "./pages.ts";
import { showRows } from "./show-table.ts";

const MOST_ORGANIZATIONS = 20_000;

/** `swath admin groups list`. */
export async function listGroupTable(context: CommandContext, { limit }: { readonly limit: number }): Promise<void> {
  const client = await connect(context);
  showRows(
    context,
    await listGroups(client, limit, context.signal),
    {
      name: ({ name }) => name,
      id: ({ id }) => id,
      tier: ({ creditsTier }) => creditsTier,
      "license end": ({ licenseEnd }) => licenseEnd,
      members: ({ members }) => members,
    },
    "no group: you look after none; swath admin groups create makes one",
  );
}

interface GroupSettings {
  readonly permissions?: readonly string[];
  readonly tier?: string;
  readonly licenseStart?: string;
  readonly licenseEnd?: string;
}

function settingsOf({ permissions, tier, licenseStart, licenseEnd }: GroupSettings) {
  return {
    ...(permissions === undefined ? {} : { permissions }),
    ...(tier === undefined ? {} : { creditsTier: tier }),
    ...(licenseStart === undefined ? {} : { licenseStart: dateOrNull(licenseStart) }),
    ...(licenseEnd === undefined ? {} : { licenseEnd: dateOrNull(licenseEnd) }),
  };
}

/** `none` lifts a date of a licence. */
function dateOrNull(text: string): string | null {
  return text === "none" ? null : text;
}

export interface CreateGroupOptions extends GroupSettings {
  readonly organization: string;
}

/** `swath admin groups create`: makes the organisation too when it does not exist. */
export async function createGroup(
  context: CommandContext,
  options: CreateGroupOptions,
  [name = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const { results } = await readPages(MOST_ORGANIZATIONS, (page) =>
    client.call("/organization/list", page, { signal }),
  );
  const wanted = options.organization;
  const organization =
    results.find(({ id }) => id === wanted) ??
    results.find(({ name: one }) => one === wanted) ??
    (await client.call("/organization/create", { name: wanted }, { signal }));
  const group = await client.call(
    "/group/create",
    { organizationId: organization.id, name, ...settingsOf(options) },
    { signal },
  );
  output.result(group, [`${group.name} is a group of ${organization.name}, id ${group.id}`]);
}

export interface ChangeGroupOptions extends GroupSettings {
  readonly name?: string;
}

/** `swath admin groups change`. */
export async function changeGroup(
  context: CommandContext,
  options: ChangeGroupOptions,
  [idOrName = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const set = { ...(options.name === undefined ? {} : { name: options.name }), ...settingsOf(options) };
  if (Object.keys(set).length === 0) {
    throw new UsageError("nothing to change: give --name, --permissions, --tier, --license-start or --license-end");
  }
  const client = await connect(context);
  const { id } = await findGroup(client, idOrName, signal);
  const group = await client.call("/group/manage", { groupId: id, set }, { signal });
  output.result(group, [`${group.name} is changed`]);
}

/** `swath admin groups deactivate`: ends the licence now, so that the group can spend no credit any more. */
export async function deactivateGroup(
  context: CommandContext,
  _options: object,
  [idOrName = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const { id } = await findGroup(client, idOrName, signal);
  const licenseEnd = new Date().toISOString();
  const group = await client.call("/group/manage", { groupId: id, set: { licenseEnd } }, { signal });
  if (group.licenseEnd === null) throw new CommandError(`${group.name} still has a licence`, EXIT.failure);
  output.result(group, [`the licence of ${group.name} ended at ${group.licenseEnd}`]);
}

import { findGroup } from "../admin/find-group.ts";
import { showRows } from "../admin/show-table.ts";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { readObject } from "../read-object.ts";
import { spacedTime } from "../spaced-time.ts";

/** Members of an answer that no request has. */
const ANSWERED_ONLY: ReadonlySet<string> = new Set(["hasPricingPlan", "isBuiltIn"]);

/** `swath task contracts list`. */
export async function listContracts(
  context: CommandContext,
  { provider, all }: { readonly provider?: string; readonly all?: boolean },
): Promise<void> {
  const client = await connect(context);
  const filter = { ...(provider === undefined ? {} : { provider }), ...(all === true ? { allGroups: true } : {}) };
  const results = await client.call("/scene-tasking/contracts/list", filter, { signal: context.signal });
  showRows(
    context,
    { results, complete: true },
    {
      id: ({ id }) => id,
      provider: (one) => one.provider,
      group: ({ groupId }) => groupId ?? "all",
      default: ({ isDefault }) => (isDefault ? "default" : ""),
      from: ({ start }) => spacedTime(start),
      until: ({ end }) => spacedTime(end),
      modes: ({ imagingModes }) => imagingModes.allowed.join(","),
      priorities: ({ priority }) => priority.allowed.join(","),
      prices: ({ hasPricingPlan }) => (hasPricingPlan ? "own" : "rules"),
      name: ({ name }) => name,
    },
    `no contract${provider === undefined ? "" : ` with ${provider}`}; administrators add one with contracts set`,
  );
}

/** `swath task contracts set`: the file is one contract, as the list with `--json` has it. */
export async function setContract(
  context: CommandContext,
  { group }: { readonly group?: string },
  [file = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const contract = await readContract(file);
  const client = await connect(context);
  const of = group === undefined ? {} : { groupId: (await findGroup(client, group, signal)).id };
  // The service checks the members of a file.
  const request = { ...contract, ...of } as never;
  const set = await client.call("/scene-tasking/contracts/set", request, { signal });
  output.result(set, [`the contract ${set.id} with ${set.provider} holds from ${spacedTime(set.start)}`]);
}

async function readContract(file: string): Promise<Readonly<Record<string, unknown>>> {
  const value = await readObject(file, "contract");
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ANSWERED_ONLY.has(name)));
}

/** `swath task contracts delete`. */
export async function deleteContract(
  context: CommandContext,
  _options: object,
  [id = ""]: readonly string[],
): Promise<void> {
  const client = await connect(context);
  await client.call("/scene-tasking/contracts/delete", { id }, { signal: context.signal });
  context.output.result({ id }, [`the contract ${id} is deleted`]);
}

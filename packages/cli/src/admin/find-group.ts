import type { Client } from "@swath/client";
import { CommandError, EXIT } from "../exit-code.ts";
import { readPages } from "./pages.ts";

/** Groups that are searched for a name. */
const MOST_GROUPS = 20_000;

interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** The group with this id or name. @throws {CommandError} when the caller can see none */
export async function findGroup(client: Client, idOrName: string, signal: AbortSignal): Promise<NamedGroup> {
  const { results } = await listGroups(client, MOST_GROUPS, signal);
  const found = results.find(({ id }) => id === idOrName) ?? results.find(({ name }) => name === idOrName);
  if (found !== undefined) return found;
  throw new CommandError(
    `there is no group with the id or name "${idOrName}"`,
    EXIT.notFound,
    "swath admin groups list shows the groups",
  );
}

/** Groups that the caller can see, by name. */
export function listGroups(client: Client, limit: number, signal: AbortSignal, organizationId?: string) {
  return readPages(limit, (page) =>
    client.call("/group/list", { ...page, ...(organizationId === undefined ? {} : { organizationId }) }, { signal }),
  );
}

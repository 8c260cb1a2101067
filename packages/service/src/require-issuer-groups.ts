import { nearestName } from "@swath/kernel/text/nearest-name";
import { ConfigError } from "./platform/config/config.ts";
import { issuerVariables, type IssuerSettings } from "./platform/config/issuer-variables.ts";
import type { Db } from "./platform/context.ts";
import { findMissingGroups, listGroupNames } from "./platform/identity/membership-store.ts";

/** Groups that a message lists. */
const LISTED = 10;

/**
 * The first request of a new user is no time to find that its group is missing.
 *
 * @throws {ConfigError} naming each group of the issuer's settings that does not exist, and the nearest one that does
 */
export async function requireIssuerGroups(db: Db, settings: IssuerSettings | null): Promise<void> {
  if (settings === null) return;
  const { mapping, newUserGroup } = settings;
  const { oidcGroups, oidcNewUserGroup } = issuerVariables;
  const named = [
    ...(newUserGroup === null ? [] : [{ variable: oidcNewUserGroup.name, group: newUserGroup }]),
    ...[...(mapping?.groups?.values() ?? [])].map((group) => ({ variable: oidcGroups.name, group })),
  ];
  const missing = new Set(
    await findMissingGroups(
      db,
      named.map(({ group }) => group),
    ),
  );
  if (missing.size === 0) return;
  const names = await listGroupNames(db);
  throw new ConfigError(
    named
      .filter(({ group }) => missing.has(group))
      .map(({ group, variable }) => `${variable}: there is no group "${group}"; ${hint(group, names)}`),
  );
}

function hint(group: string, names: readonly string[]): string {
  const near = nearestName(group, names);
  if (near !== null) return `did you mean "${near}"?`;
  const shown = names.slice(0, LISTED).join(", ");
  return `create it first, without this setting; groups are ${shown}${names.length > LISTED ? ", …" : ""}`;
}

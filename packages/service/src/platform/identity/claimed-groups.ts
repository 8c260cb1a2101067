import type { ClaimMapping } from "../config/issuer-variables.ts";

/** Groups that a token names; more are cut off. */
const MOST_GROUPS = 200;

/** The groups that a token names, by the mapping of the configuration. */
export interface ClaimedGroups {
  /** Names of groups, in the order of the token, each once. */
  readonly names: readonly string[];
  /** Name of the organisation that they must belong to; null for any. */
  readonly organization: string | null;
}

/** @param payload claims of a verified token */
export function claimedGroups(
  payload: Readonly<Record<string, unknown>>,
  { groups, groupsClaim, organizationClaim }: ClaimMapping,
): ClaimedGroups {
  const values = textsOf(claimAt(payload, groupsClaim)).slice(0, MOST_GROUPS);
  const names = groups === null ? values : values.flatMap((value) => groups.get(value) ?? []);
  if (organizationClaim === null) return { names: [...new Set(names)], organization: null };
  const [organization] = textsOf(claimAt(payload, organizationClaim));
  return organization === undefined ? { names: [], organization: null } : { names: [...new Set(names)], organization };
}

/** A claim by its name, or else by a path of names such as `realm_access.roles`. */
function claimAt(payload: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/** A list of texts; a single text stands for a list of one. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}

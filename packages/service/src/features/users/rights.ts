import { isGranted } from "@swath/kernel/permissions/permission";

/** Who holds it may do everything, and is counted as an administrator. */
export const ADMINISTRATION = "admin";

export function isAdministrator(held: ReadonlySet<string>): boolean {
  return held.has(ADMINISTRATION);
}

/**
 * Those of the permissions that somebody with the rights `held` may not give to another: a right is given only by who
 * has it. Administrators may give all.
 */
export function notGrantable(held: ReadonlySet<string>, permissions: Iterable<string>): string[] {
  if (isAdministrator(held)) return [];
  return [...permissions].filter((permission) => !isGranted(held, permission));
}

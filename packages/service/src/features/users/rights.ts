import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Caller } from "../../platform/context.ts";

/**
 * Those of the permissions that somebody with the rights `held` may not give to another: a right is given only by who
 * has it. Administrators may give all.
 */
export function notGrantable(held: ReadonlySet<string>, permissions: Iterable<string>): string[] {
  if (isAdministrator(held)) return [];
  return [...permissions].filter((permission) => !isGranted(held, permission));
}

/**
 * The rule of every operation that changes a user or a group: only administrators change administrators and the groups
 * that make them.
 *
 * @throws {ServiceError} NOT-AUTHORIZED
 */
export function requireMayChange(
  { permissions }: Pick<Caller, "permissions">,
  target: { readonly is_administrator: boolean },
): void {
  if (target.is_administrator && !isAdministrator(permissions)) {
    throw new ServiceError("NOT-AUTHORIZED", "Only administrators change administrators and their groups");
  }
}

import { microToCredits } from "@swath/kernel/credits/micro";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { RequestContext } from "../../platform/context.ts";
import type { UserDeps } from "./accounts.ts";
import { askedBy } from "./audited.ts";
import * as store from "./delete-group-store.ts";
import { requireMayChange } from "./rights.ts";

/**
 * Deletes a group that nobody belongs to and no credit is in. The log of its credit stays.
 *
 * @throws {ServiceError} NON-EXISTENT-GROUP; CONFLICT with the reason; NOT-AUTHORIZED for a group of administrators,
 *   unless the caller is one
 */
export function deleteGroup(deps: UserDeps, by: RequestContext, groupId: string): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    const group = await store.lockGroup(trx, groupId);
    if (group === null) throw new ServiceError("NON-EXISTENT-GROUP", `There is no group "${groupId}"`);
    requireMayChange(by.caller, { is_administrator: isAdministrator(new Set(group.permissions)) });
    const reason = contentOf(await store.readContent(trx, groupId));
    if (reason !== null) throw new ServiceError("CONFLICT", `The group "${group.name}" ${reason}`);
    await store.removeGroup(trx, groupId);
    await deps.audit.record(trx, {
      ...askedBy(by),
      action: "group.delete",
      target: { kind: "group", id: groupId },
      before: { name: group.name, organizationId: group.organization_id, permissions: [...group.permissions] },
    });
  });
}

/** The reason to keep a group; null for none. */
function contentOf({ members, paying, held, remaining_micro: remaining }: store.GroupContent): string | null {
  if (members > 0) return `has ${members} members; move them to another group first`;
  if (paying > 0) return `pays for ${paying} users; let another group pay first`;
  if (held > 0) return `holds credit for ${held} orders; wait for their end or cancel them first`;
  const micro = BigInt(remaining);
  return micro > 0n ? `has ${microToCredits(micro)} credits; take them out first` : null;
}

/** @throws {ServiceError} NON-EXISTENT-ORGANIZATION; CONFLICT while there are groups in it */
export function deleteOrganization(deps: UserDeps, by: RequestContext, organizationId: string): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    const organization = await store.lockOrganization(trx, organizationId);
    if (organization === null) {
      throw new ServiceError("NON-EXISTENT-ORGANIZATION", `There is no organisation "${organizationId}"`);
    }
    const groups = await store.countGroups(trx, organizationId);
    if (groups > 0) {
      const message = `The organisation "${organization.name}" has ${groups} groups; delete them first`;
      throw new ServiceError("CONFLICT", message);
    }
    await store.removeOrganization(trx, organizationId);
    await deps.audit.record(trx, {
      ...askedBy(by),
      action: "organization.delete",
      target: { kind: "organization", id: organizationId },
      before: { name: organization.name },
    });
  });
}

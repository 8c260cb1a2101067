import { sql, type RawBuilder } from "kysely";
import type { Caller } from "../../../platform/context.ts";
import type { UserService } from "../../users/service.ts";
import type { Reach } from "../../users/reach.ts";

/** A right on orders of others. Each right is two permissions, for an organisation and for all groups. */
export type OrderRight = "read-orders" | "cancel-orders";

/** Whose orders exist for a caller: its own, and the orders of the groups that it looks after. */
export interface OrderViewer {
  readonly userId: string;
  readonly reaches: readonly Reach[];
}

export async function orderViewer(
  users: Pick<UserService, "groupsInCare">,
  caller: Pick<Caller, "userId" | "permissions">,
  right: OrderRight,
): Promise<OrderViewer> {
  const permissions = { everything: `admin.tasking.${right}`, organization: `organization.tasking.${right}` };
  return { userId: caller.userId, reaches: await users.groupsInCare(caller, permissions) };
}

/** Condition on a row `o` of tasking_orders: the one rule of every operation. */
export function isVisible({ userId, reaches }: OrderViewer): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join([sql`o.owner_id = ${userId}`, ...reaches.map(within)], sql` or `)})`;
}

function within(reach: Reach): RawBuilder<unknown> {
  if (reach.kind === "everything") return sql`true`;
  if (reach.kind === "groups") return sql`o.group_id = any(${[...reach.groupIds]}::text[])`;
  return sql`o.group_id in (select id from groups where organization_id = ${reach.organizationId})`;
}

import type { Caller } from "../../platform/context.ts";

/** The group whose credit pays for the caller; empty when there is none. */
export function payingGroupId({ accountingGroupId, groupId }: Pick<Caller, "accountingGroupId" | "groupId">): string {
  return accountingGroupId ?? groupId;
}

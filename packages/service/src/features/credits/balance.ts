import { microToCredits, type MicroCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GroupAccount, UserAccount } from "./store.ts";

/** What a user can still spend: the group's credit, or less when the user has a limit. */
export function spendable(group: GroupAccount, user: UserAccount): MicroCredits {
  if (user.limitMicro === null) return group.remainingMicro;
  // A limit may be set below what is used already.
  const left = user.limitMicro > user.usedMicro ? user.limitMicro - user.usedMicro : 0n;
  return left < group.remainingMicro ? left : group.remainingMicro;
}

/** @throws {ServiceError} INSUFFICIENT-CREDIT, USER-CREDIT-LIMIT */
export function requireBalance(
  group: Pick<GroupAccount, "remainingMicro">,
  user: UserAccount,
  cost: MicroCredits,
): void {
  if (cost === 0n) return;
  if (cost > group.remainingMicro) {
    throw new ServiceError(
      "INSUFFICIENT-CREDIT",
      `the area costs ${microToCredits(cost)} credits, the group has ${microToCredits(group.remainingMicro)}`,
    );
  }
  if (user.limitMicro !== null && user.usedMicro + cost > user.limitMicro) {
    throw new ServiceError(
      "USER-CREDIT-LIMIT",
      `the area costs ${microToCredits(cost)} credits, the user's limit is ${microToCredits(user.limitMicro)} ` +
        `of which ${microToCredits(user.usedMicro)} are used`,
    );
  }
}

/** @throws {ServiceError} LICENSE-EXPIRED */
export function requireLicense(groupId: string, licenseUntil: Date | null, now: Date): void {
  if (licenseUntil !== null && licenseUntil.getTime() <= now.getTime()) {
    throw new ServiceError(
      "LICENSE-EXPIRED",
      `the licence of group ${groupId} has expired or not begun at ${now.toISOString()}`,
    );
  }
}

import { microToCredits, type MicroCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Why a charge is refused; `credit_refusal` of the database judges. */
export type Refusal = "LICENSE-EXPIRED" | "INSUFFICIENT-CREDIT" | "USER-CREDIT-LIMIT";

/** The credit of a group and of one of its users. */
export interface Funds {
  readonly remainingMicro: MicroCredits;
  /** Null for no limit. */
  readonly limitMicro: MicroCredits | null;
  readonly usedMicro: MicroCredits;
}

export interface RefusedCharge extends Funds {
  readonly refusal: Refusal;
  readonly groupId: string;
  readonly at: Date;
  readonly cost: MicroCredits;
}

export function refusalError({ refusal, groupId, at, cost, ...funds }: RefusedCharge): ServiceError {
  if (refusal === "LICENSE-EXPIRED") return licenseError(groupId, at);
  const account =
    refusal === "INSUFFICIENT-CREDIT"
      ? `the group has ${microToCredits(funds.remainingMicro)}`
      : `the user's limit is ${microToCredits(funds.limitMicro ?? 0n)} of which ${microToCredits(funds.usedMicro)} are used`;
  return new ServiceError(refusal, `the area costs ${microToCredits(cost)} credits, ${account}`);
}

export function licenseError(groupId: string, at: Date): ServiceError {
  return new ServiceError(
    "LICENSE-EXPIRED",
    `the licence of group ${groupId} has expired or not begun at ${at.toISOString()}`,
  );
}

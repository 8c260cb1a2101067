import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { cappedCharge } from "@swath/kernel/tasking/captured-price";
import type { CreditEffect } from "@swath/kernel/tasking/order-state";
import type { Trx } from "../../../platform/context.ts";
import type { CreditHolds } from "../../credits/holds.ts";

/** The captures that an order is charged for, all of them together. */
export interface ChargedCaptures {
  readonly areaKm2: number;
  /** `capturedPrice` of the kernel gives the price of an area. */
  readonly micro: MicroCredits;
  /** The delivered scene; with its geometry it becomes an area that the group holds. */
  readonly sceneId?: string;
  readonly tiles?: readonly StoreTile[];
  readonly geometry?: MultiPolygon;
}

/** A change of the credit that an order holds. */
export interface HoldEffect {
  readonly orderReferenceId: string;
  readonly effect: CreditEffect;
  /** As held when the order was placed. */
  readonly price: { readonly micro: MicroCredits; readonly areaKm2: number };
  /** Share of the hold that a cancellation keeps, 0..1. */
  readonly feeShare: number;
  readonly captured: ChargedCaptures | null;
}

type Holds = Pick<CreditHolds, "updateHold" | "returnHold">;

/** @returns the entry of the credit log; null when no credit has changed */
export async function changeHold(credits: Holds, trx: Trx, change: HoldEffect): Promise<string | null> {
  const { orderReferenceId, effect, feeShare, price, captured } = change;
  if (effect === "none") return null;
  if (effect === "settle") return await charge(credits, trx, change, captured ?? price, true);
  const charged =
    effect === "return-unused" && captured !== null ? await charge(credits, trx, change, captured, false) : null;
  const fraction = effect === "return-less-fee" ? 1 - feeShare : 1;
  return (await credits.returnHold(trx, { orderReferenceId, fraction })).transactionId ?? charged;
}

/**
 * Charges captures, at most 105 % of the price. The excess over the price is waived when the group or the user lacks it:
 * the capture was ordered and delivered, and its order must end.
 */
async function charge(
  credits: Holds,
  trx: Trx,
  { orderReferenceId, price }: HoldEffect,
  captured: ChargedCaptures,
  isFinal: boolean,
): Promise<string | null> {
  const micro = cappedCharge(price.micro, captured.micro);
  const update = { ...captured, orderReferenceId, micro, isFinal };
  try {
    return (await credits.updateHold(trx, update)).transactionId;
  } catch (error) {
    if (!isLackOfCredit(error) || micro <= price.micro) throw error;
    return (await credits.updateHold(trx, { ...update, micro: price.micro })).transactionId;
  }
}

function isLackOfCredit(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "INSUFFICIENT-CREDIT" || error.code === "USER-CREDIT-LIMIT");
}

import type { CreditCheck } from "@swath/contract/features/tasking/feasibility-contract";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import type { Caller } from "../../../platform/context.ts";
import type { CreditsService } from "../../credits/service.ts";
import { quoteOrder, type QuoteDeps } from "./quote-order.ts";

/**
 * The charge of an order and the credit that is there for it; nothing is ordered.
 *
 * @throws {ServiceError} as `quoteOrder`; LICENSE-EXPIRED
 */
export async function checkTaskingCredit(
  deps: QuoteDeps & { readonly credits: Pick<CreditsService, "spendableMicro"> },
  caller: Caller,
  order: PlacedOrder,
): Promise<CreditCheck> {
  const { areaM2, micro, payerGroupId } = await quoteOrder(deps, caller, order);
  const remaining = await deps.credits.spendableMicro(payerGroupId, caller.userId);
  return {
    areaKm2: squareMetresToKm2(areaM2),
    cost: microToCredits(micro),
    groupId: payerGroupId,
    remainingCredit: microToCredits(remaining),
  };
}

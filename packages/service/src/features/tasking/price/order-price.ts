import { creditsToMicro, km2ToSquareMetres } from "@swath/kernel/credits/micro";
import { taskingPrice, type TaskingPrice } from "@swath/kernel/tasking/tasking-price";
import type { CreditsService } from "../../credits/service.ts";
import type { OrderPlan } from "../parameters/order-plan.ts";

/** Everything that an order costs by, beside the moment. */
export interface PricedPlan {
  /** Group that pays. */
  readonly groupId: string;
  readonly plan: Pick<OrderPlan, "area" | "info" | "priorityFactor" | "tasked">;
  /** As agreed in the contract, in place of price rules; null: price rules decide. */
  readonly agreedCreditsPerKm2: number | null;
}

/**
 * The price of an order now. Windows of studies are priced by it. Credit checks and orders take the price of their
 * window, so that all three agree.
 *
 * @see domain notes, "Price model"
 */
export async function orderPrice(
  credits: Pick<CreditsService, "datasetPrices">,
  { groupId, plan, agreedCreditsPerKm2 }: PricedPlan,
): Promise<TaskingPrice> {
  const { area, info, priorityFactor, tasked } = plan;
  const { provider, dataset } = tasked;
  const [price] = await credits.datasetPrices(groupId, [{ provider: provider.id, dataset: dataset.dataset }]);
  if (price === undefined) throw new Error(`the dataset ${dataset.dataset} has no price`);
  return taskingPrice({
    microPerKm2: agreedCreditsPerKm2 === null ? price.microPerKm2 : creditsToMicro(agreedCreditsPerKm2),
    areaM2: km2ToSquareMetres(area.areaKm2),
    leastAreasM2: [
      price.minAreaM2,
      km2ToSquareMetres(info.preallocationAreaKm2),
      km2ToSquareMetres(dataset.minAreaKm2),
    ],
    costMultiplier: info.costMultiplier,
    priorityFactor,
  });
}

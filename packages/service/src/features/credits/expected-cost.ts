import { creditsToMicro, formatMillionths, type MicroCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Whether a caller states no price, or this one to the last micro-credit. */
export function isExpectedCost(expectedCost: number | undefined, cost: MicroCredits): boolean {
  return expectedCost === undefined || creditsToMicro(expectedCost) === cost;
}

/** The refusal of a charge that differs from the price that the caller has seen. */
export function priceChanged(expectedCost: number, cost: MicroCredits): ServiceError {
  const expected = formatMillionths(creditsToMicro(expectedCost));
  const actual = formatMillionths(cost);
  return new ServiceError(
    "PRICE-CHANGED",
    `the price is ${actual} credits, expected ${expected} credits: nothing was charged`,
    {
      details: [
        { path: "/expectedCost", message: expected },
        { path: "/cost", message: actual },
      ],
    },
  );
}

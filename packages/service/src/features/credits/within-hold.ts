import type { MicroCredits } from "@swath/kernel/credits/micro";
import { areaCost } from "@swath/kernel/credits/pricing";
import { totalOf, type Quote } from "./quote.ts";

/** Areas of a scene are rounded together: an allocation in between moves the charge by a square metre. */
const ROUNDED_M2 = 1;

/**
 * The quotes of a charge that takes at most the held credit. A difference that rounding explains is not charged.
 *
 * @returns null when they cost more than rounding explains
 */
export function withinHold(quotes: readonly Quote[], heldMicro: MicroCredits): readonly Quote[] | null {
  let excess = totalOf(quotes).cost - heldMicro;
  if (excess <= 0n) return quotes;
  const fitting = quotes.map((quote): Quote => {
    const { cost, addedM2 } = quote.plan;
    if (addedM2 === 0 || excess <= 0n) return quote;
    const rounding = areaCost(ROUNDED_M2, quote.quoted.price) + 1n;
    const cut = [excess, rounding, cost].reduce((least, one) => (one < least ? one : least));
    excess -= cut;
    return { ...quote, plan: { ...quote.plan, cost: cost - cut } };
  });
  return excess > 0n ? null : fitting;
}

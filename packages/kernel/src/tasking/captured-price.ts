import type { MicroCredits } from "../credits/micro.ts";

/** Price and area of an order as they were held. */
export interface OrderedArea {
  readonly micro: MicroCredits;
  /** Whole square metres, > 0. */
  readonly areaM2: number;
}

/** Without consent, captures cost at most this share of the held price. */
const MAX_CHARGED_PERCENT = 105n;

/**
 * The charge for an imaged area: the price per square metre of the order, rounded down to a micro-credit, and never
 * above 105 % of the held price.
 *
 * @param capturedM2 whole square metres, >= 0
 */
export function capturedPrice(order: OrderedArea, capturedM2: number): MicroCredits {
  if (order.areaM2 <= 0) return order.micro;
  return cappedCharge(order.micro, (order.micro * BigInt(capturedM2)) / BigInt(order.areaM2));
}

/** The charge, but at most 105 % of the held price. */
export function cappedCharge(held: MicroCredits, charge: MicroCredits): MicroCredits {
  const most = (held * MAX_CHARGED_PERCENT) / 100n;
  return charge > most ? most : charge;
}

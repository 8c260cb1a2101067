import { hashOf, seedOf, unit } from "@swath/simulator/constellation/hash";

/** A number in [0, 1) that belongs to an order: the same whenever and wherever it is asked for. */
export function chanceOf(orderId: string, what: string, index = 0): number {
  return unit(hashOf(seedOf(orderId), seedOf(what), index));
}

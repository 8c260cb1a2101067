import type { MicroCredits } from "../credits/micro.ts";
import { SQUARE_METRES_PER_KM2 } from "../credits/micro.ts";

/** An order with all that decides its price. */
export interface PricedOrder {
  /** Of archive imagery, or as agreed in a contract. */
  readonly microPerKm2: MicroCredits;
  /** Ordered area, whole square metres. */
  readonly areaM2: number;
  /** Least areas that are charged, whole square metres: of the dataset, of the kind of tasking, of a price rule. */
  readonly leastAreasM2: readonly number[];
  /** Factor of the kind of tasking on the price of archive imagery. */
  readonly costMultiplier: number;
  /** Factor of the priority on the price of the kind of tasking. */
  readonly priorityFactor: number;
}

/** The price of an order and the area that it is for. */
export interface TaskingPrice {
  readonly micro: MicroCredits;
  /** Charged area, whole square metres. */
  readonly areaM2: number;
}

/** Factors are exact to a millionth. */
const PARTS = 1_000_000;

/**
 * The price of an order: area times price times factors, rounded half up to a micro-credit. All arithmetic is in
 * integers, so that equal orders cost the same everywhere.
 *
 * @throws {RangeError} if an area is not a whole number or a factor is not positive
 * @see domain notes, "Price model"
 * @example taskingPrice({ microPerKm2: 100_000n, areaM2: 25_000_000, leastAreasM2: [], costMultiplier: 2, priorityFactor: 1 }) // 5000000n
 */
export function taskingPrice(order: PricedOrder): TaskingPrice {
  const areaM2 = Math.max(order.areaM2, ...order.leastAreasM2);
  const factors = partsOf(order.costMultiplier) * partsOf(order.priorityFactor);
  const divisor = BigInt(SQUARE_METRES_PER_KM2) * BigInt(PARTS) * BigInt(PARTS);
  const micro = (BigInt(areaM2) * order.microPerKm2 * factors + divisor / 2n) / divisor;
  return { micro, areaM2 };
}

function partsOf(factor: number): bigint {
  if (!(factor > 0)) throw new RangeError(`a factor must be positive, got ${factor}`);
  return BigInt(Math.round(factor * PARTS));
}

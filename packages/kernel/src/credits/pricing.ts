import type { MultiPolygon } from "../geometry/geojson.ts";
import { SQUARE_METRES_PER_KM2, type MicroCredits } from "./micro.ts";

/** What one square kilometre costs, and the least that the first allocation of a scene is charged for. */
export interface Price {
  readonly microPerKm2: MicroCredits;
  readonly minAreaM2: number;
}

/** One line of the price table. Null matches everything. */
export interface PriceRule extends Price {
  readonly provider: string | null;
  readonly dataset: string | null;
  /** Prices what a map type adds to the price of the scene itself. Null prices the scene. */
  readonly mapType: string | null;
  /** Group that pays. */
  readonly groupId: string | null;
  readonly tier: string | null;
  /** A free area: the rule prices only what lies inside it, at zero. Null prices the whole scene. */
  readonly area: MultiPolygon | null;
}

/** The group that pays, and its tier. */
export interface Payer {
  readonly groupId: string;
  readonly tier: string;
}

/** What a price is asked for. */
export interface PricedDataset extends Payer {
  readonly provider: string;
  readonly dataset: string;
}

function matches(rule: PriceRule, wanted: PricedDataset): boolean {
  return (
    (rule.provider === null || rule.provider === wanted.provider) &&
    (rule.dataset === null || rule.dataset === wanted.dataset) &&
    (rule.groupId === null || rule.groupId === wanted.groupId) &&
    (rule.tier === null || rule.tier === wanted.tier)
  );
}

/** A price that was agreed with a group holds whatever the price lists say. */
function specificity({ groupId, dataset, provider, tier }: PriceRule): number {
  return [groupId, dataset, provider, tier].reduce((sum, name) => 2 * sum + (name === null ? 0 : 1), 0);
}

function mostSpecific(
  rules: readonly PriceRule[],
  wanted: PricedDataset,
  mapType: string | null,
): PriceRule | undefined {
  let best: PriceRule | undefined;
  for (const rule of rules) {
    if (rule.area !== null || rule.mapType !== mapType || !matches(rule, wanted)) continue;
    if (best === undefined || specificity(rule) > specificity(best)) best = rule;
  }
  return best;
}

/**
 * The price of a dataset for a group: the most specific matching rule, group before dataset before provider before
 * tier, the first of equals; `fallback` when no rule matches. Rules of map types do not count.
 */
export function priceOf(rules: readonly PriceRule[], wanted: PricedDataset, fallback: Price): Price {
  return mostSpecific(rules, wanted, null) ?? fallback;
}

/**
 * What a map type of a dataset costs beyond the scene, by the most specific rule of that map type; null when it costs
 * nothing of its own.
 */
export function mapTypePriceOf(rules: readonly PriceRule[], wanted: PricedDataset, mapType: string): Price | null {
  const rule = mostSpecific(rules, wanted, mapType);
  return rule === undefined || rule.microPerKm2 === 0n ? null : rule;
}

/**
 * Areas inside which a dataset is free, from the matching zero-price rules; with a map type, areas inside which that
 * is free: where the scene is and where the map type alone is.
 */
export function freeAreasOf(
  rules: readonly PriceRule[],
  wanted: PricedDataset,
  mapType: string | null = null,
): readonly MultiPolygon[] {
  return rules.flatMap((rule) =>
    rule.area !== null && (rule.mapType === null || rule.mapType === mapType) && matches(rule, wanted)
      ? [rule.area]
      : [],
  );
}

/**
 * Price of an area, rounded half up to a micro-credit in integer arithmetic.
 *
 * @param areaM2 whole square metres, 0 or more
 * @throws {RangeError} if the area is not a whole number of square metres
 * @example areaCost(847_000_000, { microPerKm2: 100_000n, minAreaM2: 0 }) // 84700000n, 847 km2 at 0.1 credits
 */
export function areaCost(areaM2: number, price: Price): MicroCredits {
  const divisor = BigInt(SQUARE_METRES_PER_KM2);
  return (BigInt(areaM2) * price.microPerKm2 + divisor / 2n) / divisor;
}

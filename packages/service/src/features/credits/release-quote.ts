import { squareMetresToKm2, type MicroCredits } from "@swath/kernel/credits/micro";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Trx } from "../../platform/context.ts";
import { lockPricesAsRead } from "./administration-store.ts";
import { quoteScenesNow, soldScenes, type KnownArea, type QuoteDeps, type SoldScene } from "./area-quotes.ts";
import { isExpectedCost, priceChanged } from "./expected-cost.ts";
import { readState, type LedgerState, type StateRequest } from "./ledger-state.ts";
import { payingGroupId } from "./paying-group.ts";
import { totalOf, type Quote } from "./quote.ts";
import * as store from "./store.ts";

/** A scene of a release, with the map types that are made of it. */
export interface PayableScene {
  readonly sceneId: string;
  readonly mapTypes: readonly string[];
}

/** The scenes and the area that a release pays for. */
export interface ReleasePurchase {
  /** Price that the caller has seen, credits. */
  readonly expectedCost?: number | undefined;
  readonly caller: Caller;
  readonly scenes: readonly PayableScene[];
  readonly extent: GeoJson;
  /** The same in normal form. */
  readonly known: KnownArea;
}

/** The facts that decided a quote. */
interface QuoteBasis {
  readonly groupId: string;
  readonly scenes: readonly SoldScene[];
  readonly asked: StateRequest;
  readonly state: LedgerState;
  readonly signal: AbortSignal | undefined;
}

/** The most that a release can cost. */
export interface ReleaseQuote {
  readonly micro: MicroCredits;
  readonly areaKm2: number;
  /** Null: of several. */
  readonly provider: string | null;
  readonly dataset: string | null;
  /** Price that the caller counts on, credits; undefined: any. */
  readonly expectedCost: number | undefined;
  readonly basis: QuoteBasis;
}

/** @throws {ServiceError} EXTENT-HAS-NO-INTERSECTION, EXTENT-TOO-LARGE, NON-EXISTING-SCENE, NOT-AUTHORIZED, PRICE-CHANGED */
export async function quoteRelease(deps: QuoteDeps, purchase: ReleasePurchase): Promise<ReleaseQuote> {
  const { caller, known, expectedCost } = purchase;
  const { signal } = known;
  const groupId = payingGroupId(caller);
  if (groupId === "") throw new ServiceError("NOT-AUTHORIZED", "the caller belongs to no group that could pay");
  const scenes = await scenesToPay(deps, purchase);
  const reads: Pick<QuoteBasis, "asked" | "state">[] = [];
  const quotes = await quoteScenesNow(
    deps,
    groupId,
    scenes,
    {},
    {
      signal,
      async read(asked) {
        const state = await readState(deps.db, asked);
        reads.push({ asked, state });
        return state;
      },
    },
  );
  const [read] = reads;
  if (read === undefined) throw new Error("a quote reads the prices once");
  return quoteOf(quotes, expectedCost, { groupId, scenes, signal, ...read });
}

/**
 * The quote as it is at the moment of its hold. The accounts of group and user are locked from here on, and prices
 * wait: no price of this moment changes any more. An overlay runs in the transaction only when something has moved
 * since the quote.
 *
 * @throws {ServiceError} PRICE-CHANGED when the caller has seen another price
 */
export async function quoteAtHold(
  deps: QuoteDeps,
  trx: Trx,
  { userId }: Pick<Caller, "userId">,
  quote: ReleaseQuote,
): Promise<{ readonly quote: ReleaseQuote; readonly at: Date }> {
  const { groupId, scenes, asked, state, signal } = quote.basis;
  await lockPricesAsRead(trx);
  await store.lockAccounts(trx, groupId, userId);
  const at = deps.clock.now();
  const now = await readState(trx, { ...asked, at });
  if (decisiveText(now) === decisiveText(state)) return { quote, at };
  const quotes = await quoteScenesNow(deps, groupId, scenes, {}, { read: () => Promise.resolve(now), at, signal });
  return { quote: quoteOf(quotes, quote.expectedCost, { ...quote.basis, state: now }), at };
}

/** Equal for states with equal prices: tier, rules, and versions of the coverage. */
function decisiveText({ tier, rules, coverage }: LedgerState): string {
  const versions = [...coverage].map(([key, { version }]) => `${key} ${version}`).toSorted();
  return JSON.stringify([tier, rules.map((rule) => ({ ...rule, microPerKm2: rule.microPerKm2.toString() })), versions]);
}

function quoteOf(quotes: readonly Quote[], expectedCost: number | undefined, basis: QuoteBasis): ReleaseQuote {
  const { scenes } = basis;
  const { cost, addedM2 } = totalOf(quotes);
  if (expectedCost !== undefined && !isExpectedCost(expectedCost, cost)) throw priceChanged(expectedCost, cost);
  return {
    micro: cost,
    // A hold of nothing needs no entries in the log.
    areaKm2: cost === 0n ? 0 : squareMetresToKm2(addedM2),
    provider: onlyOne(scenes.map(({ scene }) => scene.provider)),
    dataset: onlyOne(scenes.map(({ scene }) => scene.dataset)),
    expectedCost,
    basis,
  };
}

function onlyOne(names: readonly string[]): string | null {
  const [first, ...others] = new Set(names);
  return others.length > 0 ? null : (first ?? null);
}

/** The part of each scene that the release pays for, with the map types that are made of it. */
export async function scenesToPay(
  deps: QuoteDeps,
  { caller, scenes, extent, known }: ReleasePurchase,
): Promise<readonly SoldScene[]> {
  if (scenes.length === 0) return [];
  const typesOf = new Map(scenes.map(({ sceneId, mapTypes }) => [sceneId, mapTypes]));
  const request = { sceneIds: [...typesOf.keys()], geojson: extent };
  const sold = await soldScenes(deps, caller, request, known);
  return sold.map((one) => ({ ...one, mapTypes: typesOf.get(one.scene.sceneId) ?? [] }));
}

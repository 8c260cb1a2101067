import { microToCredits, squareMetresToKm2, type MicroCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { allocationOf } from "./allocation-of.ts";
import { allocate } from "./allocation-store.ts";
import { quoteScenesNow, type QuoteDeps, type SoldScene } from "./area-quotes.ts";
import * as holds from "./holds-store.ts";
import type { CreditHolds } from "./holds.ts";
import { readState } from "./ledger-state.ts";
import { totalOf, type Quote } from "./quote.ts";
import { refusalError } from "./refusal.ts";
import { quoteAtHold, quoteRelease, scenesToPay, type ReleasePurchase, type ReleaseQuote } from "./release-quote.ts";
import { withinHold } from "./within-hold.ts";

/** The charge of a release, worked out against what the group holds now. */
interface PlannedCharge {
  readonly pipelineId: string;
  readonly caller: Caller;
  readonly scenes: readonly SoldScene[];
  readonly quotes: readonly Quote[];
  /** Moment of the hold, whose prices hold. */
  readonly pricesAt: Date;
}

/** The charge of a scene, or of a priced map type on top of it. */
interface ChargedScene {
  readonly sceneId: string;
  /** Id of the price; null: of the scene itself. */
  readonly mapType: string | null;
  readonly km2: number;
  readonly credits: number;
}

export interface ReleaseCharge {
  readonly heldCredits: number;
  readonly chargedCredits: number;
  readonly returnedCredits: number;
  /** Of the caller. */
  readonly remainingCredit: number;
  readonly scenes: readonly ChargedScene[];
}

/**
 * Payment of a release by its maps. The most that it can cost is held, under the ID of its pipeline, when it is
 * accepted. In the transaction that ends the pipeline the hold goes back and the maps that were made are charged. A
 * pipeline that ends otherwise is charged nothing; its hold goes back soon after.
 */
export interface ReleasePayments {
  /** @throws {ServiceError} EXTENT-HAS-NO-INTERSECTION, EXTENT-TOO-LARGE, NON-EXISTING-SCENE, NOT-AUTHORIZED, PRICE-CHANGED */
  quoteRelease(purchase: ReleasePurchase): Promise<ReleaseQuote>;
  /**
   * Holds the price of this moment. Prices may have changed, and areas been paid for, since the quote.
   *
   * @throws {ServiceError} PRICE-CHANGED when the caller has seen another price; INSUFFICIENT-CREDIT,
   *   USER-CREDIT-LIMIT, LICENSE-EXPIRED
   */
  holdRelease(trx: Trx, caller: Caller, pipelineId: string, quote: ReleaseQuote): Promise<void>;
  /** Overlays can take seconds: outside of the transaction. */
  planCharge(pipelineId: string, purchase: ReleasePurchase): Promise<PlannedCharge>;
  /** @throws {ServiceError} USER-CREDIT-LIMIT, LICENSE-EXPIRED; CREDITS-ERROR when it would cost more than is held */
  settleRelease(trx: Trx, charge: PlannedCharge): Promise<ReleaseCharge>;
  /** Gives back what pipelines hold that have ended without settling it. @returns how many did */
  returnEndedReleases(signal: AbortSignal): Promise<number>;
}

export function createReleasePayments(
  deps: QuoteDeps,
  { preallocate, returnHold }: Pick<CreditHolds, "preallocate" | "returnHold">,
): ReleasePayments {
  return {
    quoteRelease: (purchase) => quoteRelease(deps, purchase),
    async holdRelease(trx, caller, orderReferenceId, earlier) {
      const { quote, at } = await quoteAtHold(deps, trx, caller, earlier);
      const { micro, areaKm2, provider, dataset } = quote;
      const price = { micro, areaKm2, provider, dataset, at };
      await preallocate(trx, { caller, orderReferenceId, purpose: "release", ...price });
    },
    planCharge: (pipelineId, purchase) => planCharge(deps, pipelineId, purchase),
    settleRelease: (trx, charge) => settleRelease(deps, returnHold, trx, charge),
    returnEndedReleases: (signal) => returnEndedReleases(deps, returnHold, signal),
  };
}

function readsOf(db: QuoteDeps["db"]): Pick<Parameters<typeof quoteScenesNow>[4], "read"> {
  return { read: (request) => readState(db, request) };
}

async function planCharge(deps: QuoteDeps, pipelineId: string, purchase: ReleasePurchase): Promise<PlannedCharge> {
  const { caller, known } = purchase;
  const held = await holds.readHold(deps.db, pipelineId);
  if (held === null) throw new Error(`the release ${pipelineId} holds no credit`);
  const pricesAt = held.createdAt;
  const scenes = await scenesToPay(deps, purchase);
  const reads = { ...readsOf(deps.db), at: pricesAt, signal: known.signal };
  const quotes = await quoteScenesNow(deps, held.groupId, scenes, {}, reads);
  return { pipelineId, caller, scenes, quotes, pricesAt };
}

async function settleRelease(
  deps: QuoteDeps,
  returnHold: CreditHolds["returnHold"],
  trx: Trx,
  { pipelineId, caller, scenes, quotes: planned, pricesAt }: PlannedCharge,
): Promise<ReleaseCharge> {
  const returned = await returnHold(trx, { orderReferenceId: pipelineId });
  const { groupId } = returned;
  const heldMicro = -returned.micro;
  const at = deps.clock.now();
  let current = planned;
  for (let isReplanned = false; ; isReplanned = true) {
    const quotes = withinHold(current, heldMicro);
    if (quotes === null) throw exceeded(totalOf(current).cost, heldMicro);
    const allocation = allocationOf(caller, quotes, at, null);
    const { cost } = allocation;
    const outcome = await allocate(trx, allocation);
    if (outcome.status === "done") return chargeOf(quotes, heldMicro, outcome.answer.remainingCredit);
    if (outcome.status === "refused") throw refusalError({ ...outcome, groupId, at, cost });
    if (isReplanned) throw new Error(`what the group ${groupId} holds has moved while it was locked`);
    current = await quoteScenesNow(deps, groupId, scenes, {}, { ...readsOf(trx), at: pricesAt });
  }
}

/** The tier of the group has changed meanwhile, or its hold was given back. */
function exceeded(cost: MicroCredits, heldMicro: MicroCredits): ServiceError {
  return new ServiceError(
    "CREDITS-ERROR",
    `the maps cost ${microToCredits(cost)} credits and ${microToCredits(heldMicro)} are held for them: nothing was ` +
      "charged, release again at the new price",
  );
}

function chargeOf(quotes: readonly Quote[], heldMicro: MicroCredits, remainingCredit: number): ReleaseCharge {
  const { cost } = totalOf(quotes);
  return {
    heldCredits: microToCredits(heldMicro),
    chargedCredits: microToCredits(cost),
    returnedCredits: microToCredits(heldMicro - cost),
    remainingCredit,
    scenes: quotes
      .filter(({ plan }) => plan.addedM2 > 0)
      .map(({ quoted, plan }) => ({
        sceneId: quoted.scene.sceneId,
        mapType: quoted.mapType,
        km2: squareMetresToKm2(plan.addedM2),
        credits: microToCredits(plan.cost),
      })),
  };
}

/** Holds that one look at the table gives back. */
const RETURNED_TOGETHER = 100;

async function returnEndedReleases(
  { db }: Pick<QuoteDeps, "db">,
  returnHold: CreditHolds["returnHold"],
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const orderReferenceId of await holds.selectEndedReleases(db, RETURNED_TOGETHER)) {
    signal.throwIfAborted();
    await inTransaction(db, (trx) => returnHold(trx, { orderReferenceId }));
    count += 1;
  }
  return count;
}

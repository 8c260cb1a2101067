import { randomUUID } from "node:crypto";
import { planAllocation } from "@swath/kernel/credits/allocation";
import { boundsOf, NO_COVERAGE } from "@swath/kernel/credits/coverage";
import {
  exceedsHold,
  placeHold,
  releaseHold,
  settleHold,
  type Hold,
  type HoldChange,
} from "@swath/kernel/credits/hold";
import { km2ToSquareMetres, microToCredits, type MicroCredits } from "@swath/kernel/credits/micro";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { parentSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Trx } from "../../platform/context.ts";
import * as holds from "./holds-store.ts";
import { growCoverage } from "./allocation-store.ts";
import { readState } from "./ledger-state.ts";
import { refusalError } from "./refusal.ts";
import * as store from "./store.ts";
import { payingGroupId } from "./paying-group.ts";

/** What an order reserves when it is placed. */
export interface Preallocation {
  /** Who orders, and the group that pays for it. */
  readonly caller: Pick<Caller, "userId" | "groupId" | "accountingGroupId">;
  readonly orderReferenceId: string;
  /** Unless given, of an order. */
  readonly purpose?: holds.HoldPurpose;
  /** Null: of several. */
  readonly provider: string | null;
  readonly dataset: string | null;
  readonly areaKm2: number;
  readonly micro: MicroCredits;
  /** Moment whose prices hold; now unless given. */
  readonly at?: Date;
}

/** What an order has captured. */
interface HoldUpdate {
  readonly orderReferenceId: string;
  /** Of all captures so far together, not of this one. */
  readonly areaKm2: number;
  /** Cost of all captures so far together. */
  readonly micro: MicroCredits;
  /** Nothing more will come, which is so unless said otherwise: what is left of the hold is given back. */
  readonly isFinal?: boolean;
  /** The user has agreed to pay more than 105 % of what was preallocated. */
  readonly hasConsent?: boolean;
  /** The capture that is delivered; with its geometry it becomes an area that the group holds. */
  readonly sceneId?: string;
  readonly tiles?: readonly StoreTile[];
  readonly geometry?: MultiPolygon;
}

interface HoldReturn {
  readonly orderReferenceId: string;
  /** 0..1 of what is still held, all of it unless said otherwise; the rest is kept. */
  readonly fraction?: number;
}

/** A hold after a change. */
interface HoldOutcome {
  readonly groupId: string;
  readonly userId: string;
  readonly hold: Hold;
  /** Taken off the balance by this change; negative when given back; 0 when nothing was changed. */
  readonly micro: MicroCredits;
  /** The entry of the log; null when nothing was changed. */
  readonly transactionId: string | null;
  /** The area that was delivered; null when there was none or it was known already. */
  readonly allocationId: string | null;
}

/**
 * Credit that is held for orders. All changes run in the caller's transaction, lock group, user and order in this
 * order, and may be repeated: a change that was made already makes no second entry in the log. The entries of an order
 * sum to what it has cost; once it is over it holds nothing.
 */
export interface CreditHolds {
  /**
   * Takes the price of an order off the balance.
   *
   * @throws {ServiceError} INSUFFICIENT-CREDIT, USER-CREDIT-LIMIT, LICENSE-EXPIRED, NOT-AUTHORIZED without a group;
   *   CONFLICT when the order holds something else already
   */
  preallocate(trx: Trx, request: Preallocation): Promise<HoldOutcome>;
  /**
   * Charges what was captured in place of what was held.
   *
   * @throws {ServiceError} CREDITS-ERROR when it costs more than 105 % of what was preallocated without consent;
   *   INSUFFICIENT-CREDIT, USER-CREDIT-LIMIT; NON-EXISTENT-ORDER; ILLEGAL-STATE-TRANSITION after a return
   */
  updateHold(trx: Trx, request: HoldUpdate): Promise<HoldOutcome>;
  /**
   * Gives back what an order still holds when it is rejected, cancelled or expired.
   *
   * @throws {ServiceError} NON-EXISTENT-ORDER; ILLEGAL-STATE-TRANSITION when all captures are settled already
   */
  returnHold(trx: Trx, request: HoldReturn): Promise<HoldOutcome>;
}

interface LockedHold {
  readonly stored: holds.StoredHold;
  readonly account: store.Account;
}

/** @throws {ServiceError} INSUFFICIENT-CREDIT, USER-CREDIT-LIMIT, LICENSE-EXPIRED */
async function requireFunds(
  trx: Trx,
  groupId: string,
  account: Omit<store.Account, "tier" | "spendableMicro">,
  cost: MicroCredits,
  at: Date,
): Promise<void> {
  const refusal = await store.findRefusal(trx, account, cost);
  if (refusal !== null) throw refusalError({ ...account, refusal, groupId, at, cost });
}

/** Whose hold it is never changes, so it may be read before the locks that come first are taken. */
async function lockOrder(trx: Trx, orderReferenceId: string, at: Date): Promise<LockedHold> {
  const owner = await holds.readHold(trx, orderReferenceId);
  if (owner === null) throw new ServiceError("NON-EXISTENT-ORDER", `the order ${orderReferenceId} holds no credit`);
  await store.lockAccounts(trx, owner.groupId, owner.userId);
  const account = await store.readAccount(trx, owner.groupId, owner.userId, at);
  const stored = await holds.lockHold(trx, orderReferenceId);
  if (stored === null) throw new Error(`the hold of order ${orderReferenceId} vanished while it was locked`);
  return { stored, account };
}

/** A delivered area is held by the group without paying for it again, now and when more of the scene is allocated. */
async function cover(trx: Trx, groupId: string, sceneKey: string, geometry: MultiPolygon, at: Date): Promise<void> {
  const { coverage } = await readState(trx, {
    groupId,
    at,
    providers: [],
    datasets: [],
    mapTypes: [],
    coverage: [{ sceneKey, bounds: boundsOf(geometry.coordinates) }],
  });
  const held = coverage.get(sceneKey);
  const before = held ?? NO_COVERAGE;
  const { addedM2, after } = planAllocation({
    before,
    addition: geometry,
    freeAreas: [],
    price: { microPerKm2: 0n, minAreaM2: 0 },
    costFree: true,
  });
  if (addedM2 > 0) await growCoverage(trx, groupId, { sceneKey, version: held?.version ?? 0n, before, after });
}

/** Stores a change of a hold with its transaction and, for a delivered scene, the area that the group then holds. */
async function write(
  clock: Clock,
  trx: Trx,
  stored: holds.StoredHold,
  kind: holds.OrderTransaction["kind"],
  change: HoldChange,
  capture: Pick<HoldUpdate, "sceneId" | "tiles" | "geometry"> = {},
): Promise<HoldOutcome> {
  const { groupId, userId, orderReferenceId } = stored;
  const { sceneId, tiles = null, geometry } = capture;
  const isDelivery =
    sceneId !== undefined && geometry !== undefined && !(await holds.hasDelivered(trx, orderReferenceId, sceneId));
  const isChange = change.micro !== 0n || change.areaM2 !== 0 || isDelivery;
  const outcome = { groupId, userId, hold: change.after, micro: change.micro };
  const createdAt = clock.now();
  if (isChange || change.after.state !== stored.hold.state || change.after.settledMicro !== stored.hold.settledMicro) {
    await holds.updateHold(trx, orderReferenceId, change.after, createdAt);
  }
  if (!isChange) return { ...outcome, transactionId: null, allocationId: null };
  const transactionId = randomUUID();
  const allocationId = isDelivery ? randomUUID() : null;
  await holds.insertOrderTransaction(trx, {
    id: transactionId,
    kind,
    owner: stored,
    areaM2: change.areaM2,
    micro: change.micro,
    sceneId: sceneId ?? null,
    tiles,
    allocationId,
    createdAt,
  });
  if (allocationId !== null && sceneId !== undefined && geometry !== undefined) {
    const sceneKey = parentSceneId(sceneId);
    const area = { transactionId, owner: stored, sceneId, sceneKey, tiles, geometry, createdAt };
    await holds.insertDeliveredArea(trx, { id: allocationId, ...area });
    await cover(trx, groupId, sceneKey, geometry, createdAt);
  }
  return { ...outcome, transactionId, allocationId };
}

async function preallocate(
  clock: Clock,
  trx: Trx,
  { caller, orderReferenceId, purpose = "order", provider, dataset, areaKm2, micro, at }: Preallocation,
): Promise<HoldOutcome> {
  const { userId } = caller;
  const groupId = payingGroupId(caller);
  if (groupId === "") throw new ServiceError("NOT-AUTHORIZED", "the caller belongs to no group that could pay");
  if (micro < 0n) throw new RangeError(`an order must cost 0 or more, got ${micro} micro-credits`);
  const hold = placeHold(micro, km2ToSquareMetres(areaKm2));
  await store.lockAccounts(trx, groupId, userId);
  const stored = { orderReferenceId, purpose, groupId, userId, provider, dataset, hold };
  const createdAt = at ?? clock.now();
  if (!(await holds.insertHold(trx, stored, hold, createdAt))) {
    const earlier = await holds.lockHold(trx, orderReferenceId);
    const isSame =
      earlier?.groupId === groupId &&
      earlier.userId === userId &&
      earlier.hold.preallocatedMicro === micro &&
      earlier.hold.preallocatedM2 === hold.preallocatedM2;
    if (!isSame) throw new ServiceError("CONFLICT", `the order ${orderReferenceId} holds other credit already`);
    return { groupId, userId, hold: earlier.hold, micro: 0n, transactionId: null, allocationId: null };
  }
  await requireFunds(trx, groupId, await store.readAccount(trx, groupId, userId, createdAt), micro, createdAt);
  if (micro === 0n && hold.preallocatedM2 === 0) {
    return { groupId, userId, hold, micro, transactionId: null, allocationId: null };
  }
  const id = randomUUID();
  await holds.insertOrderTransaction(trx, {
    id,
    kind: "credit.preallocate",
    owner: stored,
    areaM2: hold.preallocatedM2,
    micro,
    sceneId: null,
    tiles: null,
    allocationId: null,
    createdAt,
  });
  return { groupId, userId, hold, micro, transactionId: id, allocationId: null };
}

async function updateHold(
  clock: Clock,
  trx: Trx,
  { orderReferenceId, areaKm2, micro, isFinal = true, hasConsent = false, ...capture }: HoldUpdate,
): Promise<HoldOutcome> {
  const at = clock.now();
  const { stored, account } = await lockOrder(trx, orderReferenceId, at);
  const { hold } = stored;
  if (hold.state === "returned") {
    throw new ServiceError("ILLEGAL-STATE-TRANSITION", `the credit of order ${orderReferenceId} was returned`);
  }
  const isKnown = micro === hold.settledMicro;
  if (!isKnown && !hasConsent && exceedsHold(hold, micro)) {
    throw new ServiceError(
      "CREDITS-ERROR",
      `the captures cost ${microToCredits(micro)} credits, over 105 % of the ` +
        `${microToCredits(hold.preallocatedMicro)} that were preallocated: this needs the user's consent`,
    );
  }
  const change = settleHold(hold, { micro, areaM2: km2ToSquareMetres(areaKm2), isFinal });
  // A capture is charged after the end of the licence, too: it was ordered before.
  await requireFunds(trx, stored.groupId, { ...account, isLicensed: true }, change.micro, at);
  return await write(clock, trx, stored, "credit.update", change, capture);
}

async function returnHold(
  clock: Clock,
  trx: Trx,
  { orderReferenceId, fraction = 1 }: HoldReturn,
): Promise<HoldOutcome> {
  const { stored } = await lockOrder(trx, orderReferenceId, clock.now());
  const { groupId, userId, hold } = stored;
  if (hold.state === "returned") {
    return { groupId, userId, hold, micro: 0n, transactionId: null, allocationId: null };
  }
  if (hold.state === "settled") {
    throw new ServiceError("ILLEGAL-STATE-TRANSITION", `the captures of order ${orderReferenceId} are settled`);
  }
  return await write(clock, trx, stored, "credit.return", releaseHold(hold, fraction));
}

export function createCreditHolds({ clock }: { readonly clock: Clock }): CreditHolds {
  return {
    preallocate: async (trx, order) => preallocate(clock, trx, order),
    updateHold: async (trx, update) => updateHold(clock, trx, update),
    returnHold: async (trx, order) => returnHold(clock, trx, order),
  };
}

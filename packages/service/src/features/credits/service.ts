import { randomUUID } from "node:crypto";
import { boundsOf } from "@swath/kernel/credits/coverage";
import { microToCredits, squareMetresToKm2, type MicroCredits } from "@swath/kernel/credits/micro";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Scene } from "@swath/kernel/scenes/scene";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { createAreaAllocator } from "./allocate-area.ts";
import {
  priced,
  pricedMapTypes,
  quoteArea,
  sold,
  type AreaRequest,
  type KnownArea,
  type QuoteDeps,
} from "./area-quotes.ts";
import type {
  AllocateAreaRequest,
  AllocatedArea,
  AreaQuote,
  CheckAreaRequest,
  UserCreditInfo,
} from "@swath/contract/features/credits/contract";
import { listAllocations, listGroupTransactions, listUserTransactions } from "./history.ts";
import type {
  AllocationList,
  ListAllocationsRequest,
  ListGroupTransactionsRequest,
  ListUserTransactionsRequest,
  TransactionList,
} from "@swath/contract/features/credits/history-contract";
import { createCreditHolds, type CreditHolds } from "./holds.ts";
import { readHeldParts } from "./ledger-state.ts";
import { createOrderPrices, type OrderPrices } from "./order-prices.ts";
import { sceneKeyOf, totalOf } from "./quote.ts";
import { licenseError } from "./refusal.ts";
import { createReleasePayments, type ReleasePayments } from "./release-payments.ts";
import { readHeldMicro } from "./holds-store.ts";
import { sceneHoldings, type SceneHolding } from "./scene-holdings.ts";
import * as store from "./store.ts";
import { payingGroupId } from "./paying-group.ts";

/**
 * Credits: a group holds credit and areas; a user spends the group's credit, within an optional limit.
 * An area is paid for once per group and scene: what a charge covers is the growth of the union of all its areas.
 */
export interface CreditsService extends CreditHolds, OrderPrices, ReleasePayments {
  checkArea(caller: Caller, request: CheckAreaRequest, signal?: AbortSignal): Promise<AreaQuote>;
  /** The cost of each scene; their sum is the cost of the allocation. */
  quoteScenes(caller: Caller, request: AreaRequest, known?: KnownArea): Promise<readonly SceneQuote[]>;
  allocateArea(caller: Caller, request: AllocateAreaRequest, known?: KnownArea): Promise<AllocatedArea>;
  remainingCredit(caller: Caller): Promise<{ remainingCredit: number }>;
  userInfo(caller: Caller, userId: string | undefined): Promise<UserCreditInfo>;
  /** Newest first. @throws {ServiceError} INVALID-CURSOR */
  listAllocations(caller: Caller, request: ListAllocationsRequest): Promise<AllocationList>;
  /** Newest first. @throws {ServiceError} INVALID-CURSOR; NOT-AUTHORIZED for a group of another organization */
  listGroupTransactions(caller: Caller, request: ListGroupTransactionsRequest): Promise<TransactionList>;
  /** The caller's own, newest first. @throws {ServiceError} INVALID-CURSOR */
  listUserTransactions(caller: Caller, request: ListUserTransactionsRequest): Promise<TransactionList>;
  /**
   * Refuses with CREDITS-ERROR (402) unless the group holds the part of the area inside each scene, or it is free. Of
   * a scene that is sold by store tiles it must hold all tiles that the area touches. Of the map types, those that have
   * a price of their own must be held for the area too. The number of statements does not depend on that of scenes.
   * An overlay can take seconds: never inside a transaction.
   */
  requireAllocated(
    caller: Pick<Caller, "groupId" | "accountingGroupId">,
    scenes: readonly Scene[],
    area: MultiPolygon,
    options?: { readonly mapTypes?: readonly string[]; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Prices and holdings in the order of the scenes, by one statement. An overlay can take seconds. */
  sceneHoldings(
    caller: Pick<Caller, "groupId" | "accountingGroupId">,
    scenes: readonly Scene[],
    signal?: AbortSignal,
  ): Promise<readonly SceneHolding[]>;
  /** Opens accounts with no credit; accounts that exist are left alone. */
  createAccount(trx: Trx, groupId: string, userId?: string): Promise<void>;
  /** Adds credit to a group; a grant whose `id` was used before changes nothing. */
  grant(trx: Trx, groupId: string, micro: MicroCredits, note: string, id?: string): Promise<void>;
}

/** What a scene, or a map type of its own price on top of it, adds to the cost of an allocation. */
export interface SceneQuote {
  readonly scene: Scene;
  readonly mapType: string | null;
  /** What of the scene is asked for. */
  readonly area: MultiPolygon;
  /** What the group does not hold of it yet. */
  readonly addedKm2: number;
  /** Credits. */
  readonly cost: number;
  readonly creditsPerKm2: number;
}

export interface CreditsServiceDeps extends QuoteDeps {
  readonly catalog?: Pick<Catalog, "findDataset"> & Partial<Pick<Catalog, "findProvider">>;
}

export function createCreditsService(deps: CreditsServiceDeps): CreditsService {
  const { db, clock } = deps;
  const history = { db, findProvider: deps.catalog?.findProvider };
  const holds = createCreditHolds({ clock });
  return {
    ...holds,
    ...createOrderPrices(deps),
    ...createReleasePayments(deps, holds),
    checkArea: (caller, request, signal) => checkArea(deps, caller, request, signal),
    quoteScenes: (caller, request, known) => quotesOf(deps, caller, request, known),
    allocateArea: createAreaAllocator(deps),
    listAllocations: (caller, request) => listAllocations(history, caller, request),
    listGroupTransactions: (caller, request) => listGroupTransactions(history, caller, request),
    listUserTransactions: (caller, request) => listUserTransactions(history, caller, request),
    async remainingCredit(caller) {
      const { spendableMicro } = await store.readAccount(db, payingGroupId(caller), caller.userId, clock.now());
      return { remainingCredit: microToCredits(spendableMicro) };
    },
    userInfo: (caller, userId) => userInfo(deps, caller, userId),
    requireAllocated: (...given) => requireAllocated(deps, ...given),
    sceneHoldings: (...given) => sceneHoldings(deps, ...given),
    async createAccount(trx, groupId, userId) {
      await store.insertGroup(trx, groupId);
      if (userId !== undefined) await store.insertUser(trx, groupId, userId);
    },

    async grant(trx, groupId, micro, note, id = randomUUID()) {
      if (micro <= 0n) throw new RangeError(`a grant must be positive, got ${micro} micro-credits`);
      await store.insertGroup(trx, groupId);
      await store.insertGrant(trx, { id, groupId, micro, note, grantedBy: null, createdAt: clock.now() });
    },
  };
}

async function licensedAccount(
  { db, clock }: CreditsServiceDeps,
  { groupId, userId }: { readonly groupId: string; readonly userId: string },
): Promise<store.Account> {
  const account = await store.readAccount(db, groupId, userId, clock.now());
  if (!account.isLicensed) throw licenseError(groupId, clock.now());
  return account;
}

/** The group that pays for a user other than the caller. */
async function groupOfOther(db: Db, caller: Caller, userId: string, permission: string): Promise<string> {
  if (!isGranted(caller.permissions, permission)) {
    throw new ServiceError("NOT-AUTHORIZED", `another user's credit needs the permission ${permission}`);
  }
  const profile = await store.readProfile(db, userId);
  if (profile?.groupId == null) throw new ServiceError("NON-EXISTENT-USER", `there is no user ${userId} with a group`);
  return profile.groupId;
}

async function checkArea(
  deps: CreditsServiceDeps,
  caller: Caller,
  request: CheckAreaRequest,
  signal?: AbortSignal,
): Promise<AreaQuote> {
  const userId = request.userId ?? caller.userId;
  const groupId =
    userId === caller.userId
      ? payingGroupId(caller)
      : await groupOfOther(deps.db, caller, userId, "admin.credits.check-area");
  const account = await licensedAccount(deps, { groupId, userId });
  const tier = request.creditsTier ?? account.tier;
  const total = totalOf(await quoteArea(deps, caller, groupId, request, { tier, signal }));
  return { cost: microToCredits(total.cost), km2: squareMetresToKm2(total.addedM2) };
}

async function quotesOf(
  deps: CreditsServiceDeps,
  caller: Caller,
  request: AreaRequest,
  known?: KnownArea,
): Promise<readonly SceneQuote[]> {
  const groupId = payingGroupId(caller);
  await licensedAccount(deps, { groupId, userId: caller.userId });
  return (await quoteArea(deps, caller, groupId, request, known)).map(({ quoted, plan }) => ({
    scene: quoted.scene,
    mapType: quoted.mapType,
    area: quoted.area,
    addedKm2: squareMetresToKm2(plan.addedM2),
    cost: microToCredits(plan.cost),
    creditsPerKm2: microToCredits(quoted.price.microPerKm2),
  }));
}

async function userInfo(
  { db, clock }: CreditsServiceDeps,
  caller: Caller,
  wantedId: string | undefined,
): Promise<UserCreditInfo> {
  const userId = wantedId ?? caller.userId;
  const groupId =
    userId === caller.userId
      ? payingGroupId(caller)
      : await groupOfOther(db, caller, userId, "admin.credits.user-info");
  const [profile, account, heldMicro] = await Promise.all([
    store.readProfile(db, userId),
    store.readAccount(db, groupId, userId, clock.now()),
    readHeldMicro(db, groupId, userId),
  ]);
  return {
    id: userId,
    name: profile?.name ?? "",
    email: profile?.email ?? caller.email,
    groupId,
    creditsTier: account.tier,
    remainingCredit: microToCredits(account.spendableMicro),
    usedCredit: microToCredits(account.usedMicro),
    heldCredit: microToCredits(heldMicro),
    groupCredit: microToCredits(account.remainingMicro),
    creditLimit: account.limitMicro === null ? null : microToCredits(account.limitMicro),
  };
}

async function requireAllocated(
  deps: CreditsServiceDeps,
  ...[caller, scenes, area, { mapTypes = [], signal } = {}]: Parameters<CreditsService["requireAllocated"]>
): Promise<void> {
  const { db, clock, mapTypes: types, catalog } = deps;
  const groupId = payingGroupId(caller);
  const rules = await store.readPriceRules(db, groupId, clock.now());
  const { tier } = await store.readAccount(db, groupId, null, clock.now());
  const payer = { groupId, tier };
  const priceable = types.pricedIds(mapTypes);
  const claims: Claim[] = [];
  const share = loopShare();
  for (const scene of scenes) {
    const wanted = [
      { mapType: null, ...priced(rules, scene, payer, catalog) },
      ...pricedMapTypes(rules, scene, payer, priceable),
    ].filter(({ price }) => price.microPerKm2 > 0n);
    if (wanted.length === 0) continue;
    const { area: inside } = await sold(deps, scene, area, signal);
    if (inside.coordinates.length > 0) claims.push({ scene, inside, wanted });
    if (isUsedUp(share)) await giveWay(share, signal);
  }
  await requireHeld(deps, groupId, claims, signal);
}

/** What a group must hold of a scene. */
interface Claim {
  readonly scene: Scene;
  readonly inside: MultiPolygon;
  readonly wanted: readonly { readonly mapType: string | null; readonly freeAreas: readonly MultiPolygon[] }[];
}

/** @throws {ServiceError} CREDITS-ERROR for the first claim that the group does not hold whole */
async function requireHeld(
  { areas, db }: Pick<CreditsServiceDeps, "areas" | "db">,
  groupId: string,
  claims: readonly Claim[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (claims.length === 0) return;
  const keys = claims.flatMap(({ scene, wanted }) => wanted.map(({ mapType }) => sceneKeyOf(scene, mapType)));
  const bounds = boundsOf(claims.flatMap(({ inside }) => inside.coordinates));
  const held = await readHeldParts(db, groupId, [...new Set(keys)], bounds);
  const share = loopShare();
  for (const { scene, inside, wanted } of claims) {
    for (const { mapType, freeAreas } of wanted) {
      const covered = held.get(sceneKeyOf(scene, mapType)) ?? null;
      const lackingKm2 = await areas.missingKm2(inside, covered, freeAreas, signal);
      if (isUsedUp(share)) await giveWay(share, signal);
      if (lackingKm2 === 0) continue;
      const what = mapType === null ? "" : ` for the map type ${mapType}`;
      throw new ServiceError(
        "CREDITS-ERROR",
        `${lackingKm2.toFixed(6)} km2 of the area are not allocated in scene ${scene.sceneId}${what}: ` +
          "allocate them with /credits/area/allocate-geojson first",
      );
    }
  }
}

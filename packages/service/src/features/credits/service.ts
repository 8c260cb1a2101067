import { createHash, randomUUID } from "node:crypto";
import { missingKm2 } from "@swath/kernel/credits/allocation";
import { km2ToSquareMetres, microToCredits, squareMetresToKm2, type MicroCredits } from "@swath/kernel/credits/micro";
import { freeAreasOf, priceOf, type PriceRule } from "@swath/kernel/credits/pricing";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { AllocateAreaRequest, AllocatedArea, AreaQuote, CheckAreaRequest, UserCreditInfo } from "./contract.ts";
import { declaredPrice } from "./declared-price.ts";
import { creditArea } from "./credit-area.ts";
import { quoteScene, sceneKeyOf, totalOf, type Quote, type QuotedScene } from "./quote.ts";
import * as store from "./store.ts";

/**
 * Credits: a group holds credit and areas; a user spends the group's credit, within an optional limit.
 * An area is paid for once per group and scene: what a charge covers is the growth of the union of all its areas.
 */
export interface CreditsService {
  checkArea(caller: Caller, request: CheckAreaRequest): Promise<AreaQuote>;
  allocateArea(caller: Caller, request: AllocateAreaRequest): Promise<AllocatedArea>;
  remainingCredit(caller: Caller): Promise<{ remainingCredit: number }>;
  userInfo(caller: Caller, userId: string | undefined): Promise<UserCreditInfo>;
  /**
   * Refuses with CREDITS-ERROR (402) unless the group holds the part of the area inside the scene, or it is free.
   * Inside a transaction pass it as `db`, so that no second connection is needed.
   */
  requireAllocated(caller: Caller, scene: Scene, area: MultiPolygon, db?: Db): Promise<void>;
  /** Opens accounts with no credit; accounts that exist are left alone. */
  createAccount(trx: Trx, groupId: string, userId?: string): Promise<void>;
  /** Adds credit to a group; a grant whose `id` was used before changes nothing. */
  grant(trx: Trx, groupId: string, micro: MicroCredits, note: string, id?: string): Promise<void>;
}

export interface CreditsServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly imagery: Pick<ImageryService, "sceneInfo">;
}

export function createCreditsService({ db, clock, imagery }: CreditsServiceDeps): CreditsService {
  async function quotedScenes(request: AreaRequest, tier: string): Promise<readonly QuotedScene[]> {
    const area = creditArea(request.geojson);
    const rules = await store.readPriceRules(db, clock.now());
    const quoted: QuotedScene[] = [];
    for (const sceneId of new Set(request.sceneIds)) {
      const scene = await imagery.sceneInfo({ sceneId });
      const inside = intersection(area, scene.footprint);
      // Neighbours that touch have no area in common but what floating point leaves.
      if (km2ToSquareMetres(areaKm2(inside)) === 0) {
        throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", `the area does not intersect the scene ${sceneId}`);
      }
      quoted.push({ scene, sceneKey: sceneKeyOf(scene), area: inside, ...priced(rules, scene, tier) });
    }
    // One order for all, so that two requests never wait for each other's rows.
    return quoted.toSorted((a, b) => (a.sceneKey < b.sceneKey ? -1 : 1));
  }

  async function quotes(groupId: string, scenes: readonly QuotedScene[], costFree: boolean): Promise<readonly Quote[]> {
    const held = await store.readCoverage(
      db,
      groupId,
      scenes.map((scene) => scene.sceneKey),
    );
    return scenes.map((scene) => quoteScene(scene, held.get(scene.sceneKey), costFree));
  }

  async function accountOf(groupId: string): Promise<store.GroupAccount> {
    const account = await store.readGroup(db, groupId);
    return account ?? { remainingMicro: 0n, tier: "standard", licenseUntil: await store.readLicense(db, groupId) };
  }

  function requireLicense(groupId: string, licenseUntil: Date | null): void {
    if (licenseUntil !== null && licenseUntil.getTime() <= clock.now().getTime()) {
      throw new ServiceError(
        "LICENSE-EXPIRED",
        `the licence of group ${groupId} expired at ${licenseUntil.toISOString()}`,
      );
    }
  }

  /** The group that pays for a user other than the caller. */
  async function groupOfOther(caller: Caller, userId: string, permission: string): Promise<string> {
    if (!isGranted(caller.permissions, permission)) {
      throw new ServiceError("NOT-AUTHORIZED", `another user's credit needs the permission ${permission}`);
    }
    const profile = await store.readProfile(db, userId);
    if (profile?.groupId == null)
      throw new ServiceError("NON-EXISTENT-USER", `there is no user ${userId} with a group`);
    return profile.groupId;
  }

  async function checkArea(caller: Caller, request: CheckAreaRequest): Promise<AreaQuote> {
    const { userId } = request;
    const groupId =
      userId === undefined || userId === caller.userId
        ? caller.groupId
        : await groupOfOther(caller, userId, "admin.credits.check-area");
    const account = await accountOf(groupId);
    requireLicense(groupId, account.licenseUntil);
    const scenes = await quotedScenes(request, request.creditsTier ?? account.tier);
    const total = totalOf(await quotes(groupId, scenes, request.costFreeAllocation ?? false));
    return { cost: microToCredits(total.cost), km2: squareMetresToKm2(total.addedM2) };
  }

  async function allocateArea(caller: Caller, request: AllocateAreaRequest): Promise<AllocatedArea> {
    const { groupId, userId } = caller;
    if (groupId === "") throw new ServiceError("NOT-AUTHORIZED", "the caller belongs to no group that could pay");
    const costFree = request.costFreeAllocation ?? false;
    const { idempotencyKey } = request;
    const hash = requestHash(request);
    const account = await accountOf(groupId);
    const planned = await quotes(groupId, await quotedScenes(request, account.tier), costFree);

    return await inTransaction(db, async (trx) => {
      await store.insertGroup(trx, groupId);
      const group = await store.lockGroup(trx, groupId);
      await store.insertUser(trx, groupId, userId);
      const user = await store.lockUser(trx, groupId, userId);
      if (group === null) throw new Error(`credit group ${groupId} vanished while it was locked`);

      if (idempotencyKey !== undefined) {
        const earlier = await store.readAnswer<AllocatedArea>(trx, groupId, idempotencyKey);
        if (earlier !== null) {
          if (earlier.requestHash === hash) return earlier.answer;
          throw new ServiceError("CONFLICT", `the idempotency key ${idempotencyKey} was used for another request`);
        }
      }
      requireLicense(groupId, group.licenseUntil);

      const current = await currentQuotes(trx, groupId, planned, costFree);
      const total = totalOf(current);
      requireBalance(group, user, total.cost);
      const transactionIds: string[] = [];
      for (const { quoted, plan } of current) {
        if (plan.addedM2 === 0) continue;
        const transaction = newTransaction(caller, quoted, plan, clock.now());
        await store.insertAllocation(trx, transaction);
        await store.writeCoverage(trx, groupId, quoted.sceneKey, plan.after);
        transactionIds.push(transaction.id);
      }
      if (total.cost > 0n) await store.charge(trx, groupId, userId, total.cost);

      const answer: AllocatedArea = {
        cost: microToCredits(total.cost),
        km2: squareMetresToKm2(total.addedM2),
        remainingCredit: microToCredits(
          spendable(
            { ...group, remainingMicro: group.remainingMicro - total.cost },
            { ...user, usedMicro: user.usedMicro + total.cost },
          ),
        ),
        transactionIds,
      };
      if (idempotencyKey !== undefined) {
        await store.insertAnswer(trx, groupId, idempotencyKey, { requestHash: hash, answer }, clock.now());
      }
      return answer;
    });
  }

  return {
    checkArea,
    allocateArea,

    async remainingCredit({ groupId, userId }) {
      const [group, user] = await Promise.all([accountOf(groupId), store.readUser(db, groupId, userId)]);
      return { remainingCredit: microToCredits(spendable(group, user)) };
    },

    async userInfo(caller, wantedId) {
      const userId = wantedId ?? caller.userId;
      const groupId =
        userId === caller.userId ? caller.groupId : await groupOfOther(caller, userId, "admin.credits.user-info");
      const [profile, group, user] = await Promise.all([
        store.readProfile(db, userId),
        accountOf(groupId),
        store.readUser(db, groupId, userId),
      ]);
      return {
        id: userId,
        name: profile?.name ?? "",
        email: profile?.email ?? caller.email,
        groupId,
        creditsTier: group.tier,
        remainingCredit: microToCredits(spendable(group, user)),
        usedCredit: microToCredits(user.usedMicro),
      };
    },

    async requireAllocated({ groupId }, scene, area, connection = db) {
      const rules = await store.readPriceRules(connection, clock.now());
      const group = await store.readGroup(connection, groupId);
      const { price, freeAreas } = priced(rules, scene, group?.tier ?? "standard");
      if (price.microPerKm2 === 0n) return;
      const inside = intersection(area, scene.footprint);
      if (inside.coordinates.length === 0) return;
      const sceneKey = sceneKeyOf(scene);
      const held = (await store.readCoverage(connection, groupId, [sceneKey])).get(sceneKey);
      const lackingKm2 = missingKm2(inside, held?.geometry ?? null, freeAreas);
      if (lackingKm2 > 0) {
        throw new ServiceError(
          "CREDITS-ERROR",
          `${lackingKm2.toFixed(6)} km2 of the area are not allocated in scene ${scene.sceneId}: ` +
            "allocate them with /credits/area/allocate-geojson first",
        );
      }
    },

    async createAccount(trx, groupId, userId) {
      await store.insertGroup(trx, groupId);
      if (userId !== undefined) await store.insertUser(trx, groupId, userId);
    },

    async grant(trx, groupId, micro, note, id = randomUUID()) {
      if (micro <= 0n) throw new RangeError(`a grant must be positive, got ${micro} micro-credits`);
      await store.insertGroup(trx, groupId);
      await store.insertGrant(trx, { id, groupId, micro, note, createdAt: clock.now() });
    },
  };
}

interface AreaRequest {
  readonly sceneIds: readonly string[];
  readonly geojson: GeoJson;
}

function priced(rules: readonly PriceRule[], scene: Scene, tier: string): Pick<QuotedScene, "price" | "freeAreas"> {
  const wanted = { provider: scene.provider, dataset: scene.dataset, tier };
  const declared = declaredPrice(scene.provider, scene.dataset);
  return { price: priceOf(rules, wanted, declared), freeAreas: freeAreasOf(rules, wanted) };
}

/** Plans made before the lock hold only where the group's coverage has not moved since. */
async function currentQuotes(
  trx: Trx,
  groupId: string,
  planned: readonly Quote[],
  costFree: boolean,
): Promise<readonly Quote[]> {
  const keys = planned.map(({ quoted }) => quoted.sceneKey);
  const versions = await store.readCoverageVersions(trx, groupId, keys);
  const moved = planned.filter(({ quoted, version }) => (versions.get(quoted.sceneKey) ?? 0n) !== version);
  if (moved.length === 0) return planned;
  const held = await store.readCoverage(
    trx,
    groupId,
    moved.map(({ quoted }) => quoted.sceneKey),
  );
  return planned.map((quote) =>
    moved.includes(quote) ? quoteScene(quote.quoted, held.get(quote.quoted.sceneKey), costFree) : quote,
  );
}

/** What a user can still spend: the group's credit, or less when the user has a limit. */
function spendable(group: store.GroupAccount, user: store.UserAccount): MicroCredits {
  if (user.limitMicro === null) return group.remainingMicro;
  // A limit may be set below what is used already.
  const left = user.limitMicro > user.usedMicro ? user.limitMicro - user.usedMicro : 0n;
  return left < group.remainingMicro ? left : group.remainingMicro;
}

function requireBalance(group: store.GroupAccount, user: store.UserAccount, cost: MicroCredits): void {
  if (cost === 0n) return;
  if (cost > group.remainingMicro) {
    throw new ServiceError(
      "INSUFFICIENT-CREDIT",
      `the area costs ${microToCredits(cost)} credits, the group has ${microToCredits(group.remainingMicro)}`,
    );
  }
  if (user.limitMicro !== null && user.usedMicro + cost > user.limitMicro) {
    throw new ServiceError(
      "USER-CREDIT-LIMIT",
      `the area costs ${microToCredits(cost)} credits, the user's limit is ${microToCredits(user.limitMicro)} ` +
        `of which ${microToCredits(user.usedMicro)} are used`,
    );
  }
}

function newTransaction(
  caller: Caller,
  { scene, sceneKey, area }: QuotedScene,
  plan: Quote["plan"],
  createdAt: Date,
): store.NewTransaction {
  return {
    id: randomUUID(),
    allocationId: randomUUID(),
    createdAt,
    userId: caller.userId,
    groupId: caller.groupId,
    provider: scene.provider,
    dataset: scene.dataset,
    sceneId: scene.sceneId,
    sceneKey,
    geometry: area,
    areaM2: plan.addedM2,
    micro: plan.cost,
  };
}

function requestHash({ sceneIds, geojson, costFreeAllocation }: AllocateAreaRequest): string {
  const content = JSON.stringify([[...sceneIds].toSorted(), geojson, costFreeAllocation ?? false]);
  return createHash("sha256").update(content).digest("hex");
}

import { didYouMean } from "@swath/kernel/text/did-you-mean";
import { randomUUID } from "node:crypto";
import { creditsToMicro, km2ToSquareMetres, microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { formatInstant } from "@swath/kernel/time/instant";
import { areaParts } from "@swath/kernel/geometry/extent";
import type { Areas } from "../../platform/geometry/areas.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { pageOf } from "../../platform/page-of.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { AuditService } from "../audit/service.ts";
import type {
  CreatePriceRuleRequest,
  EndPriceRuleRequest,
  ListPriceRulesRequest,
  PriceRuleAnswer,
} from "@swath/contract/features/credits/administration-contract";
import * as store from "./administration-store.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { requestedPeriod } from "./period.ts";

export interface PriceRuleDeps {
  readonly areas: Pick<Areas, "read">;
  readonly db: Db;
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider">;
  readonly mapTypes: Pick<MapTypes, "all">;
  readonly audit: Pick<AuditService, "record">;
}

/** Who asks, and in which request. */
export interface Requester {
  readonly caller: Caller;
  readonly requestId: string | undefined;
}

const PAGE_SIZE = 100;
/** Every quote reads the rules that are valid for its datasets: more would slow all of them. */
const MAX_RULES = 10_000;
const MAX_FREE_AREAS = 100;
const MAX_AREA_POSITIONS = 1000;

function fault(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

const instant = (at: Date | null): string | null => (at === null ? null : formatInstant(at.getTime()));

function toAnswer(row: store.PriceRuleRow): PriceRuleAnswer {
  return {
    id: row.id,
    provider: row.provider,
    dataset: row.dataset,
    mapType: row.map_type,
    groupId: row.group_id,
    creditsTier: row.tier,
    creditsPerKm2: microToCredits(BigInt(row.micro_per_km2)),
    minAreaKm2: squareMetresToKm2(Number(row.min_area_m2)),
    area: row.area,
    validFrom: instant(row.valid_from),
    validUntil: instant(row.valid_until),
    createdBy: row.created_by,
  };
}

/** The thing a new rule prices, by the names that prices are looked up with. */
function pricedThing(
  { catalog, mapTypes }: Pick<PriceRuleDeps, "catalog" | "mapTypes">,
  request: CreatePriceRuleRequest,
): store.PricedThing {
  const { provider, dataset, mapType } = request;
  const known = provider === undefined ? null : catalog.findProvider(provider);
  if (provider !== undefined && known === null) throw fault("/provider", `there is no provider ${provider}`);
  if (dataset !== undefined && provider === undefined) throw fault("/provider", "is required with a dataset");
  const registered = dataset === undefined || known === null ? null : catalog.findDataset(known.id, dataset);
  if (dataset !== undefined && registered === null) {
    const names = known?.datasets.map((one) => one.dataset) ?? [];
    throw fault("/dataset", `there is no dataset ${dataset}${didYouMean(dataset, names)}`);
  }
  const ids = mapTypes.all.map(({ id }) => id);
  if (mapType !== undefined && !ids.includes(mapType)) {
    throw fault("/mapType", `there is no map type ${mapType}${didYouMean(mapType, ids)}`);
  }
  return {
    provider: known?.id ?? null,
    dataset: registered?.dataset.dataset ?? null,
    mapType: mapType ?? null,
    groupId: request.groupId ?? null,
    tier: request.creditsTier ?? null,
  };
}

/** In the order of their ids. @throws {ServiceError} INVALID-CURSOR */
export async function listPriceRules(
  { db, clock, catalog }: PriceRuleDeps,
  request: ListPriceRulesRequest,
): Promise<{ results: PriceRuleAnswer[]; cursor: string | null }> {
  const limit = request.limit ?? PAGE_SIZE;
  const { provider } = request;
  const filter = {
    provider: provider === undefined ? null : (catalog.findProvider(provider)?.id ?? provider),
    dataset: request.dataset ?? null,
    mapType: request.mapType ?? null,
    groupId: request.groupId ?? null,
    tier: request.creditsTier ?? null,
  };
  const scope = ["price rules", filter, request.includeEnded ?? false];
  const after = decodeCursor(scope, request.cursor);
  const validAfter = request.includeEnded === true ? null : clock.now();
  const rows = await store.selectPriceRules(db, { ...filter, validAfter }, { after, limit: limit + 1 });
  return pageOf(rows, limit, toAnswer, (last) => encodeCursor(scope, last));
}

/**
 * Sets a price from a moment that is not past, so that what was charged before stays explained by the rules of then.
 *
 * @throws {ServiceError} VALIDATION-ERROR; NON-EXISTENT-GROUP; CONFLICT when another rule prices the same at the same time
 */
export async function createPriceRule(
  { areas, db, clock, catalog, mapTypes, audit }: PriceRuleDeps,
  { caller, requestId }: Requester,
  request: CreatePriceRuleRequest,
): Promise<PriceRuleAnswer> {
  const thing = pricedThing({ catalog, mapTypes }, request);
  const { groupId } = thing;
  if (groupId !== null && !(await store.groupExists(db, groupId))) {
    throw new ServiceError("NON-EXISTENT-GROUP", `there is no group ${groupId}`);
  }
  const now = clock.now();
  const { from, to: validUntil } = requestedPeriod(request, "validFrom", "validUntil");
  const asked = from ?? now;
  // Answers write whole seconds: the present second as the caller reads it is not past.
  if (asked.getTime() < now.getTime() - 1000) throw fault("/validFrom", "must not be in the past");
  if (request.area !== undefined && request.creditsPerKm2 !== 0) {
    throw fault("/creditsPerKm2", "must be 0 where an area is given");
  }
  const area =
    request.area === undefined
      ? null
      : await areas.read(request.area, { path: "/area", maxLatitudeDeg: 90, sceneCount: 1 });
  const positions = area === null ? 0 : areaParts(area).flat().flat().length;
  if (positions > MAX_AREA_POSITIONS) {
    throw fault("/area", `has ${positions} positions, expected at most ${MAX_AREA_POSITIONS}`);
  }

  return await inTransaction(db, async (trx) => {
    await store.lockPrices(trx);
    // Holds that were placed meanwhile keep the prices of their moment.
    const lockedAt = clock.now();
    const validFrom = asked > lockedAt ? asked : lockedAt;
    if (validUntil !== null && validUntil <= validFrom) throw fault("/validUntil", "must be after validFrom");
    const rival = area === null ? await store.findRival(trx, thing, validFrom, validUntil) : null;
    if (rival !== null) throw new ServiceError("CONFLICT", `the rule ${rival} prices the same at the same time`);
    const known = await store.countPriceRules(trx, now);
    if (known.rules >= MAX_RULES) {
      throw new ServiceError("CONFLICT", `there are ${MAX_RULES} rules already, end some first`);
    }
    if (area !== null && known.freeAreas >= MAX_FREE_AREAS) {
      throw new ServiceError("CONFLICT", `there are ${MAX_FREE_AREAS} free areas already, end some first`);
    }
    const row = await store.insertPriceRule(trx, {
      ...thing,
      id: randomUUID(),
      microPerKm2: creditsToMicro(request.creditsPerKm2),
      minAreaM2: km2ToSquareMetres(request.minAreaKm2 ?? 0),
      area,
      validFrom,
      validUntil,
      createdAt: now,
      createdBy: caller.userId,
    });
    if (row === undefined) throw new Error("a price rule was not stored");
    const { area: _area, ...after } = toAnswer(row);
    await audit.record(trx, {
      actor: caller,
      ...(requestId === undefined ? {} : { requestId }),
      action: "price-rule.create",
      target: { kind: "price-rule", id: row.id },
      after: { ...after, isFreeArea: area !== null },
    });
    return toAnswer(row);
  });
}

/** @throws {ServiceError} NON-EXISTENT-PRICE-RULE; CONFLICT when it has ended already; VALIDATION-ERROR */
export async function endPriceRule(
  { db, clock, audit }: PriceRuleDeps,
  { caller, requestId }: Requester,
  request: EndPriceRuleRequest,
): Promise<PriceRuleAnswer> {
  const { to } = requestedPeriod(request, "validUntil", "validUntil");
  if (to !== null && to.getTime() < clock.now().getTime() - 1000) throw fault("/validUntil", "must not be in the past");
  return await inTransaction(db, async (trx) => {
    await store.lockPrices(trx);
    const now = clock.now();
    const rule = await store.lockPriceRule(trx, request.id);
    if (rule === null) throw new ServiceError("NON-EXISTENT-PRICE-RULE", `there is no price rule ${request.id}`);
    if (rule.valid_until !== null && rule.valid_until <= now) {
      throw new ServiceError("CONFLICT", `the rule ${request.id} ended at ${rule.valid_until.toISOString()}`);
    }
    const asked = to === null || to < now ? now : to;
    // A rule that is still to come never was.
    const end = rule.valid_from !== null && rule.valid_from > asked ? rule.valid_from : asked;
    if (rule.valid_until !== null && end > rule.valid_until) {
      throw fault("/validUntil", `must not be after the end that is set, ${rule.valid_until.toISOString()}`);
    }
    await store.updateRuleEnd(trx, rule.id, end);
    await audit.record(trx, {
      actor: caller,
      ...(requestId === undefined ? {} : { requestId }),
      action: "price-rule.end",
      target: { kind: "price-rule", id: rule.id },
      before: { validUntil: instant(rule.valid_until) },
      after: { validUntil: instant(end) },
    });
    return toAnswer({ ...rule, valid_until: end });
  });
}

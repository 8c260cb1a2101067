import { createHash, randomUUID } from "node:crypto";
import { creditsToMicro, microToCredits } from "@swath/kernel/credits/micro";
import { isGranted } from "@swath/kernel/permissions/permission";
import { formatInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { pageOf } from "../../platform/page-of.ts";
import type {
  CreatePriceRuleRequest,
  EndPriceRuleRequest,
  Grant,
  GrantAnswer,
  GrantRequest,
  ListGrantsRequest,
  ListPriceRulesRequest,
  PriceRuleAnswer,
  SetCreditLimitRequest,
} from "@swath/contract/features/credits/administration-contract";
import type { UserService } from "../users/service.ts";
import * as administration from "./administration-store.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { createPriceRule, endPriceRule, listPriceRules, type PriceRuleDeps } from "./price-rules.ts";
import * as store from "./store.ts";
import { payingGroupId } from "./paying-group.ts";

/** What administrators decide about money; every change is in the audit log, in the same transaction. */
export interface CreditAdministration {
  /** @throws {ServiceError} NON-EXISTENT-USER; NOT-AUTHORIZED for a user of another group, or an administrator */
  setCreditLimit(caller: Caller, request: SetCreditLimitRequest, requestId?: string): Promise<Record<string, never>>;
  /** @throws {ServiceError} NON-EXISTENT-GROUP; INSUFFICIENT-CREDIT when a correction would overdraw; CONFLICT */
  grant(caller: Caller, request: GrantRequest, requestId?: string): Promise<GrantAnswer>;
  listGrants(request: ListGrantsRequest): Promise<{ results: Grant[]; cursor: string | null }>;
  listPriceRules(request: ListPriceRulesRequest): Promise<{ results: PriceRuleAnswer[]; cursor: string | null }>;
  createPriceRule(caller: Caller, request: CreatePriceRuleRequest, requestId?: string): Promise<PriceRuleAnswer>;
  endPriceRule(caller: Caller, request: EndPriceRuleRequest, requestId?: string): Promise<PriceRuleAnswer>;
}

const PAGE_SIZE = 100;

function noGroup(groupId: string): ServiceError {
  return new ServiceError("NON-EXISTENT-GROUP", `there is no group ${groupId}`);
}

function toGrant(row: administration.GrantRow): Grant {
  return {
    id: row.id,
    groupId: row.group_id,
    credit: microToCredits(BigInt(row.micro)),
    note: row.note,
    grantedBy: row.granted_by,
    time: formatInstant(row.created_at.getTime()),
  };
}

/** The id of a grant with an idempotency key: the same for the same key of a group. */
function keyedId(groupId: string, idempotencyKey: string): string {
  return createHash("sha256")
    .update(JSON.stringify(["grant", groupId, idempotencyKey]))
    .digest("base64url");
}

export interface CreditAdministrationDeps extends PriceRuleDeps {
  readonly users: Pick<UserService, "requireMayChange">;
}

export function createCreditAdministration(deps: CreditAdministrationDeps): CreditAdministration {
  return {
    setCreditLimit: (caller, request, requestId) => setCreditLimit(deps, caller, request, requestId),
    grant: (caller, request, requestId) => grantCredit(deps, caller, request, requestId),
    listGrants: (request) => listGrants(deps, request),
    listPriceRules: (request) => listPriceRules(deps, request),
    createPriceRule: (caller, request, requestId) => createPriceRule(deps, { caller, requestId }, request),
    endPriceRule: (caller, request, requestId) => endPriceRule(deps, { caller, requestId }, request),
  };
}

async function setCreditLimit(
  { db, clock, audit, users }: CreditAdministrationDeps,
  caller: Caller,
  { userId, creditLimit, groupId: wantedId }: SetCreditLimitRequest,
  requestId?: string,
): Promise<Record<string, never>> {
  const groupId =
    wantedId === undefined
      ? ((await store.readProfile(db, userId))?.groupId ?? null)
      : (await administration.isOfGroup(db, userId, wantedId))
        ? wantedId
        : null;
  if (groupId === null || groupId !== payingGroupId(caller)) {
    // A caller without the right to manage users must not learn their ids.
    if (!isGranted(caller.permissions, "admin.users.manage")) {
      throw new ServiceError("NOT-AUTHORIZED", "a user of another group needs the permission admin.users.manage");
    }
    if (groupId === null) {
      throw new ServiceError(
        "NON-EXISTENT-USER",
        `there is no user ${userId} with ${wantedId === undefined ? "a group" : `the group ${wantedId}`}`,
      );
    }
  }
  await users.requireMayChange(caller, userId);
  const limitMicro = creditLimit == null ? null : creditsToMicro(creditLimit);
  await inTransaction(db, async (trx) => {
    await store.lockAccounts(trx, groupId, userId);
    const before = await store.readAccount(trx, groupId, userId, clock.now());
    await administration.updateLimit(trx, groupId, userId, limitMicro);
    await audit.record(trx, {
      actor: caller,
      ...(requestId === undefined ? {} : { requestId }),
      action: "credit.set-limit",
      target: { kind: "user", id: userId },
      before: { groupId, creditLimit: before.limitMicro === null ? null : microToCredits(before.limitMicro) },
      after: { groupId, creditLimit: limitMicro === null ? null : microToCredits(limitMicro) },
    });
  });
  return {};
}

async function grantCredit(
  { db, clock, audit }: PriceRuleDeps,
  caller: Caller,
  { groupId, credit, note, idempotencyKey }: GrantRequest,
  requestId?: string,
): Promise<GrantAnswer> {
  const micro = creditsToMicro(credit);
  if (micro === 0n) {
    const details = [{ path: "/credit", message: "must not be 0" }];
    throw new ServiceError("VALIDATION-ERROR", "/credit must not be 0", { details });
  }
  const id = idempotencyKey === undefined ? randomUUID() : keyedId(groupId, idempotencyKey);
  return await inTransaction(db, async (trx) => {
    if (!(await administration.keepGroup(trx, groupId))) throw noGroup(groupId);
    await store.lockAccounts(trx, groupId, null);
    const account = await store.readAccount(trx, groupId, null, clock.now());
    const earlier = await administration.readGrant(trx, id);
    if (earlier !== null) {
      if (earlier.group_id !== groupId || BigInt(earlier.micro) !== micro || earlier.note !== note) {
        throw new ServiceError("CONFLICT", `the idempotency key ${idempotencyKey} was used for another grant`);
      }
      return { ...toGrant(earlier), remainingCredit: microToCredits(account.remainingMicro) };
    }
    const remainingMicro = account.remainingMicro + micro;
    if (remainingMicro < 0n) {
      throw new ServiceError(
        "INSUFFICIENT-CREDIT",
        `the group has ${microToCredits(account.remainingMicro)} credits, ${credit} cannot be added`,
      );
    }
    const createdAt = clock.now();
    await store.insertGrant(trx, { id, groupId, micro, note, grantedBy: caller.userId, createdAt });
    const remainingCredit = microToCredits(remainingMicro);
    await audit.record(trx, {
      actor: caller,
      ...(requestId === undefined ? {} : { requestId }),
      action: "credit.grant",
      target: { kind: "group", id: groupId },
      before: { remainingCredit: microToCredits(account.remainingMicro) },
      after: { remainingCredit, credit: microToCredits(micro), note, grantId: id },
    });
    return {
      id,
      groupId,
      credit: microToCredits(micro),
      note,
      grantedBy: caller.userId,
      time: formatInstant(createdAt.getTime()),
      remainingCredit,
    };
  });
}

async function listGrants(
  { db }: PriceRuleDeps,
  request: ListGrantsRequest,
): Promise<{ results: Grant[]; cursor: string | null }> {
  const limit = request.limit ?? PAGE_SIZE;
  const scope = ["grants", request.groupId ?? null];
  const after = decodeCursor(scope, request.cursor);
  const rows = await administration.selectGrants(db, request.groupId ?? null, { after, limit: limit + 1 });
  return pageOf(rows, limit, toGrant, (last) => encodeCursor(scope, last));
}

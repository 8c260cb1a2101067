import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { HostRules } from "@swath/raster/remote/host-rules";
import { RasterError } from "@swath/raster/raster-error";
import { MAX_WEBHOOKS_PER_USER, ROTATION_HOURS } from "@swath/contract/features/webhooks/contract";
import type { Webhook, webhooksContract } from "@swath/contract/features/webhooks/contract";
import type { Caller, Db } from "../../platform/context.ts";
import { recordEvent } from "../../platform/events/record-event.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { newPipelineId } from "../../platform/queue/pipeline-id.ts";
import type { AuditService } from "../audit/service.ts";
import * as store from "./store.ts";
import { newSecret, sealSecret, shownSecret } from "./webhook-secret.ts";

type Contract = typeof webhooksContract;
type RequestOf<Name extends keyof Contract> = Static<Contract[Name]["request"]>;
type WithSecret = Static<Contract["create"]["response"]>;

/** A caller, and the request. */
export interface Asking {
  readonly caller: Caller;
  readonly requestId: string;
}

export interface WebhookDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<AuditService, "record">;
  readonly rules: Pick<HostRules, "check">;
  readonly sealingKey: Uint8Array;
}

const HOUR_MS = 3_600_000;

/** @throws {ServiceError} VALIDATION-ERROR for an address that takes no webhooks; CONFLICT for one too many */
export async function createWebhook(
  deps: WebhookDeps,
  { caller, requestId }: Asking,
  { url, types = [], description = "" }: RequestOf<"create">,
): Promise<WithSecret> {
  const address = requireReceiver(deps, url);
  const id = newPipelineId();
  const secret = newSecret();
  const ownerId = caller.userId;
  await inTransaction(deps.db, async (trx) => {
    await store.lockOwner(trx, ownerId);
    if ((await store.countWebhooks(trx, ownerId)) >= MAX_WEBHOOKS_PER_USER) {
      throw new ServiceError("CONFLICT", `you have ${MAX_WEBHOOKS_PER_USER} webhooks already; delete one first`);
    }
    const sealed = sealSecret(deps.sealingKey, secret, id);
    await store.insertWebhook(trx, {
      id,
      ownerId,
      url: address,
      types,
      description,
      secret: sealed,
      at: deps.clock.now(),
    });
    const target = { kind: "webhook", id };
    await deps.audit.record(trx, {
      actor: caller,
      requestId,
      action: "webhook.create",
      target,
      after: { url: address },
    });
  });
  return { ...(await findWebhook(deps.db, caller, id)), secret: shownSecret(secret) };
}

export async function listWebhooks(db: Db, { userId }: Caller): Promise<{ results: Webhook[] }> {
  return { results: (await store.selectWebhooks(db, userId, null)).map(shown) };
}

/** @throws {ServiceError} NON-EXISTENT-WEBHOOK; VALIDATION-ERROR */
export async function changeWebhook(
  deps: WebhookDeps,
  { caller, requestId }: Asking,
  { id, url, types, description, enabled }: RequestOf<"update">,
): Promise<Webhook> {
  const address = url === undefined ? null : requireReceiver(deps, url);
  const before = await findWebhook(deps.db, caller, id);
  await inTransaction(deps.db, async (trx) => {
    const changes = {
      url: address,
      types: types ?? null,
      description: description ?? null,
      enabled: enabled ?? null,
      at: deps.clock.now(),
    };
    if (!(await store.updateWebhook(trx, caller.userId, id, changes))) throw unknownWebhook(id);
    if (enabled === true) await store.hurryDeliveries(trx, id);
    await deps.audit.record(trx, {
      actor: caller,
      requestId,
      action: "webhook.update",
      target: { kind: "webhook", id },
      before: { url: before.url, enabled: before.enabled },
      after: { url: address ?? before.url, enabled: enabled ?? before.enabled },
    });
  });
  return await findWebhook(deps.db, caller, id);
}

/** @throws {ServiceError} NON-EXISTENT-WEBHOOK */
export async function rotateWebhook(
  { audit, clock, db, sealingKey }: WebhookDeps,
  { caller, requestId }: Asking,
  { id }: RequestOf<"rotate">,
): Promise<WithSecret> {
  const secret = newSecret();
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    const formerUntil = new Date(at.getTime() + ROTATION_HOURS * HOUR_MS);
    const sealed = sealSecret(sealingKey, secret, id);
    if (!(await store.rotateSecret(trx, caller.userId, id, { secret: sealed, formerUntil, at }))) {
      throw unknownWebhook(id);
    }
    await audit.record(trx, { actor: caller, requestId, action: "webhook.rotate", target: { kind: "webhook", id } });
  });
  return { ...(await findWebhook(db, caller, id)), secret: shownSecret(secret) };
}

/** @throws {ServiceError} NON-EXISTENT-WEBHOOK; CONFLICT for a webhook that is disabled */
export async function testWebhook(
  { db }: Pick<WebhookDeps, "db">,
  { userId }: Caller,
  { id }: RequestOf<"test">,
): Promise<Record<string, never>> {
  await inTransaction(db, async (trx) => {
    const [webhook] = await store.selectWebhooks(trx, userId, id);
    if (webhook === undefined) throw unknownWebhook(id);
    if (!webhook.enabled) throw new ServiceError("CONFLICT", "the webhook is disabled; enable it first");
    const subject = `webhook:${id}`;
    await recordEvent(trx, { type: "webhook.test", subject, audience: { userId }, data: { webhookId: id } });
  });
  return {};
}

/** @throws {ServiceError} NON-EXISTENT-WEBHOOK */
export async function removeWebhook(
  { audit, db }: WebhookDeps,
  { caller, requestId }: Asking,
  { id }: RequestOf<"delete">,
): Promise<Record<string, never>> {
  await inTransaction(db, async (trx) => {
    if (!(await store.deleteWebhook(trx, caller.userId, id))) throw unknownWebhook(id);
    await audit.record(trx, { actor: caller, requestId, action: "webhook.delete", target: { kind: "webhook", id } });
  });
  return {};
}

/** @throws {ServiceError} NON-EXISTENT-WEBHOOK also for a webhook of another user */
export async function findWebhook(db: Db, { userId }: Pick<Caller, "userId">, id: string): Promise<Webhook> {
  const [row] = await store.selectWebhooks(db, userId, id);
  if (row === undefined) throw unknownWebhook(id);
  return shown(row);
}

/** The address in its usual form, without a fragment. */
function requireReceiver({ rules }: WebhookDeps, text: string): string {
  try {
    const url = new URL(text);
    url.hash = "";
    rules.check(url);
    return url.href;
  } catch (error) {
    const reason = error instanceof RasterError ? error.message : "is no address";
    const message = `/url: ${reason}`;
    throw new ServiceError("VALIDATION-ERROR", message, { cause: error, details: [{ path: "/url", message: reason }] });
  }
}

function unknownWebhook(id: string): ServiceError {
  return new ServiceError("NON-EXISTENT-WEBHOOK", `there is no webhook "${id}" of the caller`);
}

function shown(row: store.WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: [...row.types] as Webhook["types"],
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    pending: row.pending,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** A webhook without its secrets. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly pending: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const MAX_PENDING = 1_000;

/** Makes those who count a user's webhooks wait for each other until the transaction ends. */
export async function lockOwner(trx: Trx, ownerId: string): Promise<void> {
  await trx.selectFrom("users").select("id").where("id", "=", ownerId).forNoKeyUpdate().execute();
}

export async function countWebhooks(trx: Trx, ownerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where owner_id = ${ownerId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

export interface NewWebhook {
  readonly id: string;
  readonly ownerId: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly secret: Buffer;
  readonly at: Date;
}

export async function insertWebhook(trx: Trx, webhook: NewWebhook): Promise<void> {
  const { at, description, id, ownerId, secret, types, url } = webhook;
  await sql`
    insert into webhooks (id, owner_id, url, types, description, secret, enabled, created_at, updated_at)
    values (${id}, ${ownerId}, ${url}, ${[...types]}::text[], ${description}, ${secret}, true, ${at}, ${at})
  `.execute(trx);
}

/** The webhooks of an owner, newest first; one of them where `id` is given. */
export async function selectWebhooks(db: Db, ownerId: string, id: string | null): Promise<readonly WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select w.id, w.url, w.types, w.description, w.enabled, w.disabled_reason as "disabledReason",
      w.failing_since as "failingSince", w.created_at as "createdAt", w.updated_at as "updatedAt", (
        select count(*)::int from (
          select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' limit ${MAX_PENDING}
        ) as waiting
      ) as pending
    from webhooks w
    where w.owner_id = ${ownerId} and (${id}::text is null or w.id = ${id})
    order by w.serial desc`.execute(db);
  return rows;
}

/** Members that change; null: as it is. */
export interface WebhookChanges {
  readonly url: string | null;
  readonly types: readonly string[] | null;
  readonly description: string | null;
  readonly enabled: boolean | null;
  readonly at: Date;
}

/** @returns false when the owner has no such webhook */
export async function updateWebhook(trx: Trx, ownerId: string, id: string, changes: WebhookChanges): Promise<boolean> {
  const { at, description, enabled, types, url } = changes;
  const { rows } = await sql<{ enabled: boolean }>`
    update webhooks set url = coalesce(${url}, url),
      types = coalesce(${types === null ? null : [...types]}::text[], types),
      description = coalesce(${description}, description), enabled = coalesce(${enabled}::bool, enabled),
      disabled_reason = case when ${enabled}::bool is null then disabled_reason end,
      failing_since = case when ${enabled}::bool then null else failing_since end, updated_at = ${at}
    where owner_id = ${ownerId} and id = ${id}
    returning enabled`.execute(trx);
  return rows.length > 0;
}

/** Lets every waiting delivery be tried now. */
export async function hurryDeliveries(trx: Trx, id: string): Promise<void> {
  await sql`
    update webhook_deliveries set due_at = now() where webhook_id = ${id} and status = 'pending'`.execute(trx);
}

/** Gives a webhook another secret; the former signs too until the time. @returns false when there is none */
export async function rotateSecret(
  trx: Trx,
  ownerId: string,
  id: string,
  { secret, formerUntil, at }: { readonly secret: Buffer; readonly formerUntil: Date; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update webhooks set previous_secret = secret, previous_until = ${formerUntil}, secret = ${secret}, updated_at = ${at}
    where owner_id = ${ownerId} and id = ${id} returning id`.execute(trx);
  return rows.length > 0;
}

/** @returns false when the owner has no such webhook */
export async function deleteWebhook(trx: Trx, ownerId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from webhooks where owner_id = ${ownerId} and id = ${id} returning id`.execute(trx);
  return rows.length > 0;
}

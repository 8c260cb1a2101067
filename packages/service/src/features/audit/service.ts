import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import type { AuditList, AuditListRequest } from "@swath/contract/features/audit/contract";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { insertEntry, selectEntries, type AuditRow } from "./store.ts";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** One change of rights, money or assets. */
export interface AuditEntry {
  /** Who did it; `"system"` for the service itself and for an operator at its command line. */
  readonly actor: Pick<Caller, "kind" | "userId" | "email"> | "system";
  readonly requestId?: string;
  /** What was done: `<kind>.<verb>`, such as `user.block`. */
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string };
  /** The members that changed, as they were. Never a password, a hash, a key or a token. */
  readonly before?: JsonValue;
  /** The same members as they are now. */
  readonly after?: JsonValue;
}

/** The record of who changed what. Entries are never altered nor removed: the database refuses it. */
export interface AuditService {
  /** Adds an entry in the transaction of the change it tells of: both are there, or neither. */
  record(trx: Trx, entry: AuditEntry): Promise<void>;
  /** Newest first. @throws {ServiceError} INVALID-CURSOR */
  list(request: AuditListRequest): Promise<AuditList>;
}

const DEFAULT_LIMIT = 100;
/** An entry of a user with thousands of permissions has half a megabyte: a page ends early rather than grow. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export function createAuditService(deps: { readonly db: Db; readonly clock: Clock }): AuditService {
  const { db, clock } = deps;
  return {
    async record(trx, { actor, requestId, action, target, before, after }) {
      await insertEntry(trx, {
        at: clock.now(),
        actor_kind: actor === "system" ? "system" : actor.kind,
        actor_id: actor === "system" ? null : actor.userId,
        actor_email: actor === "system" ? null : actor.email,
        request_id: requestId ?? null,
        action,
        target_kind: target.kind,
        target_id: target.id,
        before: before === undefined ? null : JSON.stringify(before),
        after: after === undefined ? null : JSON.stringify(after),
      });
    },

    async list(request) {
      const after = request.cursor === undefined ? null : decodeCursor(request.cursor);
      if (request.cursor !== undefined && after === null) {
        throw new ServiceError("INVALID-CURSOR", "The cursor is not one of this list");
      }
      const limit = request.limit ?? DEFAULT_LIMIT;
      const { rows, more } = await selectEntries(db, {
        actor: request.actor ?? null,
        action: request.action ?? null,
        target: request.target ?? null,
        from: instant(request.from, "/from"),
        to: instant(request.to, "/to"),
        after,
        limit,
        maxBytes: MAX_PAGE_BYTES,
      });
      const last = rows.at(-1);
      return { results: rows.map(toEntry), cursor: more && last !== undefined ? encodeCursor(last) : null };
    },
  };
}

function toEntry(row: AuditRow): AuditList["results"][number] {
  return {
    id: row.id,
    time: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, email: row.actor_email },
    requestId: row.request_id,
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id },
    before: row.before,
    after: row.after,
  };
}

function instant(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1) {
    const message = `is no time, got "${text}", expected such as 2026-03-01T12:00:00Z`;
    throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
  }
  return at;
}

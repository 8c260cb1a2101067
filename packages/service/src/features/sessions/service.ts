import type { Clock } from "@swath/base/clock";
import type { EndSessionsRequest, ListSessionsRequest, Session } from "@swath/contract/features/sessions/contract";
import type { Caller, Db, RequestContext } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { AuditService } from "../audit/service.ts";
import type { UserService } from "../users/service.ts";
import { deleteSessions, endTokens, selectSessions, type SessionRow } from "./store.ts";

/** Sessions of the console as their users and administrators see and end them; `platform/identity` begins them. */
export interface SessionService {
  list(caller: Caller, request: ListSessionsRequest): Promise<{ results: Session[] }>;
  /** @throws {ServiceError} NOT-AUTHORIZED for an administrator, unless the caller is one */
  end(by: RequestContext, request: EndSessionsRequest): Promise<{ ended: number }>;
}

export function createSessionService(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<AuditService, "record">;
  readonly users: Pick<UserService, "requireMayChange">;
}): SessionService {
  const { db, clock, audit, users } = deps;
  return {
    async list(caller, { userId = caller.userId }) {
      return { results: (await selectSessions(db, userId, clock.now())).map(shown) };
    },

    async end({ caller, requestId }, { id = null, userId = caller.userId }) {
      if (userId !== caller.userId) await users.requireMayChange(caller, userId);
      return await inTransaction(db, async (trx) => {
        const ended = await deleteSessions(trx, userId, id);
        const isKnown = id === null ? await endTokens(trx, userId) : ended > 0;
        if (isKnown) {
          await audit.record(trx, {
            actor: caller,
            requestId,
            action: "session.end",
            target: { kind: "user", id: userId },
            after: { sessions: ended, tokens: id === null ? "all" : "none" },
          });
        }
        return { ended };
      });
    },
  };
}

function shown(row: SessionRow): Session {
  return {
    id: row.id,
    startedAt: row.created_at.toISOString(),
    lastUsed: row.rotated_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    secondFactor: row.second_factor,
  };
}

import type { AuditService } from "./features/audit/service.ts";
import type { Trx } from "./platform/context.ts";
import type { MadeUser } from "./platform/identity/external-users.ts";
import type { FactorChange } from "./platform/identity/second-factor.ts";

type Recorder = Pick<AuditService, "record">;

/** What `platform/identity` changes by itself, as entries of the audit log. */
export function factorRecorder(audit: Recorder): (trx: Trx, change: FactorChange) => Promise<void> {
  return (trx, { action, userId, actor }) => audit.record(trx, { actor, action, target: { kind: "user", id: userId } });
}

/** Users made at their first request with a token of the external issuer. */
export function madeUserRecorder(audit: Recorder): (trx: Trx, made: MadeUser) => Promise<void> {
  return (trx, { userId, email, groupName }) =>
    audit.record(trx, {
      actor: "system",
      action: "user.create",
      target: { kind: "user", id: userId },
      after: { email, group: groupName },
    });
}

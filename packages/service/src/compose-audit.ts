import type { AuditService } from "./features/audit/service.ts";
import type { Trx } from "./platform/context.ts";
import type { ExternalRecords } from "./platform/identity/external-users.ts";
import type { FactorChange } from "./platform/identity/second-factor.ts";

type Recorder = Pick<AuditService, "record">;

/** Changes that `platform/identity` makes by itself, as entries of the audit log. */
export function factorRecorder(audit: Recorder): (trx: Trx, change: FactorChange) => Promise<void> {
  return (trx, { action, userId, actor }) => audit.record(trx, { actor, action, target: { kind: "user", id: userId } });
}

/** Users and memberships that follow from tokens of the external issuer. */
export function externalRecorder(audit: Recorder): ExternalRecords {
  return {
    made: (trx, { userId, email, groupName }) =>
      audit.record(trx, {
        actor: "system",
        action: "user.create",
        target: { kind: "user", id: userId },
        after: { email, group: groupName },
      }),
    signedIn: (trx, { userId, email, issuer }) =>
      audit.record(trx, {
        actor: { kind: "user", userId, email },
        action: "user.sign-in",
        target: { kind: "user", id: userId },
        after: { issuer },
      }),
    memberships: (trx, { after, before, userId }) =>
      audit.record(trx, {
        actor: "system",
        action: "user.follow-claims",
        target: { kind: "user", id: userId },
        before: { groups: before },
        after: { groups: after },
      }),
  };
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../platform/context.ts";
import type { FactorUser, Proof, SecondFactor, Verification } from "../../platform/identity/second-factor.ts";
import type { EnrollRequest, Enrollment, MfaState } from "@swath/contract/features/mfa/contract";
import type { UserService } from "../users/service.ts";
import { isMfaRequired } from "./store.ts";

/** Second factors as their owners manage them; the token requests ask for them in `platform/identity`. */
export interface MfaService {
  /** @throws {ServiceError} MFA-REQUIRED for a wrong code, CONFLICT without an enrolment, TOO-MANY-REQUESTS */
  confirm(caller: Caller, code: string): Promise<MfaState>;
  /** @throws {ServiceError} MFA-REQUIRED for a wrong code, CONFLICT without a factor, TOO-MANY-REQUESTS */
  disable(caller: Caller, code: string): Promise<MfaState>;
  /** @throws {ServiceError} MFA-REQUIRED when the present factor must be proved first, CONFLICT, TOO-MANY-REQUESTS */
  enroll(caller: Caller, request: EnrollRequest): Promise<Enrollment>;
  /** @throws {ServiceError} NOT-AUTHORIZED for an administrator, unless the caller is one */
  reset(caller: Caller, userId: string): Promise<{ removed: boolean }>;
}

const CODE = /^[\d ]+$/;

/** @param deps.builtIn whether tokens come from the built-in provider: another one has second factors of its own */
export function createMfaService(deps: {
  readonly db: Db;
  readonly secondFactor: SecondFactor;
  readonly builtIn: boolean;
  readonly users: Pick<UserService, "requireMayChange">;
}): MfaService {
  const { db, secondFactor, builtIn, users } = deps;

  async function prove(caller: Caller, code: string): Promise<void> {
    const proof: Proof = CODE.test(code) ? { otp: code } : { recoveryCode: code };
    requireAccepted(await secondFactor.verify(userOf(caller), proof, null), "There is no second factor");
  }

  return {
    async confirm(caller, code) {
      const outcome = await secondFactor.confirm(userOf(caller), code, null);
      requireAccepted(outcome, "No enrolment was begun within the last 15 minutes");
      return { enabled: true };
    },

    async disable(caller, code) {
      if (await isMfaRequired(db, caller.userId)) {
        throw new ServiceError("CONFLICT", "The account requires a second factor; enrol another one instead");
      }
      await prove(caller, code);
      await secondFactor.remove(caller.userId, userOf(caller));
      return { enabled: false };
    },

    async enroll(caller, { code }) {
      if (!builtIn) throw new ServiceError("CONFLICT", "Second factors are the external issuer's concern");
      if (await secondFactor.isEnrolled(caller.userId)) {
        if (code === undefined) {
          throw new ServiceError("MFA-REQUIRED", "There is a second factor; expected a code of it to replace it");
        }
        await prove(caller, code);
      }
      const { secret, otpauthUri, recoveryCodes } = await secondFactor.begin(userOf(caller));
      return { secret, otpauthUri, recoveryCodes: [...recoveryCodes] };
    },

    async reset(caller, userId) {
      await users.requireMayChange(caller, userId);
      return { removed: await secondFactor.remove(userId, userOf(caller)) };
    },
  };
}

function userOf({ userId, email }: Caller): FactorUser {
  return { id: userId, email };
}

function requireAccepted(outcome: Verification, absence: string): void {
  switch (outcome.kind) {
    case "accepted":
      return;
    case "absent":
      throw new ServiceError("CONFLICT", absence);
    case "refused":
      throw new ServiceError("MFA-REQUIRED", "The code is not valid, or was used before");
    case "locked":
      throw new ServiceError("TOO-MANY-REQUESTS", `Too many attempts; try again in ${outcome.retryAfterS} s`, {
        retryAfterS: outcome.retryAfterS,
      });
  }
}

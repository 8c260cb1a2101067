import type { Clock } from "@swath/base/clock";
import type { Db, Trx } from "../context.ts";
import { inTransaction } from "../postgres/transaction.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";
import { seal, unseal } from "./sealed-secret.ts";
import {
  deleteEnrolment,
  deleteFactor,
  findFactor,
  lockEnrolment,
  replaceFactor,
  upsertEnrolment,
  useRecoveryHash,
  useStep,
} from "./second-factor-store.ts";
import { newTotpSecret, totpSecretText, totpStep, totpUri } from "./totp.ts";

/** Secrets for the authenticator application and the user, shown once. */
export interface Enrolment {
  /** Base32. */
  readonly secret: string;
  readonly otpauthUri: string;
  /** Each replaces a code once. */
  readonly recoveryCodes: readonly string[];
}

/** A code of the application, or one of the recovery codes. */
export type Proof = { readonly otp: string } | { readonly recoveryCode: string };

export type Verification =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused" }
  /** Nothing to prove: no factor, or no enrolment begun within the last 15 minutes. */
  | { readonly kind: "absent" }
  | { readonly kind: "locked"; readonly retryAfterS: number };

export type FactorUser = { readonly id: string; readonly email: string };

/** A change for the audit log. */
export interface FactorChange {
  readonly action: "mfa.enrol" | "mfa.remove" | "mfa.use-recovery-code";
  readonly userId: string;
  /** The user, or the administrator who removed the factor. */
  readonly actor: { readonly kind: "user"; readonly userId: string; readonly email: string };
}

/** Time-based one-time passwords (RFC 6238) of users. */
export interface SecondFactor {
  isEnrolled(userId: string): Promise<boolean>;
  /** Begins an enrolment; an existing factor stays valid until `confirm`. */
  begin(user: FactorUser): Promise<Enrolment>;
  /** Ends an enrolment with a code of the new secret, which then replaces the former. */
  confirm(user: FactorUser, otp: string, address: string | null): Promise<Verification>;
  /** Each code is accepted once. @param address network address of the caller, throttled too */
  verify(user: FactorUser, proof: Proof, address: string | null): Promise<Verification>;
  /** @returns whether there was one */
  remove(userId: string, actor: FactorUser): Promise<boolean>;
}

/** How long an enrolment that was begun may be confirmed. */
const ENROLMENT_MS = 15 * 60_000;
/** Longer texts are no code; looked at before any work. */
const MAX_PROOF_LENGTH = 64;

/**
 * @param deps.key 32 bytes that encrypt the secrets in the database
 * @param deps.record writes the audit log, in the transaction of the change
 */
export function createSecondFactor(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly key: Uint8Array;
  readonly throttle: LoginThrottle;
  readonly record: (trx: Trx, change: FactorChange) => Promise<void>;
}): SecondFactor {
  const { db, clock, key, throttle, record } = deps;

  /** Counts an attempt before the proof is looked at, as the password login does. */
  async function throttled(
    userId: string,
    address: string | null,
    attempt: () => Promise<Verification>,
  ): Promise<Verification> {
    // No e-mail has a space: this is no account's subject.
    const subject = `second factor ${userId}`;
    const retryAfterS = await throttle.begin(subject, address);
    if (retryAfterS > 0) return { kind: "locked", retryAfterS };
    const outcome = await attempt();
    if (outcome.kind !== "refused") await throttle.succeeded(subject, address);
    return outcome;
  }

  async function accepts(trx: Trx, user: FactorUser, proof: Proof): Promise<boolean> {
    const userId = user.id;
    if ("recoveryCode" in proof) {
      if (!(await useRecoveryHash(trx, userId, recoveryHash(proof.recoveryCode, userId)))) return false;
      await record(trx, { action: "mfa.use-recovery-code", userId, actor: actorOf(user) });
      return true;
    }
    const factor = await findFactor(trx, userId);
    if (factor === null) return false;
    const step = totpStep(unseal(key, factor.secret, userId), proof.otp, clock.now().getTime());
    return step !== null && (await useStep(trx, userId, factor.secret, step));
  }

  return {
    async isEnrolled(userId) {
      return (await findFactor(db, userId)) !== null;
    },

    async begin({ id, email }) {
      const secret = newTotpSecret();
      const recoveryCodes = newRecoveryCodes();
      const recoveryHashes = recoveryCodes.map((code) => recoveryHash(code, id));
      await inTransaction(db, (trx) =>
        upsertEnrolment(trx, id, { secret: seal(key, secret, id), recoveryHashes }, clock.now()),
      );
      return { secret: totpSecretText(secret), otpauthUri: totpUri(secret, email), recoveryCodes };
    },

    confirm: (user, otp, address) =>
      throttled(user.id, address, () =>
        inTransaction(db, async (trx): Promise<Verification> => {
          const now = clock.now();
          const userId = user.id;
          const begun = await lockEnrolment(trx, userId, new Date(now.getTime() - ENROLMENT_MS));
          if (begun === null) return { kind: "absent" };
          const step =
            otp.length > MAX_PROOF_LENGTH ? null : totpStep(unseal(key, begun.secret, userId), otp, now.getTime());
          if (step === null) return { kind: "refused" };
          await replaceFactor(trx, userId, { ...begun, lastStep: step }, now);
          await deleteEnrolment(trx, userId);
          await record(trx, { action: "mfa.enrol", userId, actor: actorOf(user) });
          return { kind: "accepted" };
        }),
      ),

    verify: (user, proof, address) =>
      throttled(user.id, address, () =>
        inTransaction(db, async (trx): Promise<Verification> => {
          if ((await findFactor(trx, user.id)) === null) return { kind: "absent" };
          const text = "otp" in proof ? proof.otp : proof.recoveryCode;
          const accepted = text.length <= MAX_PROOF_LENGTH && (await accepts(trx, user, proof));
          return { kind: accepted ? "accepted" : "refused" };
        }),
      ),

    remove: (userId, actor) =>
      inTransaction(db, async (trx) => {
        await deleteEnrolment(trx, userId);
        const existed = await deleteFactor(trx, userId);
        if (existed) await record(trx, { action: "mfa.remove", userId, actor: actorOf(actor) });
        return existed;
      }),
  };
}

function actorOf({ id, email }: FactorUser): FactorChange["actor"] {
  return { kind: "user", userId: id, email };
}

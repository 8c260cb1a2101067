import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { findAccount, findCredential, recordLogin, renewPasswordHash, type Credential } from "./account-store.ts";
import { isKnownNetwork, rememberNetwork } from "./known-networks.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import type { MfaTokens } from "./mfa-token.ts";
import { hashPassword, isOutdated, verifyPassword } from "./password.ts";
import type { Enrolment, Proof, SecondFactor, Verification } from "./second-factor.ts";
import type { BuiltInTokens } from "./tokens.ts";

/** Form of the answer, the same after one leg or two. */
interface AnswerForm {
  /** Path of the token request. */
  readonly leg: string;
  readonly scope: string;
  /** Seconds that the token is valid; as configured when absent. */
  readonly lifetimeS?: number;
}

interface LoginRequest {
  readonly username: string;
  readonly password: string;
  /** Network address of the caller. */
  readonly address: string;
  /** `/oauth2/token` with the scope `openid` when absent. */
  readonly form?: AnswerForm;
}

/** The second leg: a code, a recovery code, or nothing when the user has yet to enrol. */
export interface ExchangeRequest {
  readonly mfaToken: string;
  readonly proof: Proof | null;
  readonly address: string;
  /** First legs that this address continues; an `mfa_token` of another is refused. */
  readonly legs: readonly Pick<AnswerForm, "leg" | "lifetimeS">[];
}

export type LoginOutcome =
  | {
      readonly kind: "granted";
      readonly token: string;
      readonly expiresInS: number;
      readonly userId: string;
      readonly form: AnswerForm;
      /** Whether the user proved a second factor. */
      readonly secondFactor: boolean;
      /** Of the user when the credential was checked. */
      readonly tokenVersion: number;
    }
  /** The password was right; the second leg is due. */
  | { readonly kind: "second-factor"; readonly mfaToken: string; readonly enrolled: boolean }
  /** The user must store this and come back with a code. */
  | { readonly kind: "enrolment"; readonly mfaToken: string; readonly enrolment: Enrolment }
  | { readonly kind: "refused"; readonly reason: string }
  /** The request makes no sense in this state. */
  | { readonly kind: "malformed"; readonly reason: string }
  | { readonly kind: "locked"; readonly retryAfterS: number };

export interface PasswordLogin {
  /** Exchanges e-mail and password for a token, or for the right to the second leg. */
  login(request: LoginRequest): Promise<LoginOutcome>;
  /** The second leg. */
  exchange(request: ExchangeRequest): Promise<LoginOutcome>;
}

/** Longest address of an account, RFC 5321; longer names belong to nobody. */
const MAX_EMAIL_LENGTH = 254;
const DEFAULT_FORM: AnswerForm = { leg: "/oauth2/token", scope: "openid" };
const WRONG: LoginOutcome = { kind: "refused", reason: "Wrong email or password." };
const STALE: LoginOutcome = {
  kind: "refused",
  reason: "The mfa_token is not valid (any more); request a token again.",
};
const BLOCKED: LoginOutcome = { kind: "refused", reason: "The user is blocked." };

/** Whether the account has that password. The right one replaces a hash of other parameters. */
async function checkPassword(db: Db, credential: Credential | null, password: string): Promise<boolean> {
  const stored = credential?.passwordHash ?? null;
  const matches = await verifyPassword(stored, password);
  if (matches && credential !== null && stored !== null && isOutdated(stored)) {
    await renewPasswordHash(db, credential, await hashPassword(password));
  }
  return matches;
}

/** @param deps.secondFactor null: users who need a second factor cannot sign in */
export function createPasswordLogin(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly throttle: LoginThrottle;
  readonly tokens: BuiltInTokens;
  readonly mfaTokens: MfaTokens;
  readonly secondFactor: SecondFactor | null;
  readonly tokenLifetimeS: number;
}): PasswordLogin {
  const { db, clock, throttle, tokens, mfaTokens, secondFactor, tokenLifetimeS } = deps;

  async function grant(
    user: { readonly id: string; readonly email: string; readonly tokenVersion: number },
    proved: boolean,
    { form, address }: { readonly form: AnswerForm; readonly address: string },
  ): Promise<LoginOutcome> {
    const now = clock.now();
    const expiresInS = form.lifetimeS ?? tokenLifetimeS;
    const [token] = await Promise.all([
      tokens.issue(user, proved, expiresInS),
      recordLogin(db, user.id, now),
      rememberNetwork(db, user.id, address, now),
    ]);
    const { id: userId, tokenVersion } = user;
    return { kind: "granted", token, expiresInS, userId, form, secondFactor: proved, tokenVersion };
  }

  /** Whether a login from there goes on while wrong passwords from elsewhere lock the account. */
  async function isTrusted(email: string, address: string, credential: Promise<Credential | null>): Promise<boolean> {
    if (await isKnownNetwork(db, email, address, clock.now())) return true;
    // The password alone is worth nothing there.
    return secondFactor !== null && (await credential)?.enrolled === true;
  }

  /** After the right password: before it, nothing tells that an account is blocked. */
  async function passed(credential: Credential, form: AnswerForm, address: string): Promise<LoginOutcome> {
    const { id: userId, blocked, enrolled, requireMfa, tokenVersion } = credential;
    if (blocked) return BLOCKED;
    const needsFactor = requireMfa || (enrolled && secondFactor !== null);
    if (!needsFactor) return grant(credential, false, { form, address });
    if (secondFactor === null) return { kind: "refused", reason: "A second factor cannot be checked here." };
    const { leg, scope } = form;
    const mfaToken = await mfaTokens.issue({ userId, tokenVersion, leg, scope });
    return { kind: "second-factor", mfaToken, enrolled };
  }

  return {
    async login(request) {
      const email = request.username.toLowerCase();
      if (email.length > MAX_EMAIL_LENGTH || email.includes("\0")) return WRONG;
      const { address, form = DEFAULT_FORM } = request;
      const found = findCredential(db, email);
      const [retryAfterS, credential] = await Promise.all([
        throttle.beginLogin(email, address, () => isTrusted(email, address, found)),
        found,
      ]);
      if (retryAfterS > 0) return { kind: "locked", retryAfterS };
      const matches = await checkPassword(db, credential, request.password);
      if (credential === null || !matches) return WRONG;
      const [outcome] = await Promise.all([passed(credential, form, address), throttle.loggedIn(email, address)]);
      return outcome;
    },

    async exchange({ mfaToken, proof, address, legs }) {
      const pending = await mfaTokens.read(mfaToken);
      const first = legs.find(({ leg }) => leg === pending?.leg);
      const account = pending === null ? null : await findAccount(db, pending.userId);
      if (pending === null || first === undefined || account?.tokenVersion !== pending.tokenVersion) return STALE;
      if (account.blocked) return BLOCKED;
      if (secondFactor === null) return { kind: "refused", reason: "A second factor cannot be checked here." };
      const enrolled = await secondFactor.isEnrolled(account.id);
      if (proof === null) {
        if (enrolled) return { kind: "malformed", reason: "Expected otp or recovery_code" };
        return { kind: "enrolment", mfaToken, enrolment: await secondFactor.begin(account) };
      }
      if (!enrolled && !("otp" in proof)) {
        return { kind: "malformed", reason: "Expected otp: a recovery code is good when the enrolment is confirmed" };
      }
      const outcome =
        !enrolled && "otp" in proof
          ? await secondFactor.confirm(account, proof.otp, address)
          : await secondFactor.verify(account, proof, address);
      return outcome.kind === "accepted"
        ? grant(account, true, { form: { ...first, scope: pending.scope }, address })
        : refusalOf(outcome);
    },
  };
}

function refusalOf(outcome: Exclude<Verification, { readonly kind: "accepted" }>): LoginOutcome {
  if (outcome.kind === "locked") return outcome;
  return outcome.kind === "absent"
    ? { kind: "malformed", reason: "No enrolment was begun; send the mfa_token alone to begin one" }
    : { kind: "refused", reason: "The code is not valid, or was used before." };
}

import type { Clock } from "../clock.ts";
import type { Db } from "../context.ts";
import { findAccount, findCredential, recordLogin } from "./account-store.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import { verifyPassword } from "./password.ts";
import type { BuiltInTokens } from "./tokens.ts";

export interface LoginRequest {
  readonly username: string;
  readonly password: string;
  /** Network address of the caller. */
  readonly address: string;
}

export type LoginOutcome =
  | { readonly kind: "granted"; readonly token: string; readonly expiresInS: number; readonly userId: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "locked"; readonly retryAfterS: number };

/** Longest address of an account, RFC 5321; longer names belong to nobody. */
const MAX_EMAIL_LENGTH = 254;

/** Exchanges e-mail and password for a token. */
export function createPasswordLogin(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly throttle: LoginThrottle;
  readonly tokens: BuiltInTokens;
  readonly tokenLifetimeS: number;
}): (request: LoginRequest) => Promise<LoginOutcome> {
  const { db, clock, throttle, tokens, tokenLifetimeS } = deps;
  return async (request) => {
    const email = request.username.toLowerCase();
    if (email.length > MAX_EMAIL_LENGTH || email.includes("\0")) {
      return { kind: "refused", reason: "Wrong email or password." };
    }
    const retryAfterS = await throttle.begin(email, request.address);
    if (retryAfterS > 0) return { kind: "locked", retryAfterS };
    const credential = await findCredential(db, email);
    const matches = await verifyPassword(credential?.passwordHash ?? null, request.password);
    if (credential === null || !matches) return { kind: "refused", reason: "Wrong email or password." };
    await throttle.succeeded(email, request.address);
    // Told apart only after the password was right.
    const account = await findAccount(db, credential.id);
    if (account === null || account.blocked) return { kind: "refused", reason: "The user is blocked." };
    await recordLogin(db, credential.id, clock.now());
    return {
      kind: "granted",
      token: await tokens.issue(credential),
      expiresInS: tokenLifetimeS,
      userId: credential.id,
    };
  };
}

import { decodeJwt } from "jose";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { findAccount, recordLogin } from "./account-store.ts";
import type { ConsoleSessions, SessionCookie } from "./console-sessions.ts";
import type { ExternalIssuerConfig } from "./external-issuer.ts";
import type { ExternalRecords } from "./external-users.ts";
import { createIssuerSignIn, IssuerRefusal, type IssuerSignIn } from "./issuer-sign-in.ts";
import type { TokenClaims, TokenVerifier } from "./token-verifier.ts";

/** Sessions of the web console for users of an external issuer. */
export interface IssuerConsole {
  readonly sessions: ConsoleSessions;
  /** Null: the issuer has no client for the console. */
  readonly signIn: Pick<IssuerSignIn, "begin" | "issuer"> | null;
  /**
   * Begins a session for the user that the issuer has sent back.
   *
   * @throws {IssuerRefusal} when the sign-in cannot be completed, or its user is unknown here or blocked
   * @throws {ServiceError} INVALID-JWT, SERVICE-UNAVAILABLE
   */
  begin(callback: URL, secret: string): Promise<SessionCookie>;
}

interface IssuerConsoleDeps {
  readonly external: ExternalIssuerConfig;
  readonly sessions: ConsoleSessions;
  readonly db: Db;
  readonly clock: Clock;
  readonly verifier: TokenVerifier;
  readonly userIdOf: (claims: TokenClaims) => Promise<string | null>;
  readonly record: ExternalRecords["signedIn"];
}

const DEFAULT_SCOPE = "openid email profile";

export function createIssuerConsole(deps: IssuerConsoleDeps): IssuerConsole {
  const { external, sessions, db, clock, verifier, userIdOf, record } = deps;
  const { issuer, audience, clientId = null, scope = DEFAULT_SCOPE, resource = null } = external;
  const signIn = clientId === null ? null : createIssuerSignIn({ issuer, audience, clientId, scope, resource });
  return {
    sessions,
    signIn,
    async begin(callback, secret) {
      if (signIn === null) throw new IssuerRefusal("there is no client for the console");
      const claims = await verifier.verify(await signIn.finish(callback, secret));
      const userId = await userIdOf(claims);
      const account = userId === null ? null : await findAccount(db, userId);
      if (account === null) throw new IssuerRefusal("the user is unknown here");
      if (account.blocked) throw new IssuerRefusal("the user is blocked");
      const { secondFactor } = claims;
      if (account.requireMfa && !secondFactor) throw new IssuerRefusal("the user needs a second factor at the issuer");
      const { id, email } = account;
      await inTransaction(db, async (trx) => {
        await recordLogin(trx, id, clock.now());
        await record(trx, { userId: id, email, issuer });
      });
      return await sessions.begin({ userId: id, tokenVersion: account.tokenVersion, secondFactor });
    },
  };
}

/** Whether a token names the service as its issuer; its signature is not checked here. */
export function isOfConsole(token: string, issuer: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

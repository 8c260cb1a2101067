import { SignJWT, errors, jwtVerify } from "jose";
import type { Clock } from "@swath/base/clock";
import { SIGNING_ALGORITHM } from "./loaded-keys.ts";
import type { KeyRing } from "./signing-keys.ts";

/** Says that a password was right; good for the second leg of that token request and for nothing else. */
interface PendingLogin {
  readonly userId: string;
  /** Path of the first leg, whose form of answer the second one has. */
  readonly leg: string;
  readonly scope: string;
  /** Of the credential that was checked: a password that was changed meanwhile ends this too. */
  readonly tokenVersion: number;
}

export interface MfaTokens {
  issue(login: PendingLogin): Promise<string>;
  /** Null when it is not good, whatever the reason. */
  read(token: string): Promise<PendingLogin | null>;
}

/** Time to open an application and type a code, or to enrol. */
const LIFETIME_S = 600;
/** Type and audience differ from those in access tokens, so neither passes for the other. */
const TYPE = "mfa+jwt";
const MAX_LENGTH = 4096;

export function createMfaTokens(deps: {
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly issuer: string;
}): MfaTokens {
  const { keys, clock, issuer } = deps;
  const audience = `${issuer}/oauth/mfa`;
  return {
    async issue({ userId, leg, scope, tokenVersion }) {
      const { kid, key } = await keys.signingKey();
      const nowS = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ leg, scope, ver: tokenVersion })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + LIFETIME_S)
        .sign(key);
    },
    async read(token) {
      if (token.length > MAX_LENGTH) return null;
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = kid === undefined ? null : await keys.verificationKey(kid);
            if (key === null) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          { issuer, audience, typ: TYPE, algorithms: [SIGNING_ALGORITHM], currentDate: clock.now() },
        );
        const { sub, leg, scope, ver } = payload;
        if (sub === undefined || typeof leg !== "string" || typeof scope !== "string" || typeof ver !== "number") {
          return null;
        }
        return { userId: sub, leg, scope, tokenVersion: ver };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

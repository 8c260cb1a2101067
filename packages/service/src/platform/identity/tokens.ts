import { SignJWT, errors, jwtVerify } from "jose";
import type { Clock } from "@swath/base/clock";
import { SIGNING_ALGORITHM } from "./loaded-keys.ts";
import type { KeyRing } from "./signing-keys.ts";
import { readClaims, tokenError } from "./token-verifier.ts";
import type { TokenVerifier } from "./token-verifier.ts";

const TYPE = "JWT";

export interface BuiltInTokens extends TokenVerifier {
  /**
   * @param user with the token version that was read together with the credential that was checked
   * @param secondFactor whether the user has proved one besides the password
   * @param lifetimeS as configured unless given
   */
  issue(
    user: { readonly id: string; readonly email: string; readonly tokenVersion: number },
    secondFactor: boolean,
    lifetimeS?: number,
  ): Promise<string>;
}

/** Issues and verifies the tokens of the built-in provider. */
export function createBuiltInTokens(deps: {
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
  readonly tokenLifetimeS: number;
}): BuiltInTokens {
  const { keys, clock, issuer, audience, tokenLifetimeS } = deps;
  return {
    async issue(user, secondFactor, lifetimeS = tokenLifetimeS) {
      const { kid, key } = await keys.signingKey();
      const nowS = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({
        email: user.email,
        ver: user.tokenVersion,
        amr: secondFactor ? ["pwd", "otp", "mfa"] : ["pwd"],
      })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user.id)
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + lifetimeS)
        .sign(key);
    },
    async verify(token) {
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
        return readClaims(payload);
      } catch (error) {
        throw tokenError(error);
      }
    },
  };
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import { API_KEY_PREFIX } from "./api-key.ts";
import type { Caller } from "../context.ts";
import type { Account } from "./account-store.ts";
import { credentialName } from "./credential-name.ts";
import { memberOf, type Credential } from "./credential.ts";
import type { TokenClaims, TokenVerifier } from "./token-verifier.ts";

/** Looks up the user of a token. */
export interface TokenAuthentication {
  readonly tokens: TokenVerifier;
  readonly userIdOf: (claims: TokenClaims) => Promise<string | null>;
  /** Whether a change of password ends earlier tokens; tokens of external issuers carry no version. */
  readonly hasVersions: boolean;
}

/** Longer tokens are refused unread; ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 8192;

/** The credential that a bare token of a user is. @throws {ServiceError} as `Identity.authenticateToken` */
export async function authenticateToken(
  { tokens, userIdOf, hasVersions }: TokenAuthentication,
  token: string,
): Promise<Credential> {
  if (token.length > MAX_TOKEN_LENGTH) throw new ServiceError("INVALID-JWT", "The token is too long");
  if (token.startsWith(API_KEY_PREFIX)) throw new ServiceError("NOT-AUTHORIZED", "An API key is no user's token");
  const claims = await tokens.verify(token);
  const { secondFactor, tokenVersion } = claims;
  return {
    userId: await userIdOf(claims),
    secondFactor,
    callerOf(account) {
      if (hasVersions && tokenVersion !== account.tokenVersion) {
        return new ServiceError("INVALID-JWT", "The password was changed after the token was issued");
      }
      return userOf(account, secondFactor);
    },
    accepted: null,
  };
}

/** The credential of a user behind an earlier token. A change of the token version ends it, as it ends the token. */
export function namedUser(userId: string, tokenVersion: number, secondFactor: boolean): Credential {
  return {
    userId,
    secondFactor,
    callerOf: (account) =>
      account.tokenVersion === tokenVersion
        ? userOf(account, secondFactor)
        : new ServiceError("NOT-AUTHORIZED", "The password was changed after the address was signed"),
    accepted: null,
  };
}

function userOf(account: Account, secondFactor: boolean): Caller {
  const { permissions, tokenVersion } = account;
  const credential = credentialName({ kind: "user", tokenVersion, secondFactor });
  return { ...memberOf(account), kind: "user", permissions, secondFactor, credential };
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../context.ts";
import type { Account } from "./account-store.ts";
import { API_KEY_PREFIX } from "./api-key.ts";
import type { TokenClaims, TokenVerifier } from "./token-verifier.ts";

/** Looks up the user of a credential. */
export interface TokenAuthentication {
  readonly tokens: TokenVerifier;
  readonly userIdOf: (claims: TokenClaims) => Promise<string | null>;
  readonly readAccount: (userId: string) => Promise<Account | null>;
  /** Whether a change of password ends earlier tokens; tokens of external issuers carry no version. */
  readonly hasVersions: boolean;
}

/** Longer tokens are refused unread; ours have about 400 characters. */
const MAX_TOKEN_LENGTH = 8192;

/** The caller behind a bare token of a user. @throws {ServiceError} as `Identity.authenticateToken` */
export async function authenticateToken(
  { tokens, userIdOf, readAccount, hasVersions }: TokenAuthentication,
  token: string,
): Promise<Caller> {
  if (token.length > MAX_TOKEN_LENGTH) throw new ServiceError("INVALID-JWT", "The token is too long");
  if (token.startsWith(API_KEY_PREFIX)) throw new ServiceError("NOT-AUTHORIZED", "An API key is no user's token");
  const claims = await tokens.verify(token);
  const account = await usableAccount(readAccount, await userIdOf(claims), claims.secondFactor);
  if (hasVersions && claims.tokenVersion !== account.tokenVersion) {
    throw new ServiceError("INVALID-JWT", "The password was changed after the token was issued");
  }
  return {
    kind: "user",
    userId: account.id,
    groupId: account.groupId,
    organizationId: account.organizationId,
    accountingGroupId: account.accountingGroupId,
    email: account.email,
    permissions: account.permissions,
    secondFactor: claims.secondFactor,
  };
}

/**
 * The user as it is now.
 *
 * @param proved whether a second factor stands behind the credential
 * @throws {ServiceError} NOT-AUTHORIZED for a blocked or unknown user; MFA-REQUIRED
 */
export async function usableAccount(
  readAccount: TokenAuthentication["readAccount"],
  userId: string | null,
  proved: boolean,
): Promise<Account> {
  const account = userId === null ? null : await readAccount(userId);
  if (account === null) throw new ServiceError("NOT-AUTHORIZED", "The token's user is not known here");
  if (account.blocked) throw new ServiceError("NOT-AUTHORIZED", "The user is blocked");
  if (account.requireMfa && !proved) {
    throw new ServiceError("MFA-REQUIRED", "The user needs a second factor; request a token again to give one");
  }
  return account;
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import { isSignatureOf, signText, type SigningKeys } from "../../platform/signed-text.ts";

/** The caller that an address was signed for. */
export interface AssetGrant {
  readonly userId: string;
  /** See `Caller.credential`. */
  readonly credential: string;
}

const HOUR_S = 3600;
const LIFETIME_S = 24 * HOUR_S;

/**
 * Makes the tokens of a caller. Tokens of one hour are equal, so that caches of clients work. They last 24 hours and
 * the rest of the hour.
 *
 * @returns the token of a scene; null for a caller without a credential
 */
export function assetTokens(
  keys: SigningKeys,
  { credential, userId }: Pick<Caller, "credential" | "userId">,
  nowMs: number,
): ((sceneId: string) => string) | null {
  if (credential === undefined) return null;
  const expires = (Math.floor(nowMs / 1000 / HOUR_S) + 1) * HOUR_S + LIFETIME_S;
  const grant = Buffer.from(JSON.stringify([userId, credential, expires])).toString("base64url");
  return (sceneId) => `${grant}.${signText(keys, textOf(grant, sceneId))}`;
}

/** The grant of a token for a scene. @throws {ServiceError} NOT-AUTHORIZED for a wrong or expired token */
export function readAssetToken(keys: SigningKeys, token: string, sceneId: string, nowMs: number): AssetGrant {
  const [grant = "", signature = ""] = token.split(".");
  if (!isSignatureOf(keys, textOf(grant, sceneId), signature)) throw refusal();
  // Signed by this service: the members are as `assetTokens` wrote them.
  const [userId, credential, expires] = JSON.parse(Buffer.from(grant, "base64url").toString()) as [
    string,
    string,
    number,
  ];
  if (expires * 1000 <= nowMs) throw refusal();
  return { userId, credential };
}

/** No grant has a `|`: a scene cannot pass for a part of it. */
function textOf(grant: string, sceneId: string): string {
  return `asset|${grant}|${sceneId}`;
}

function refusal(): ServiceError {
  return new ServiceError("NOT-AUTHORIZED", "the address of the file is wrong or has expired: get the item again");
}

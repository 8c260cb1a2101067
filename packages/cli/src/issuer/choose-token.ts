import { CommandError } from "../exit-code.ts";

/**
 * The token that is a JWT for the audience: the access token, else the ID token.
 *
 * @throws {CommandError} naming the audiences of the tokens when there is none
 */
export function chooseToken(tokens: readonly (string | undefined)[], audience: string): string {
  const candidates = tokens.filter((token) => token !== undefined);
  const found = candidates.find((token) => audiencesOf(token).includes(audience));
  if (found !== undefined) return found;
  const got = candidates.flatMap(audiencesOf).map((one) => `"${one}"`);
  throw new CommandError(
    `the issuer gave no token for the audience "${audience}"; its tokens are for ${got.join(" and ") || "nobody named"}`,
    undefined,
    "the operator sets SWATH_OIDC_AUDIENCE, SWATH_OIDC_RESOURCE or SWATH_OIDC_SCOPE to what the issuer gives",
  );
}

function audiencesOf(token: string): readonly string[] {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof payload !== "object" || payload === null || !("aud" in payload)) return [];
    const { aud } = payload;
    const all: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
    return all.filter((one) => typeof one === "string");
  } catch {
    // An opaque token, which only the issuer reads.
    return [];
  }
}

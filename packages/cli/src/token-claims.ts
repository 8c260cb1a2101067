/** Members of a token, which anyone may read; empty for texts that are no tokens. */
export function tokenClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return typeof payload === "object" && payload !== null ? { ...payload } : {};
  } catch {
    return {};
  }
}

const SECRET = /password|secret|token|otp/i;

/** Replaces the values of secret members of a JSON text; another text is null. */
export function withoutSecrets(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body, (name, value: unknown) => (isSecret(name, value) ? "…" : value)));
  } catch {
    return null;
  }
}

function isSecret(name: string, value: unknown): boolean {
  return typeof value === "string" && SECRET.test(name);
}

/** The credential of a caller as signed addresses name it, without any secret. */
type NamedCredential =
  | { readonly kind: "key"; readonly keyId: string }
  | { readonly kind: "user"; readonly tokenVersion: number; readonly secondFactor: boolean };

export function credentialName(credential: NamedCredential): string {
  if (credential.kind === "key") return `key.${credential.keyId}`;
  return `user.${credential.tokenVersion}.${credential.secondFactor ? 1 : 0}`;
}

/** Null for a text that names none. */
export function namedCredential(name: string): NamedCredential | null {
  const [, keyId] = /^key\.([\w-]{1,128})$/.exec(name) ?? [];
  if (keyId !== undefined) return { kind: "key", keyId };
  const [, version, factor] = /^user\.(\d{1,9})\.([01])$/.exec(name) ?? [];
  if (version === undefined) return null;
  return { kind: "user", tokenVersion: Number(version), secondFactor: factor === "1" };
}

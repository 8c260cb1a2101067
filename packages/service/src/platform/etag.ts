import { createHash } from "node:crypto";

/** A strong ETag of the inputs that decide the bytes of a file. */
export function etagOf(inputs: readonly unknown[]): string {
  return `"${createHash("sha256").update(JSON.stringify(inputs)).digest("base64url").slice(0, 27)}"`;
}

/** Whether an `If-None-Match` header names the ETag; comparison is weak, as RFC 9110 section 13.1.2 demands. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => opaqueTag(candidate) === opaqueTag(etag));
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//u, "");
}

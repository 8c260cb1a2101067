import { createHmac, timingSafeEqual } from "node:crypto";

/** Signature of an upload address: whoever holds it may send the bytes until the moment given, and nothing else. */
export function signUpload(key: Uint8Array, uploadId: string, expiresS: number): string {
  return createHmac("sha256", key).update(`upload|${uploadId}|${expiresS}`).digest("base64url");
}

/** Whether the signature is that of the upload and the moment; takes the same time for every wrong one. */
export function isUploadSignature(key: Uint8Array, uploadId: string, expiresS: number, signature: string): boolean {
  const expected = Buffer.from(signUpload(key, uploadId, expiresS));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

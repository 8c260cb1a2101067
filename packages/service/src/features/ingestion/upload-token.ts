import { isSignatureOf, signText } from "../../platform/signed-text.ts";

function textOf(uploadId: string, expiresS: number): string {
  return `upload|${uploadId}|${expiresS}`;
}

/** Signature of an upload address: whoever holds it may send the bytes until the moment given, and nothing else. */
export function signUpload(key: Uint8Array, uploadId: string, expiresS: number): string {
  return signText(key, textOf(uploadId, expiresS));
}

/** Whether the signature is that of the upload and the moment. */
export function isUploadSignature(key: Uint8Array, uploadId: string, expiresS: number, signature: string): boolean {
  return isSignatureOf(key, textOf(uploadId, expiresS), signature);
}

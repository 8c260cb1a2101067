import { isSignatureOf, signText, type SigningKeys } from "../../platform/signed-text.ts";

function textOf(uploadId: string, expiresS: number): string {
  return `upload|${uploadId}|${expiresS}`;
}

/** Signature of an upload address: whoever holds it may send the bytes until the moment given, and nothing else. */
export function signUpload(keys: SigningKeys, uploadId: string, expiresS: number): string {
  return signText(keys, textOf(uploadId, expiresS));
}

/** Whether the signature is that of the upload and the moment. */
export function isUploadSignature(keys: SigningKeys, uploadId: string, expiresS: number, signature: string): boolean {
  return isSignatureOf(keys, textOf(uploadId, expiresS), signature);
}

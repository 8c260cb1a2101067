import { createHmac, timingSafeEqual } from "node:crypto";
import type { ImageFileName } from "./contract.ts";

/** What an address gives access to. */
export interface SignedFile {
  readonly pipelineId: string;
  readonly fileName: ImageFileName;
  /** Seconds since 1970. */
  readonly expires: number;
}

export function signFile(key: Uint8Array, { pipelineId, fileName, expires }: SignedFile): string {
  return createHmac("sha256", key).update(`image|${pipelineId}|${fileName}|${expires}`).digest("base64url");
}

/** Whether the signature is that of the file and the moment; takes the same time for every wrong one. */
export function isFileSignature(key: Uint8Array, file: SignedFile, signature: string): boolean {
  const expected = Buffer.from(signFile(key, file));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

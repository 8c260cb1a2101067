import { isSignatureOf, signText } from "../../platform/signed-text.ts";
import type { ImageFileName } from "@swath/contract/features/export/contract";

/** What an address gives access to. */
export interface SignedFile {
  readonly pipelineId: string;
  readonly fileName: ImageFileName;
  /** Seconds since 1970. */
  readonly expires: number;
}

function textOf({ pipelineId, fileName, expires }: SignedFile): string {
  return `image|${pipelineId}|${fileName}|${expires}`;
}

export function signFile(key: Uint8Array, file: SignedFile): string {
  return signText(key, textOf(file));
}

/** Whether the signature is that of the file and the moment. */
export function isFileSignature(key: Uint8Array, file: SignedFile, signature: string): boolean {
  return isSignatureOf(key, textOf(file), signature);
}

import { isSignatureOf, signText, type SigningKeys } from "../../platform/signed-text.ts";
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

export function signFile(keys: SigningKeys, file: SignedFile): string {
  return signText(keys, textOf(file));
}

/** Whether the signature is that of the file and the moment. */
export function isFileSignature(keys: SigningKeys, file: SignedFile, signature: string): boolean {
  return isSignatureOf(keys, textOf(file), signature);
}

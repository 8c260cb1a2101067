import { randomBytes } from "node:crypto";
import type { Upload } from "./store.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 22;
/** The largest multiple of 62 in a byte: bytes beyond it would favour the first characters. */
const FAIR_LIMIT = 248;

/** A new upload id: 22 characters `[0-9A-Za-z]`, 131 bits. */
export function newUploadId(): string {
  let id = "";
  while (id.length < ID_LENGTH) {
    for (const byte of randomBytes(ID_LENGTH)) {
      if (byte < FAIR_LIMIT && id.length < ID_LENGTH) id += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return id;
}

/** What the upload request answers as `filepath`. */
export function filepathOf({ uploadId, filename, suffix }: Pick<Upload, "uploadId" | "filename" | "suffix">): string {
  return `${uploadId}/${filename}${suffix}`;
}

/** The upload that a filepath names, or null when it has not the form of one. */
export function uploadIdOf(filepath: string): string | null {
  return /^([0-9A-Za-z]{22})\/[a-z0-9_-]+\.(?:geotiff|zip)$/.exec(filepath)?.[1] ?? null;
}

/** Where the bytes of a complete upload are kept until they are ingested. */
export function blobKeyOf({ uploadId, suffix }: Pick<Upload, "uploadId" | "suffix">): string {
  return `uploads/${uploadId}${suffix}`;
}

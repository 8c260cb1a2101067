import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PIPELINE_ID_LENGTH = 20;
/** The largest multiple of 62 in a byte: bytes beyond it would favour the first characters. */
const FAIR_LIMIT = 248;

/** A new pipeline id: 20 characters `[0-9A-Za-z]`, 119 bits from the system's secure source. */
export function newPipelineId(): string {
  let id = "";
  while (id.length < PIPELINE_ID_LENGTH) {
    for (const byte of randomBytes(PIPELINE_ID_LENGTH + 4)) {
      if (byte < FAIR_LIMIT && id.length < PIPELINE_ID_LENGTH) id += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return id;
}

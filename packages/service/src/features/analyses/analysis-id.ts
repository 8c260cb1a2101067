import { randomBytes } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 26;

/** 130 random bits: an ID cannot be guessed, so a public analysis is read by those to whom it was sent. */
export function newAnalysisId(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

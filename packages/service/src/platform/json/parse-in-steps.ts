import { isUtf8 } from "node:buffer";
import { giveWayToLight, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isStorableText } from "@swath/kernel/text/storable-text";
import { jsonSteps } from "./json-steps.ts";

/** Deeper JSON is refused before it is parsed; a GeoJSON collection of collections needs about ten levels. */
export const MAX_JSON_DEPTH = 64;

/**
 * A JSON document whose texts the database can keep. Parsing gives way to others on the event loop.
 *
 * @param name of the document in errors: "The body"
 * @returns undefined for a document that holds no container
 * @throws {ServiceError} BAD-REQUEST
 * @throws the signal's reason when it aborts
 */
export async function parseInSteps(bytes: Buffer, name: string, signal?: AbortSignal): Promise<unknown> {
  if (!isUtf8(bytes)) throw new ServiceError("BAD-REQUEST", `${name} is not UTF-8`);
  const share = loopShare();
  const steps = jsonSteps(bytes, {
    checkDepth: (depth) => requireDepth(depth, name),
    checkPiece: (piece, text) => requireStorable(piece, text, name),
  });
  try {
    await giveWayToLight(share, signal);
    let step = steps.next();
    while (step.done !== true) {
      if (isUsedUp(share)) await giveWayToLight(share, signal);
      step = steps.next();
    }
    return step.value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ServiceError("BAD-REQUEST", `${name} is not JSON`, { cause });
  }
}

/** @throws {ServiceError} BAD-REQUEST */
export function requireDepth(depth: number, name: string): void {
  if (depth <= MAX_JSON_DEPTH) return;
  throw new ServiceError("BAD-REQUEST", `${name} is nested deeper than ${MAX_JSON_DEPTH} levels`);
}

/**
 * Only an escape can bring a character that no text has, and hardly any document has one.
 *
 * @throws {ServiceError} BAD-REQUEST
 */
export function requireStorable(value: unknown, text: string, name: string): void {
  if (!text.includes("\\u") || isStorable(value)) return;
  const part = name.replace(/^The /, "the ");
  throw new ServiceError("BAD-REQUEST", `A text of ${part} holds U+0000 or half a surrogate pair`);
}

/** Whether the database can keep every text in the value. The depth of documents is bounded. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return isStorableText(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorable(member));
}

import { UsageError } from "../exit-code.ts";

/** Longer features are no items. */
const MAX_ITEM_BYTES = 16 * 1024 * 1024;
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];
const FEATURES = /"features"\s*:\s*\[/u;

/**
 * The members of `features` of an item collection, whatever its size: memory holds one feature and one piece.
 *
 * @throws {UsageError} when the document has no features, or ends within one
 */
export async function* collectionItems(pieces: AsyncIterable<unknown>): AsyncGenerator {
  let buffer = Buffer.alloc(0);
  let isInside = false;
  for await (const piece of pieces) {
    buffer = Buffer.concat([buffer, piece as Buffer]);
    if (!isInside) {
      const head = FEATURES.exec(buffer.toString("latin1"));
      if (head === null) {
        if (buffer.length > MAX_ITEM_BYTES) throw new UsageError("the document has no features");
        continue;
      }
      buffer = buffer.subarray(head.index + head[0].length);
      isInside = true;
    }
    let start = 0;
    for (;;) {
      const open = nextFeature(buffer, start);
      if (open === "end") return;
      const end = open === null ? null : endOf(buffer, open);
      if (open === null || end === null) break;
      yield JSON.parse(buffer.toString("utf8", open, end));
      start = end;
    }
    buffer = buffer.subarray(start);
    if (buffer.length > MAX_ITEM_BYTES) throw new UsageError(`a feature has more than ${MAX_ITEM_BYTES} bytes`);
  }
  throw new UsageError(isInside ? "the document ends within its features" : "the document has no features");
}

/** Where the next feature begins; null when more bytes are needed, "end" after the last one. */
function nextFeature(buffer: Buffer, from: number): number | null | "end" {
  for (let at = from; at < buffer.length; at += 1) {
    if (buffer[at] === OPEN) return at;
    if (buffer[at] === 0x5d) return "end";
  }
  return null;
}

/** Behind the closing bracket of an object; null when more bytes are needed. */
function endOf(buffer: Buffer, open: number): number | null {
  let depth = 0;
  let inText = false;
  for (let at = open; at < buffer.length; at += 1) {
    const byte = buffer[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

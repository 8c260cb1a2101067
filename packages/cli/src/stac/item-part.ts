import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES } from "@swath/kernel/scenes/import-limits";

/** Lines of items that one request registers. */
export interface ItemPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lines: number;
}

const LINE_FEED = 0x0a;
/** A margin for the line that crosses the limit. */
const PART_BYTES = MAX_IMPORT_BYTES / 2;

/** Cuts pieces of text at ends of lines into parts that a request may have. Memory holds one part. */
export async function* partsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<ItemPart> {
  let kept: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
      lines += 1;
      const size = bytes + at + 1 - start;
      if (lines < MAX_IMPORT_LINES && size < PART_BYTES) continue;
      kept.push(piece.subarray(start, at + 1));
      yield partOf(kept, lines);
      [kept, bytes, lines, start] = [[], 0, 0, at + 1];
    }
    const rest = piece.subarray(start);
    if (rest.length === 0) continue;
    kept.push(rest);
    bytes += rest.length;
    if (bytes > MAX_IMPORT_BYTES) throw new RangeError(`a line has more than ${MAX_IMPORT_BYTES} bytes`);
  }
  if (bytes > 0) yield partOf(kept, lines + 1);
}

function partOf(kept: readonly Buffer[], lines: number): ItemPart {
  const whole = Buffer.concat(kept);
  return { bytes: new Uint8Array(whole.buffer, whole.byteOffset, whole.length), lines };
}

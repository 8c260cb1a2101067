import { Readable } from "node:stream";

/** Bytes of a file that a request asks for; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Bytes that are read at a time: bounds memory, however long the range. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * The bytes that a `Range` header asks for (RFC 9110, section 14). Null stands for the whole file: without a header, for
 * other units, for several ranges and for another version of the file in `If-Range`.
 */
export function requestedRange(
  headers: Readonly<Record<string, string | undefined>>,
  sizeBytes: number,
  etag: string,
): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers["range"]?.trim() ?? "");
  if (match === null || match[0] === "bytes=-") return null;
  const ifRange = headers["if-range"];
  if (ifRange !== undefined && ifRange !== etag) return null;
  const [, from = "", to = ""] = match;
  const first = from === "" ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === "" || to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (from !== "" && to !== "" && Number(to) < first) return null;
  return first > last ? "unsatisfiable" : { first, last };
}

/** The bytes of a range as a stream, read in parts of 1 MiB. */
export function streamRange(
  { first, last }: ByteRange,
  read: (offset: number, length: number) => Promise<Uint8Array>,
): Readable {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let offset = first; offset <= last; offset += CHUNK_BYTES) {
      yield await read(offset, Math.min(CHUNK_BYTES, last + 1 - offset));
    }
  }
  return Readable.from(parts(), { objectMode: false });
}

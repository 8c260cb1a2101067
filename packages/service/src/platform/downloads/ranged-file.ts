import { Readable } from "node:stream";
import { requestedRange, streamRange } from "../byte-range.ts";
import type { FileAnswer } from "../sent-file.ts";
import { matchesEtag } from "../etag.ts";

/** A file that is answered whole or in parts. */
interface RangedFile {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Strong. */
  readonly etag: string;
  /** Besides `etag` and `accept-ranges`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
  readonly stream: () => Promise<AsyncIterable<Uint8Array>>;
}

/** The answer to GET and HEAD by the conditional headers and `Range`; bytes are read when they are sent. */
export function rangedAnswer(
  { etag, headers: given, mediaType, read, sizeBytes, stream }: RangedFile,
  headers: Readonly<Record<string, string | undefined>>,
): FileAnswer {
  const shared = { ...given, etag, "accept-ranges": "bytes" };
  if (matchesEtag(headers["if-none-match"], etag)) return { status: 304, body: null, headers: shared };
  const range = requestedRange(headers, sizeBytes, etag);
  if (range === "unsatisfiable") {
    return { status: 416, body: null, headers: { ...shared, "content-range": `bytes */${sizeBytes}` } };
  }
  if (range === null) {
    return { status: 200, mediaType, body: opened(stream), contentLength: sizeBytes, headers: shared };
  }
  return {
    status: 206,
    mediaType,
    body: streamRange(range, read),
    contentLength: range.last - range.first + 1,
    headers: { ...shared, "content-range": `bytes ${range.first}-${range.last}/${sizeBytes}` },
  };
}

/** A stream that opens the file at its first read: HEAD reads nothing. */
function opened(stream: RangedFile["stream"]): Readable {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield* await stream();
  }
  return Readable.from(bytes(), { objectMode: false });
}

import type { DownloadBody } from "../downloads/downloads.ts";
import type { WorkSpool } from "./work-spool.ts";

/** In memory at once. */
const PIECE_BYTES = 1024 * 1024;

/** A complete spool as a file for a caller. */
export function spoolBody(spool: WorkSpool): DownloadBody {
  const sizeBytes = spool.sizeBytes();
  return { sizeBytes, stream: () => piecesOf(spool, sizeBytes) };
}

async function* piecesOf(spool: WorkSpool, sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < sizeBytes; start += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, sizeBytes - start));
    await spool.read(start, piece);
    yield piece;
  }
}

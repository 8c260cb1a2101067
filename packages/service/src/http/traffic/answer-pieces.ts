import { Readable } from "node:stream";
import type { onSendAsyncHookHandler } from "fastify";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";

const PIECE_BYTES = 64 * 1024;
/** Smaller answers are one piece: the least rate passes them within the longest pause. */
const WHOLE_BYTES = 2 * PIECE_BYTES;

/**
 * The hook that sends large answers in pieces. Each waits until the connection takes it: the connection buffers a few,
 * and the progress of its reader shows.
 */
export const sendInPieces: onSendAsyncHookHandler = async (_request, reply, payload) => {
  const bytes = typeof payload === "string" && payload.length > WHOLE_BYTES ? Buffer.from(payload) : payload;
  if (!(bytes instanceof Uint8Array) || bytes.byteLength <= WHOLE_BYTES) return payload;
  if (!reply.hasHeader("content-length")) reply.header("content-length", bytes.byteLength);
  return Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: PIECE_BYTES });
};

/** The connection takes pieces of two megabytes without a pause, for 4 ms: others have turns in between. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  const loop = loopShare();
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
    if (isUsedUp(loop)) await giveWay(loop);
  }
}

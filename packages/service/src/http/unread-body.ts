import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How long a client may go on with a body that nobody wants, milliseconds. */
interface Patience {
  /** Without a byte of it. */
  readonly pauseMs: number;
  readonly longestMs: number;
}

const PATIENCE: Patience = { pauseMs: 1_000, longestMs: 10_000 };

/**
 * Lets an answer reach a client that is still sending: closing at once would reset the connection before it. So the
 * rest is discarded, and cut off when the client pauses or does not end.
 */
export function discardUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete) return;
  // Said even to a client that asked for "close": the server would take it at its word and close at once.
  reply.header("connection", "keep-alive");
  reply.raw.once("finish", () => {
    if (raw.complete) return;
    discardRest(raw);
    raw.once("close", () => {
      if (/close/i.test(raw.headers.connection ?? "")) raw.socket.end();
    });
  });
}

/** Takes the rest of a body from the network. A client whose next request follows on the connection is not cut off. */
export function discardRest(request: IncomingMessage, { pauseMs, longestMs }: Patience = PATIENCE): void {
  const { socket } = request;
  let receivedBytes = socket.bytesRead;
  let leftMs = longestMs;
  const look = (): void => {
    leftMs -= pauseMs;
    const isPaused = socket.bytesRead === receivedBytes;
    receivedBytes = socket.bytesRead;
    if (!request.complete && (isPaused || leftMs <= 0)) request.destroy();
  };
  // After the bytes that have arrived: a thread that stood still for a second is no pause of the client.
  const timer = setInterval(() => setImmediate(look), pauseMs).unref();
  request.once("close", () => clearInterval(timer));
  request.resume();
}

import type { FastifyReply, FastifyRequest } from "fastify";

/** How long a body that nobody wants is still taken from the network, milliseconds. */
const LINGER_MS = 1000;

/**
 * Lets an answer reach a client that is still sending. Closing at once would reset the connection, and the client
 * would see that instead of the answer; so the rest is discarded for a moment, and cut off when it does not end.
 */
export function discardUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete) return;
  // Said even to a client that asked for "close": the server would take it at its word and close at once.
  reply.header("connection", "keep-alive");
  reply.raw.once("finish", () => {
    if (raw.complete) return;
    raw.resume();
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, LINGER_MS);
    timer.unref();
    raw.once("close", () => {
      clearTimeout(timer);
      if (/close/i.test(raw.headers.connection ?? "")) raw.socket.end();
    });
  });
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import type { FileAnswer } from "../platform/sent-file.ts";
import { discardUnread } from "./unread-body.ts";

/** Sends a file, without its body to HEAD. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer): void {
  reply.code(answer.status);
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value);
  const { body } = answer;
  discardUnread(request, reply);
  if (body === null) {
    void reply.send();
    return;
  }
  if (answer.mediaType !== undefined) reply.type(answer.mediaType);
  const length = body instanceof Uint8Array ? body.byteLength : answer.contentLength;
  if (length !== undefined) reply.header("content-length", length);
  if (request.method === "HEAD") {
    if (body instanceof Readable) body.destroy();
    void reply.send();
    return;
  }
  void reply.send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body);
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { sendPage, type PageDeps } from "../pages/send-page.ts";
import { readConsoleFile, type ConsoleFile } from "./console-pages.ts";

/** Sends a file of the bundle; pages get their headers with it. */
export type SendConsoleFile = (
  name: string,
  headers?: Readonly<Record<string, string>>,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Each file is read and compressed once, at its first demand. */
export function consoleSender(deps: PageDeps): SendConsoleFile {
  const known = new Map<string, Promise<ConsoleFile>>();
  const fileOf = (name: string): Promise<ConsoleFile> => {
    const file = known.get(name) ?? readConsoleFile(name);
    known.set(name, file);
    return file;
  };
  return (name, headers) => async (request, reply) => {
    const file = await fileOf(name);
    // An address of a failed answer gets no headers of the page.
    if (headers !== undefined) reply.headers(headers);
    reply.header("vary", "accept-encoding");
    const takesBrotli = /\bbr\b/.test(request.headers["accept-encoding"] ?? "");
    if (takesBrotli) reply.header("content-encoding", "br");
    return await sendPage(deps, request, reply, takesBrotli ? file.brotli : file.plain);
  };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendPage, type PageDeps } from "../pages/send-page.ts";
import type { RouteTable } from "../route-table.ts";
import { basemapNames, consoleFileNames, readConsoleFile, type ConsoleFile } from "./console-pages.ts";

/** The console asks its own origin alone, runs no text as code, and is shown in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const PAGE = "index.html";

/** The web console: its page at `/console` and below, the files of its bundle, and the outlines of land. */
export function mountConsole(app: FastifyInstance, deps: PageDeps & { readonly routes: RouteTable }): void {
  // Each file is read and compressed once, at its first demand.
  const known = new Map<string, Promise<ConsoleFile>>();
  const fileOf = (name: string): Promise<ConsoleFile> => {
    const file = known.get(name) ?? readConsoleFile(name);
    known.set(name, file);
    return file;
  };
  const send = (name: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const takesBrotli = /\bbr\b/.test(request.headers["accept-encoding"] ?? "");
    const file = await fileOf(name);
    // An address of a failed answer gets no policy of the page.
    if (name === PAGE) pageHeaders(reply);
    reply.header("vary", "accept-encoding");
    if (takesBrotli) reply.header("content-encoding", "br");
    return await sendPage(deps, request, reply, takesBrotli ? file.brotli : file.plain);
  };
  for (const name of [...consoleFileNames(), ...basemapNames()]) {
    if (name === PAGE) continue;
    deps.routes.add(`/console/${name}`, ["GET", "HEAD"]);
    app.get(`/console/${name}`, { compress: false }, send(name));
  }
  deps.routes.add("/console", ["GET", "HEAD"]);
  app.get("/console", { compress: false }, send(PAGE));
  // Each view of the console has an address of its own, which the page reads; addresses with a dot are files.
  app.get("/console/*", { compress: false }, async (request, reply) => {
    const [path = ""] = request.url.split("?");
    if (path.includes(".")) throw deps.routes.refusal(request.method, path);
    return await send(PAGE)(request, reply);
  });
}

function pageHeaders(reply: FastifyReply): void {
  reply
    .header("content-security-policy", POLICY)
    .header("cross-origin-opener-policy", "same-origin")
    .header("permissions-policy", "geolocation=(self)");
}

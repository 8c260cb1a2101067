import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
};

const PACKAGES = "node_modules";

export interface StaticServer extends AsyncDisposable {
  /** Address of the folder, with its last slash. */
  readonly url: string;
  /** Statuses of the answers by path of the file. */
  readonly statuses: ReadonlyMap<string, ReadonlySet<number>>;
}

interface ServeOptions {
  /** Whether it answers ranges of bytes. */
  readonly ranges: boolean;
  /** The folder of the address `node_modules/`. */
  readonly packages?: string;
}

/** A plain web server of one folder, below a path as on shared hosts. */
export async function serveFolder(folder: string, { packages, ranges }: ServeOptions): Promise<StaticServer> {
  const below = "/people/anna/";
  const statuses = new Map<string, Set<number>>();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
    const name = path.slice(below.length) || "index.html";
    const [top, ...rest] = name.split("/");
    const file = packages !== undefined && top === PACKAGES ? join(packages, ...rest) : join(folder, normalize(name));
    const bytes = path.startsWith(below) ? await readFile(file).catch(() => null) : null;
    const range = ranges ? /^bytes=(\d+)-(\d+)$/u.exec(request.headers.range ?? "") : null;
    const status = bytes === null ? 404 : range === null ? 200 : 206;
    statuses.set(name, (statuses.get(name) ?? new Set()).add(status));
    const [start, end] = range === null ? [0, Infinity] : [Number(range[1]), Number(range[2]) + 1];
    const part = (bytes ?? Buffer.from("not found")).subarray(start, end);
    response.writeHead(status, {
      "content-type": MEDIA_TYPES[extname(name)] ?? "application/octet-stream",
      "content-length": part.length,
      ...(range === null ? {} : { "content-range": `bytes ${start}-${start + part.length - 1}/${bytes?.length ?? 0}` }),
    });
    response.end(part);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    statuses,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

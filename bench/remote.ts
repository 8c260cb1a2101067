import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "../packages/base/src/clock.ts";
import { createHostRules } from "../packages/raster/src/remote/host-rules.ts";
import { HeaderCache, openHttpSource } from "../packages/raster/src/remote/http-byte-source.ts";
import { createHttpTransport } from "../packages/raster/src/remote/http-transport.ts";
import { createRemoteClient } from "../packages/raster/src/remote/remote-client.ts";
import { openTiff } from "../packages/raster/src/tiff/open.ts";
import { granuleScene } from "./granule-scene.ts";
import { GRANULE_PX, TEMPORARY } from "./large-geotiff.ts";
import { median, printP95, printRatio, quantile, seededRandom } from "./statistics.ts";

const WINDOWS = 40;
const PEER_WINDOWS = 10;
const SIDE_PX = 512;
/** A round trip to another region of the same continent. */
const LATENCY_MS = 30;

interface Window {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

interface Sample {
  readonly requests: number;
  readonly ranges: number;
  readonly ms: number;
  readonly bytes: number;
}

/**
 * Windows of 512 x 512 pixels of a 10980 x 10980 COG behind HTTP with 30 ms of latency: requests and time, with the
 * header unknown and kept, and requests of GDAL's /vsicurl for the same windows.
 */
export async function run(): Promise<void> {
  const granule = await granuleScene();
  await using server = await serve(granule.files[0] ?? "");
  const windows = randomWindows(WINDOWS);
  const cold: Sample[] = [];
  const warm: Sample[] = [];
  const headers = new HeaderCache(systemClock);
  await read(server, windows[0] ?? { column: 0, row: 0, widthPx: 1, heightPx: 1 }, headers);
  for (const window of windows) {
    cold.push(await read(server, window, new HeaderCache(systemClock)));
    warm.push(await read(server, window, headers));
  }
  check("cold", cold, 1);
  check("header kept", warm, 0);
  const peer: number[] = [];
  for (const window of windows.slice(0, PEER_WINDOWS)) peer.push(await peerRequests(server, window));
  report("cold", cold);
  report("header kept", warm);
  process.stdout.write(`GDAL /vsicurl: ${median(peer)} requests a window\n`);
  const ours = median(cold.slice(0, PEER_WINDOWS).map(({ requests }) => requests));
  printRatio("remote-requests", median(peer) / ours, "GDAL /vsicurl, header unknown");
  printP95(
    "remote-kept",
    quantile(
      warm.map(({ ms }) => ms),
      0.95,
    ),
  );
  printP95(
    "remote",
    quantile(
      cold.map(({ ms }) => ms),
      0.95,
    ),
  );
}

/** @throws {Error} when a window took more requests than its header and its merged ranges */
function check(name: string, samples: readonly Sample[], header: number): void {
  for (const { requests, ranges } of samples) {
    if (requests > header + ranges) throw new Error(`${name}: ${requests} requests for ${ranges} merged ranges`);
  }
}

function report(name: string, samples: readonly Sample[]): void {
  const of = (pick: (sample: Sample) => number): number => median(samples.map(pick));
  process.stdout.write(
    `${name}: ${of(({ requests }) => requests)} requests for ${of(({ ranges }) => ranges)} merged ranges, ` +
      `${(of(({ bytes }) => bytes) / 1e6).toFixed(1)} MB, ${of(({ ms }) => ms).toFixed(0)} ms a window\n`,
  );
}

interface FileServer extends AsyncDisposable {
  readonly url: string;
  requests: number;
  bytes: number;
}

/** One file by ranges, every answer late by the latency. */
async function serve(path: string): Promise<FileServer> {
  const file = await open(path);
  const { size } = await file.stat();
  const state = { requests: 0, bytes: 0 };
  const http = createServer((request, response) => {
    void (async () => {
      state.requests += 1;
      await wait(LATENCY_MS);
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      const start = Number(range?.[1] ?? 0);
      const end = Math.min(size, Number(range?.[2] ?? size - 1) + 1);
      const headers = { etag: '"1"', "accept-ranges": "bytes", "content-length": end - start };
      if (request.method === "HEAD" || range === null) {
        response.writeHead(200, headers).end();
        return;
      }
      const { buffer } = await file.read(new Uint8Array(end - start), 0, end - start, start);
      state.bytes += end - start;
      response.writeHead(206, { ...headers, "content-range": `bytes ${start}-${end - 1}/${size}` }).end(buffer);
    })();
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await file.close();
    },
  });
}

async function read(server: FileServer, window: Window, headers: HeaderCache): Promise<Sample> {
  using transport = createHttpTransport({ rules: createHostRules({ hosts: [server.url] }) });
  const client = createRemoteClient({ transport, clock: systemClock });
  const signal = new AbortController().signal;
  const before = { ...server };
  const startedMs = performance.now();
  const source = await openHttpSource({ client, url: new URL(`${server.url}/granule.tif`), headers }, signal);
  let ranges = 0;
  await using raster = await openTiff(source, {
    window: () => window,
    onBlocks: (blocks) => {
      ranges = source.plan(blocks);
    },
  });
  for (let row = 0; row < raster.heightPx; row += raster.blockHeightPx) {
    await raster.readRows(row, Math.min(raster.blockHeightPx, raster.heightPx - row), signal);
  }
  const ms = performance.now() - startedMs;
  return { requests: server.requests - before.requests, bytes: server.bytes - before.bytes, ranges, ms };
}

/** Requests of `gdal_translate` for the window, by a process of its own that knows nothing of the file. */
async function peerRequests(server: FileServer, { column, row, widthPx, heightPx }: Window): Promise<number> {
  const before = server.requests;
  const options = ["--config", "GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR", "--config", "GDAL_NUM_THREADS", "1"];
  const target = join(TEMPORARY, "window.tif");
  const source = `/vsicurl/${server.url}/granule.tif`;
  const sides = [column, row, widthPx, heightPx].map(String);
  const child = spawn("gdal_translate", ["-q", ...options, "-srcwin", ...sides, source, target], { stdio: "inherit" });
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error("gdal_translate failed: this bench needs gdal-bin");
  return server.requests - before;
}

function randomWindows(count: number): readonly Window[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, () => ({
    column: Math.floor(random() * (GRANULE_PX - SIDE_PX)),
    row: Math.floor(random() * (GRANULE_PX - SIDE_PX)),
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
  }));
}

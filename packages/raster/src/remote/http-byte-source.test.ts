import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { RasterError, type RasterErrorReason } from "../raster-error.ts";
import { type RangeServer, type RangeServerOptions, startRangeServer } from "../testing/range-server.ts";
import { tiledTiff } from "../testing/tiled-tiff.ts";
import { openTiff } from "../tiff/open.ts";
import { ByteBudget } from "./byte-budget.ts";
import { createHostRules } from "./host-rules.ts";
import { HeaderCache, type HttpSourceOptions, openHttpSource } from "./http-byte-source.ts";
import { createHttpTransport } from "./http-transport.ts";
import { createRemoteClient } from "./remote-client.ts";
import { ManualTime } from "./testing.ts";

const never = new AbortController().signal;
const BYTES = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7) % 251);

interface Bench {
  readonly server: RangeServer;
  readonly time: ManualTime;
  readonly options: HttpSourceOptions;
}

async function bench(t: TestContext, options: Partial<RangeServerOptions> = {}): Promise<Bench> {
  const server = await startRangeServer({ file: (path) => (path === "a.tif" ? BYTES : null), ...options });
  const time = new ManualTime();
  const transport = createHttpTransport({ rules: createHostRules({ hosts: [server.url] }) });
  t.after(async () => {
    transport[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });
  const client = createRemoteClient({ transport, clock: time, timers: time });
  return { server, time, options: { client, url: new URL(`${server.url}/a.tif`) } };
}

function failure(reason: RasterErrorReason, pattern: RegExp) {
  return (error: unknown) => error instanceof RasterError && error.reason === reason && pattern.test(error.message);
}

test("the beginning is fetched once, later bytes by range, and the ETag is pinned", async (t) => {
  const { server, options } = await bench(t);
  const source = await openHttpSource(options, never);
  assert.equal(source.sizeBytes, BYTES.length);
  assert.deepEqual(await source.fetch(10, 20), BYTES.slice(10, 30));
  assert.equal(server.requests.length, 1);
  assert.deepEqual(await source.fetch(150_000, 10), BYTES.slice(150_000, 150_010));
  assert.deepEqual(await source.fetch(199_990, 100), BYTES.slice(199_990));
  assert.equal((await source.fetch(300_000, 10)).length, 0);
  assert.equal(server.requests.length, 3);
  assert.match(String(server.requests[1]?.headers["if-range"]), /^"[0-9a-f]{32}"$/);
});

test("what is planned is fetched in merged ranges, each once, whatever the order of reading", async (t) => {
  const { server, options } = await bench(t);
  const source = await openHttpSource({ ...options, merge: { maxGap: 1000, maxLength: 50_000 } }, never);
  const ranges = [100_000, 110_000, 110_500, 180_000].map((start) => ({ start, end: start + 400 }));
  assert.equal(source.plan(ranges), 3);
  const parts = await Promise.all([110_500, 180_000, 110_000, 100_000, 110_100].map((at) => source.fetch(at, 300)));
  assert.deepEqual(parts[0], BYTES.slice(110_500, 110_800));
  assert.deepEqual(parts[4], BYTES.slice(110_100, 110_400));
  assert.equal(server.requests.length, 1 + 3);
  assert.equal(source.requests, 1 + 3);
});

test("headers are kept for files opened again, for ten minutes", async (t) => {
  const { server, time, options } = await bench(t);
  const headers = new HeaderCache(time);
  await openHttpSource({ ...options, headers }, never);
  const again = await openHttpSource({ ...options, headers }, never);
  await again.fetch(0, 1000);
  assert.equal(server.requests.length, 1);
  time.nowMs += 600_001;
  await openHttpSource({ ...options, headers }, never);
  assert.equal(server.requests.length, 2);
});

test("a file that changes between reads is an error, and its header is forgotten", async (t) => {
  const { server, time, options } = await bench(t);
  const headers = new HeaderCache(time);
  const source = await openHttpSource({ ...options, headers }, never);
  server.version = 2;
  await assert.rejects(source.fetch(100_000, 10), failure("unreachable", /changed while it was read/));
  const again = await openHttpSource({ ...options, headers }, never);
  assert.deepEqual(await again.fetch(100_000, 10), BYTES.slice(100_000, 100_010));
});

test("a server that ignores If-Range but tells another ETag or size is found out", async (t) => {
  const { server, options } = await bench(t);
  const source = await openHttpSource(options, never);
  source.plan([]);
  for (const [etag, total] of [
    ['"other"', BYTES.length],
    [undefined, BYTES.length + 1],
  ] as const) {
    server.intercept = (_request, response) => {
      response.writeHead(206, {
        "content-range": `bytes 100000-100009/${total}`,
        ...(etag === undefined ? {} : { etag }),
      });
      response.end(BYTES.slice(100_000, 100_010));
      return true;
    };
    await assert.rejects(source.fetch(100_000, 10), failure("unreachable", /changed/));
  }
});

test("a wrong Content-Range is asked for again and then unreadable", async (t) => {
  const { server, options } = await bench(t);
  const source = await openHttpSource(options, never);
  source.plan([]);
  let wrong = 2;
  server.intercept = (_request, response) => {
    if (wrong-- <= 0) return false;
    response
      .writeHead(206, { "content-range": `bytes 99999-100008/${BYTES.length}` })
      .end(BYTES.slice(99_999, 100_009));
    return true;
  };
  assert.deepEqual(await source.fetch(100_000, 10), BYTES.slice(100_000, 100_010));
  wrong = 100;
  await assert.rejects(
    source.fetch(120_000, 10),
    failure("unreadable", /Content-Range "bytes 99999-100008\/200000", expected bytes 120000-120009/),
  );
});

test("a range that is shorter than it says is asked for again", async (t) => {
  const { server, options } = await bench(t);
  const source = await openHttpSource(options, never);
  source.plan([]);
  let short = 1;
  server.intercept = (_request, response) => {
    if (short-- <= 0) return false;
    response
      .writeHead(206, { "content-range": `bytes 100000-100009/${BYTES.length}` })
      .end(BYTES.slice(100_000, 100_005));
    return true;
  };
  assert.deepEqual(await source.fetch(100_000, 10), BYTES.slice(100_000, 100_010));
});

test("a server without ranges gives small files whole and is refused large ones", async (t) => {
  const { server, options } = await bench(t, { ranges: false });
  const source = await openHttpSource(options, never);
  assert.deepEqual(await source.fetch(150_000, 10), BYTES.slice(150_000, 150_010));
  assert.equal(server.requests.length, 1);
  await assert.rejects(
    openHttpSource({ ...options, maxWholeBytes: 100_000 }, never),
    failure("unreadable", /ignores ranges and is longer than 100000 bytes/),
  );
});

test("files that are not there, refused or over the budget are told apart", async (t) => {
  const { server, options } = await bench(t);
  const missing = new URL("b.tif", options.url);
  await assert.rejects(openHttpSource({ ...options, url: missing }, never), failure("unreadable", /status 404/));
  server.intercept = (_request, response) => {
    response.writeHead(403).end();
    return true;
  };
  await assert.rejects(openHttpSource(options, never), failure("unreachable", /refused with status 403/));
  server.intercept = null;
  const source = await openHttpSource({ ...options, budget: new ByteBudget(100_000, "scene x") }, never);
  await source.fetch(100_000, 1000);
  await assert.rejects(source.fetch(120_000, 60_000), failure("too-large", /scene x needs more than 100000 bytes/));
});

test("one reader that leaves does not take the shared range from the others", async (t) => {
  const { server, options } = await bench(t);
  const source = await openHttpSource(options, never);
  source.plan([{ start: 100_000, end: 101_000 }]);
  const controller = new AbortController();
  let first = true;
  server.intercept = () => {
    if (!first) return false;
    first = false;
    controller.abort();
    return true;
  };
  const leaving = source.fetch(100_000, 10, { signal: controller.signal });
  const staying = source.fetch(100_500, 10);
  await assert.rejects(leaving, { name: "AbortError" });
  assert.deepEqual(await staying, BYTES.slice(100_500, 100_510));
});

test("a window of a remote GeoTIFF takes one request for its directories and one for each merged range", async (t) => {
  const file = tiledTiff({
    widthPx: 512,
    heightPx: 512,
    tilePx: 64,
    epsg: 32_631,
    origin: [500_000, 5_800_000],
    pixelSize: 10,
    valueAt: (column, row) => column * 100 + (row % 100),
  });
  const { server, time, options } = await bench(t, { file: () => file });
  const headers = new HeaderCache(time);
  const read = async () => {
    const source = await openHttpSource({ ...options, headers, merge: { maxGap: 0, maxLength: 4_000_000 } }, never);
    let planned = 0;
    await using raster = await openTiff(source, {
      window: () => ({ column: 130, row: 200, widthPx: 100, heightPx: 20 }),
      onBlocks: (ranges) => {
        planned = source.plan(ranges);
      },
    });
    assert.deepEqual([raster.widthPx, raster.heightPx], [128, 64]);
    assert.deepEqual(raster.georeference, { kind: "affine", transform: [10, 0, 501_280, 0, -10, 5_798_080] });
    const [values] = await raster.readRows(0, 64, never);
    assert.equal(values?.[0], 128 * 100 + 92);
    assert.equal(values?.[5 * 128 + 3], 131 * 100 + 97);
    return planned;
  };
  // The directory is at the end of this file: its beginning, the directory, and two neighbouring tiles at once.
  assert.equal(await read(), 1);
  assert.equal(server.requests.length, 3);
  await read();
  assert.equal(server.requests.length, 4);
});

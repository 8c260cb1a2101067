import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { ServerResponse } from "node:http";
import { systemClock } from "@swath/base/clock";
import type { Log } from "@swath/base/log/log";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { CrawlReport } from "./crawl.ts";
import type { StaticSettings } from "./settings.ts";
import { createStaticSource } from "./static-source.ts";
import { writeStaticCatalogue } from "./testing/static-catalogue.ts";
import { startStaticServer, type StaticServer } from "./testing/static-server.ts";

const never = new AbortController().signal;

let database: TestDatabase;
let server: StaticServer;
before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom("crawls").execute();
  await server?.[Symbol.asyncDispose]();
  server = await startStaticServer();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The report of one crawl of the server. */
async function crawled(settings: Partial<StaticSettings> = {}): Promise<CrawlReport> {
  const reports: CrawlReport[] = [];
  const tell = (fields: object): void => void reports.push(fields as CrawlReport);
  const log: Log = { debug: () => {}, info: tell, warn: tell, error: tell };
  const all = { url: `${server.url}/catalog.json`, attempts: 1, timeoutMs: 2000, ...settings };
  await using source = createStaticSource(
    all,
    { provider: "acme", dataset: "x" },
    { db: database.db, clock: systemClock, log },
  );
  await source.upkeep(never);
  const [report] = reports;
  assert.ok(report !== undefined, "the crawl told nothing");
  return report;
}

function sendJson(response: ServerResponse, json: object): true {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  return true;
}

const catalogue = (links: readonly object[]): object => ({ type: "Catalog", id: "x", stac_version: "1.1.0", links });
const item = (changes: object): object => ({
  type: "Feature",
  id: "nonsense",
  collection: "flights",
  geometry: { type: "Point", coordinates: [0, 0] },
  properties: { datetime: "2026-01-01T00:00:00Z" },
  assets: {},
  links: [],
  ...changes,
});
const child = (href: string): object => ({ rel: "child", href });

test("documents that link to each other are read once", async () => {
  server.files.set("/catalog.json", catalogue([child("./a.json"), child("./catalog.json#again"), child("a.json")]));
  server.files.set("/a.json", catalogue([child("./catalog.json"), child("./a.json")]));
  const report = await crawled();
  assert.equal(server.requests.length, 2);
  assert.deepEqual(report.reached, []);
});

test("a chain of catalogues without an end stops at the depth", async () => {
  let made = 0;
  server.intercept = (_path, response) => sendJson(response, catalogue([child(`./${(made += 1)}.json`)]));
  const report = await crawled({ maxDepth: 7 });
  assert.equal(server.requests.length, 8);
  assert.deepEqual(report.reached, ["depth"]);
});

test("catalogues that name ever more catalogues stop at the number of documents", async () => {
  let made = 0;
  server.intercept = (_path, response) =>
    sendJson(response, catalogue(Array.from({ length: 500 }, () => child(`./${(made += 1)}.json`))));
  const report = await crawled({ maxItems: 10 });
  assert.ok(server.requests.length <= 1020, String(server.requests.length));
  assert.deepEqual(report.reached, ["documents"]);
});

test("more items than the index may hold stop the crawl", async () => {
  writeStaticCatalogue(server, { items: 40 });
  const report = await crawled({ maxItems: 25 });
  assert.deepEqual([report.items, report.reached], [25, ["items"]]);
  const rows = await database.db.selectFrom("crawled_items").select("url").execute();
  assert.equal(rows.length, 25);
});

test("a huge document is not read to its end, and the rest is", async () => {
  writeStaticCatalogue(server, { items: 2 });
  server.files.set("/catalog.json", catalogue([child("./huge.json"), child("./flights/collection.json")]));
  let sent = 0;
  server.intercept = (path, response) => {
    if (path !== "/huge.json") return false;
    response.writeHead(200, { "content-type": "application/json" });
    const piece = Buffer.alloc(65_536, 0x20);
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
      sent += piece.length;
    };
    response.on("drain", more);
    more();
    return true;
  };
  const report = await crawled();
  assert.deepEqual([report.items, report.failed], [2, 1]);
  assert.match(report.firstFault ?? "", /huge\.json answered with more than 4000000 bytes/u);
  assert.ok(sent < 40_000_000, `${sent} bytes were sent`);
});

test("many large documents stop at the bytes of a crawl", async () => {
  let made = 0;
  const padding = "x".repeat(500_000);
  server.intercept = (_path, response) => {
    const links = Array.from({ length: 20 }, () => child(`./${(made += 1)}.json`));
    return sendJson(response, { ...catalogue(links), description: padding });
  };
  const report = await crawled({ maxMegabytes: 2 });
  assert.deepEqual(report.reached, ["bytes"]);
  assert.ok(server.requests.length <= 17, String(server.requests.length));
});

test("a server that is slow stops at the time of a crawl", async () => {
  server.intercept = (path, response) => {
    if (path === "/catalog.json") return sendJson(response, catalogue([child("./slow.json")]));
    response.writeHead(200, { "content-type": "application/json" });
    response.write("{");
    return true;
  };
  const startedMs = performance.now();
  const report = await crawled({ maxMinutes: 0.02, timeoutMs: 600_000 });
  assert.deepEqual(report.reached, ["time"]);
  assert.ok(performance.now() - startedMs < 60_000);
});

test("a document that does not end costs its time, and the rest is read", async () => {
  writeStaticCatalogue(server, { items: 2 });
  server.files.set("/catalog.json", catalogue([child("./slow.json"), child("./flights/collection.json")]));
  server.intercept = (path, response) => {
    if (path !== "/slow.json") return false;
    response.writeHead(200).write("{");
    return true;
  };
  const report = await crawled({ timeoutMs: 1000 });
  assert.deepEqual([report.items, report.failed], [2, 1]);
  assert.match(report.firstFault ?? "", /slow\.json did not answer within 1000 ms/u);
});

test("links and redirects to hosts that are not listed are not followed", async () => {
  await using secret = await startStaticServer();
  secret.files.set("/secret.json", catalogue([]));
  writeStaticCatalogue(server, { items: 2 });
  const hidden = ["http://169.254.169.254/latest/meta-data", "http://localhost:1/x", `${secret.url}/secret.json`];
  const links = [...hidden, "./away.json", "file:///etc/passwd", "./flights/collection.json"].map(child);
  server.files.set("/catalog.json", catalogue(links));
  server.intercept = (path, response) => {
    if (path !== "/away.json") return false;
    response.writeHead(302, { location: `${secret.url}/secret.json` }).end();
    return true;
  };
  const report = await crawled();
  assert.deepEqual([report.items, report.failed, report.refused], [2, 1, 3]);
  assert.equal(secret.requests.length, 0);
});

test("a name that leads into a private network is not asked", async () => {
  const report = await crawled({ url: server.url.replace("127.0.0.1", "localhost") + "/catalog.json" }).catch(
    (error: unknown) => error,
  );
  assert.match(JSON.stringify(report), /localhost is at .*, an address that is not of the public internet/u);
  assert.equal(server.requests.length, 0);
});

test("redirects in a circle end", async () => {
  server.files.set("/catalog.json", catalogue([child("./round.json")]));
  server.intercept = (path, response) => {
    if (path !== "/round.json") return false;
    response.writeHead(302, { location: "/round.json" }).end();
    return true;
  };
  const report = await crawled();
  assert.equal(report.failed, 1);
  assert.match(report.firstFault ?? "", /redirects more than 5 times/u);
});

test("documents of any nonsense are counted and do no harm", async () => {
  writeStaticCatalogue(server, { items: 3 });
  const nested: object[] = [];
  for (let depth = 0, inner = nested; depth < 5000; depth += 1) {
    const next: object[] = [];
    inner.push(next);
    inner = next;
  }
  const strange: readonly object[] = [
    {},
    { type: "Feature" },
    { type: ["Feature"] },
    catalogue("x" as never),
    catalogue([
      null,
      5,
      { rel: "child" },
      { rel: "child", href: 5 },
      child("http://["),
      child("x".repeat(5000)),
    ] as never),
    item({ properties: { datetime: "\u0000\ud800" } }),
    item({
      id: "\u0000\ud800",
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    }),
    item({ geometry: { type: "Polygon", coordinates: [[[1e308, -1e308], ["a"], [1, 1]]] } }),
    item({ assets: [{ href: 7 }], bbox: [9, 9] }),
    item({ extra: nested }),
  ];
  for (const [index, document] of strange.entries()) server.files.set(`/s${index}.json`, document);
  const links = strange.map((_, index) => ({ rel: index % 2 === 0 ? "child" : "item", href: `./s${index}.json` }));
  server.files.set("/text.json", Buffer.from("no JSON"));
  server.files.set("/catalog.json", catalogue([...links, child("./text.json"), child("./flights/collection.json")]));
  const report = await crawled();
  assert.ok(report.items >= 3, JSON.stringify(report));
  assert.ok(report.failed >= 3, JSON.stringify(report));
  assert.equal(server.requests.filter(({ path }) => path.includes("/item.json")).length, 3);
});

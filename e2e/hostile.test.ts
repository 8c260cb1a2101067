import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { rawConnection } from "../packages/service/src/http/traffic/raw-connection.ts";
import { zipOfQuotedEntries, zipOfSharedEntry } from "../packages/raster/src/archive/zip-bombs-testing.ts";
import { COAST_AREA, ingestCoast, upload } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient, readJson } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

/** Bodies that no operation can do anything with, as bytes: fetch would repair some of them. */
const BODIES: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  "prototype members": '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}',
  "an array": "[]",
  "a number": "1",
  null: "null",
  "not a number": '{"a":NaN}',
  "an infinite number": '{"size":1e999,"extent":{"type":"Point","coordinates":[1e999,0]}}',
  "not UTF-8": Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  "U+0000": '{"sceneId":"\\u0000","pipelineId":"\\u0000aaaaaaaaaaaaaaaaaaa","token":"\\u0000"}',
  "half a surrogate pair": '{"sceneId":"\\ud800","pipelineId":"\\ud800aaaaaaaaaaaaaaaaaaa","filepath":"\\ud800"}',
  "deep nesting": `${'{"a":'.repeat(60)}1${"}".repeat(60)}`,
  "very long texts": JSON.stringify(
    Object.fromEntries(["sceneId", "pipelineId", "token", "filepath", "userId"].map((name) => [name, "x".repeat(1e5)])),
  ),
  "null everywhere": JSON.stringify({ sceneId: null, pipelineId: null, datasets: null, extent: null, sceneIds: null }),
  "wrong types": JSON.stringify({
    sceneId: {},
    pipelineId: [],
    datasets: [null],
    extent: [],
    sceneIds: [null],
    size: "1",
  }),
};

/** 3,000 squares on top of each other: 40,000 edges that meet millions of times. */
const ENTANGLED = {
  type: "MultiPolygon",
  coordinates: Array.from({ length: 3000 }, (_, i) => {
    const west = 15 + (i % 53) * 1e-4;
    const south = 0.88 + (i % 47) * 1e-4;
    const [east, north] = [west + 0.01, south + 0.01];
    return [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ];
  }),
};

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

describe("a service among hostile clients", () => {
  let service: ServiceProcess;
  let demo: RawClient;
  let sceneId: string;

  before(async () => {
    service = await ServiceProcess.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
    sceneId = await ingestCoast(demo);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
  });

  test("no body makes any operation fail: each is answered or refused in words", async () => {
    const document = await readJson(await demo.get("/openapi.json"));
    const paths = Object.entries<object>(document.paths)
      .filter(([, item]) => "post" in item)
      .map(([path]) => path.replaceAll(/\{[^}]+\}/g, "ndvi"));
    assert.ok(paths.length > 15);
    for (const path of paths) {
      for (const [what, body] of Object.entries(BODIES)) {
        const answer = await fetch(`${service.baseUrl}${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${demo.token}` },
          body,
        });
        const text = await answer.text();
        assert.ok(answer.status < 500, `${path} with ${what}: ${answer.status} ${text}`);
        if (answer.ok) continue;
        const { error, errorMessage, error_description: description } = JSON.parse(text);
        assert.ok(typeof error === "string" && typeof (errorMessage ?? description) === "string", text);
      }
    }
  });

  test("an area too entangled to compute with is refused at once, and nobody waits for it", async () => {
    const startedMs = performance.now();
    const answers = await Promise.all([
      demo.post("/imagery/search/initiate", {
        datasets: [{ provider: "local", dataset: "uploads" }],
        extent: ENTANGLED,
      }),
      demo.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: ENTANGLED }),
      demo.post("/mapsvc/release/initiate", { mapTypes: ["imagery"], sceneIds: [sceneId], extent: ENTANGLED }),
    ]);
    for (const { status, body } of answers) {
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.errorMessage, /cross or overlap|positions/);
    }
    // Computing with it takes minutes.
    assert.ok(performance.now() - startedMs < 30_000);
  });

  test("files made to hold ingestion or to fill the disk are refused at once, and the next file is ingested", async () => {
    const files = [
      // Pixels of 10 x 1e300 m.
      [coastGeotiff({ widthPx: 96, heightPx: 96, scaleY: -1e300 }), ".geotiff", "SCENE-UNREADABLE"],
      // 64 KB that would be unpacked to 12.4 GB.
      [zipOfSharedEntry(1000, Buffer.alloc(12_400_000)), ".zip", "BAD-REQUEST"],
      [zipOfQuotedEntries(100, Buffer.alloc(10_000_000)), ".zip", "BAD-REQUEST"],
    ] as const;
    const startedMs = performance.now();
    for (const [bytes, suffix, code] of files) {
      assert.ok(bytes.length < 76_000, String(bytes.length));
      const filepath = await upload(demo, bytes, suffix);
      const { status, body } = await demo.post("/imagery/ingest-scene", { provider: "local", filepath });
      assert.deepEqual([status, body.error], [424, code], body.errorMessage);
    }
    assert.equal(await ingestCoast(demo), sceneId);
    assert.ok(performance.now() - startedMs < 15_000, `${performance.now() - startedMs} ms`);
  });

  test("neither a token nor a map ID can be made up", async () => {
    const [header = "", claims = "", signature = ""] = (demo.token ?? "").split(".");
    const said = JSON.parse(Buffer.from(claims, "base64url").toString());
    const forged = [
      `${encode({ alg: "none", typ: "JWT" })}.${claims}.`,
      `${encode({ alg: "HS256", typ: "JWT" })}.${claims}.${signature}`,
      `${header}.${encode({ ...said, sub: "administrator" })}.${signature}`,
      `${header}.${encode({ ...said, exp: said.exp + 1e6 })}.${signature}`,
    ];
    for (const token of forged) {
      const { status, body } = await demo.as(token).post("/user/info");
      assert.deepEqual([status, body.error], [401, "INVALID-JWT"]);
      assert.deepEqual((await demo.post("/user/authorize", { token })).body, { authorized: false, user: null });
      const map = await demo.get(`/mapsvc/grid/${token}/-/1/0/0/truecolor.png`);
      assert.deepEqual([map.status, (await readJson(map)).error], [400, "INVALID-MAP-ID"]);
    }
  });

  test("an upload address leads to the service, whatever host the request names", async () => {
    const body = JSON.stringify({ uploadSuffix: ".geotiff", size: 1000, filename: "a" });
    for (const host of [
      "Host: evil.example",
      `Host: ${new URL(service.baseUrl).host}\r\nX-Forwarded-Host: evil.example`,
    ]) {
      using connection = await rawConnection(service.baseUrl);
      connection.write(
        `POST /imagery/ingest-scene/upload HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${demo.token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      const answer = await connection.closed();
      assert.match(answer, /^HTTP\/1\.1 200 /, host);
      const url = /"url":"([^"]+)"/.exec(answer)?.[1] ?? "";
      assert.equal(new URL(url).origin, service.baseUrl, host);
      assert.doesNotMatch(answer, /evil/, host);
    }
  });

  test("what one user has started, another does not see", async () => {
    const admin = await new RawClient(service.baseUrl).login(ADMIN);
    const search = { datasets: [{ provider: "local", dataset: "uploads" }], extent: COAST_AREA };
    const { pipelineId } = (await demo.post("/imagery/search/initiate", search)).body;
    await demo.settled(pipelineId);
    assert.equal((await demo.post("/imagery/search/retrieve", { pipelineId })).status, 200);
    for (const path of ["/imagery/search/retrieve", "/tasking/cancel"]) {
      const { status, body } = await admin.post(path, { pipelineId });
      assert.deepEqual([status, body.error], [404, "NON-EXISTENT-PIPELINE"], path);
    }
  });

  test("a killed database server is started again, requests are put off until then", async () => {
    const pidFile = await readFile(join(service.folder, "postgres", "postmaster.pid"), "utf8");
    process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
    const statuses = new Set<number>();
    let inARow = 0;
    const deadlineMs = performance.now() + 60_000;
    while (inARow < 20) {
      assert.ok(performance.now() < deadlineMs, `after a minute: ${[...statuses].join()}`);
      const { status } = await demo.post("/imagery/scene-info", { sceneId });
      statuses.add(status);
      inARow = status === 200 && statuses.has(503) ? inARow + 1 : 0;
    }
    assert.deepEqual(statuses, new Set([200, 503]));
    assert.equal(
      (
        await demo.run("/imagery/search", {
          datasets: [{ provider: "local", dataset: "uploads" }],
          extent: COAST_AREA,
        })
      ).body.results.length,
      1,
    );
  });
});

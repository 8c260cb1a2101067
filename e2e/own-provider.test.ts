import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { filesOf, madeItem } from "../packages/service/src/sources/stac/testing/sample-items.ts";
import {
  startStacServer,
  type StacItemJson,
  type StacServer,
} from "../packages/service/src/sources/stac/testing/stac-server.ts";
import { readSteps } from "../scripts/walk-through/read-steps.ts";
import { COAST_AREA, upload } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGE = readFileSync(join(ROOT, "docs/catalog.md"), "utf8");
const SECTION = /^## Your own providers and datasets\n([\s\S]*?)^## /mu.exec(PAGE)?.[1] ?? "";
const [ACME = "", DRONE = ""] = [...SECTION.matchAll(/```json\n([\s\S]*?)```/gu)].map(([, json = ""]) => json);
/** The address in the example, which the test replaces by the address of a local server. */
const PAGE_URL = "https://stac.acme.example/v1";
/** `COAST_AREA` is 0.022 by 0.0217 degrees near the equator. */
const AREA_KM2 = 0.022 * 111.32 * 0.0217 * 110.57;
const CREDITS_PER_KM2 = 2.5;

const runFile = promisify(execFile);

/** A STAC API with one scene over the area, whose files are on the same server. */
async function acmeServer(): Promise<StacServer> {
  const items: StacItemJson[] = [];
  const files = { read: (_path: string): Uint8Array | null => null };
  const server = await startStacServer({ items, file: (path) => files.read(path) });
  const item = madeItem("LC08_L2SP_185060_20240101_02_T1", "2024-01-01T09:30:00Z", 14, 0);
  const assets: unknown = item["assets"];
  for (const asset of Object.values(assets as Record<string, { href: string }>)) {
    asset.href = `${server.url}/files/${asset.href.split("/").at(-1) ?? ""}`;
  }
  items.push(item);
  files.read = filesOf(items, `${server.url}/files/`);
  return server;
}

describe("a service with the providers and datasets of the page", () => {
  let folder: string;
  let server: StacServer;
  let service: ServiceProcess;
  let demo: RawClient;
  let sceneId: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "swath-own-provider-"));
    server = await acmeServer();
    assert.ok(ACME.includes(PAGE_URL));
    const acme = JSON.parse(ACME.replace(PAGE_URL, server.url));
    const drone = JSON.parse(DRONE);
    const path = join(folder, "catalog.json");
    writeFileSync(path, JSON.stringify({ providers: { ...acme.providers, ...drone.providers } }));
    service = await ServiceProcess.start({ SWATH_CATALOG: path });
    demo = await new RawClient(service.baseUrl).login(DEMO);
    writeFileSync(join(folder, "scene.tif"), coastGeotiff());
  });

  after(async () => {
    await service[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the listing has them, with the values of the file", async () => {
    const { body } = await demo.post("/imagery/datasets/list");
    const entries: readonly Record<string, unknown>[] = body;
    const find = (name: string) => entries.find(({ dataset }) => dataset === name);
    const visual = find("acme_visual");
    assert.deepEqual(
      [visual?.["provider"], visual?.["providerName"], visual?.["datasetName"], visual?.["attribution"]],
      ["acme", "Acme", "Acme visual", "© Acme"],
    );
    assert.deepEqual(
      [visual?.["canBeIngested"], visual?.["downloadable"], visual?.["resolution"]],
      [true, true, [10, 10]],
    );
    assert.deepEqual([find("acme_archive")?.["canBeIngested"], find("drone")?.["provider"]], [false, "local"]);
    assert.ok(find("spot"), "built-in datasets stay");
  });

  test("the commands of the page ingest a scene and find it beside the scene of the STAC API", async () => {
    const output: string[] = [];
    for (const step of readSteps(PAGE, "Your own providers and datasets")) {
      if (step.kind !== "commands") continue;
      for (const line of step.lines) {
        const [, ...words] = line.split(" ");
        const { stdout } = await runFile(process.execPath, [join(ROOT, "packages/cli/src/main.ts"), ...words], {
          cwd: folder,
          env: { ...process.env, SWATH_URL: service.baseUrl, SWATH_EMAIL: DEMO.email, SWATH_PASSWORD: DEMO.password },
        });
        output.push(stdout);
      }
    }
    assert.equal(output.length, 2);
    const [ingested = "", found = ""] = output;
    sceneId = /^acme\.acme_visual\.[0-9a-f]+/u.exec(ingested)?.[0] ?? "";
    assert.ok(sceneId !== "", ingested);
    assert.ok(found.includes(sceneId), found);
    assert.ok(found.includes("acme.acme_archive.LC08_L2SP_185060_20240101_02_T1"), found);
  });

  test("requests by the alias are answered with the alias", async () => {
    const datasets = [{ provider: "acme-imaging", dataset: "acme_visual" }];
    const found = await demo.run("/imagery/search", { datasets, extent: COAST_AREA });
    assert.deepEqual(
      found.body.results.map((scene: { provider: string; sceneId: string }) => [scene.provider, scene.sceneId]),
      [["acme-imaging", sceneId]],
    );
  });

  test("a dataset that the page adds to a built-in provider takes rasters", async () => {
    const filepath = await upload(demo, coastGeotiff({ resolutionM: 9 }));
    const taken = await demo.post("/imagery/ingest-scene", { provider: "local", dataset: "drone", filepath });
    assert.equal(taken.status, 200, JSON.stringify(taken.body));
    assert.match(taken.body.ingestedScenes[0].sceneId, /^local\.drone\./u);
  });

  test("a scene costs the price of the file, then that of a price rule, and is released", async () => {
    const checked = await demo.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    assert.equal(checked.status, 200, JSON.stringify(checked.body));
    const price = checked.body.cost / AREA_KM2;
    assert.ok(Math.abs(price - CREDITS_PER_KM2) < 0.02 * CREDITS_PER_KM2, `${price} credits per km²`);
    const admin = await new RawClient(service.baseUrl).login(ADMIN);
    const rule = { provider: "acme", dataset: "acme_visual", creditsPerKm2: 1 };
    const made = await admin.post("/credits/price-rules/create", rule);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
    assert.ok(Math.abs(allocated.body.cost / AREA_KM2 - 1) < 0.02, JSON.stringify(allocated.body));
    const released = await demo.run("/mapsvc/release", {
      mapTypes: ["imagery", "ndvi"],
      sceneIds: [sceneId],
      extent: COAST_AREA,
    });
    assert.deepEqual(released.body.failed, [], JSON.stringify(released.body));
    const [{ mapId, tiles }] = released.body.maps;
    const [[z, x, y]] = tiles;
    const tile = await demo.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/truecolor.png`);
    assert.equal(tile.status, 200, await tile.text());
  });

  test("a scene of the STAC API is released from the files of the API", async () => {
    const sceneIds = ["acme.acme_archive.LC08_L2SP_185060_20240101_02_T1"];
    const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: COAST_AREA });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
    const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds, extent: COAST_AREA });
    assert.deepEqual(released.body.failed, [], JSON.stringify(released.body));
    assert.equal(released.body.maps.length, 1);
    assert.ok(server.requests.some(({ path }) => path.startsWith("/files/")));
  });

  test("rights to maps of one dataset give none of another, and the alias grants too", async () => {
    const request = { mapTypes: ["ndvi"], sceneIds: [sceneId], extent: COAST_AREA };
    const releaseWith = async (permission: string) => {
      const permissions = ["mapsvc.release", "imagery.images", permission];
      const made = await demo.post("/user/api-key/create", { name: permission.slice(0, 30), permissions });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const { status, body } = await demo.as(made.body.key).post("/mapsvc/release/initiate", request);
      return [status, body.error];
    };
    assert.deepEqual(await releaseWith("algorithms.ndvi.acme.acme_archive"), [401, "NOT-AUTHORIZED"]);
    assert.deepEqual(await releaseWith("algorithms.ndvi.acme.acme_visual"), [200, undefined]);
    assert.deepEqual(await releaseWith("algorithms.ndvi.acme-imaging.acme_visual"), [200, undefined]);
  });
});

test("a misspelt member of the page's file refuses the start with the name that was meant", async () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-own-provider-"));
  try {
    const path = join(folder, "catalog.json");
    writeFileSync(path, ACME.replaceAll("creditsPerKm2", "creditPerKm2"));
    await assert.rejects(
      async () => {
        await using service = await ServiceProcess.start({ SWATH_CATALOG: path });
        assert.fail(`the service runs at ${service.baseUrl}`);
      },
      (error) => {
        const place = "/providers/acme/datasets/acme_visual: ";
        assert.match(String(error), /the service ended with 2:/u);
        assert.ok(
          String(error).includes(`${path} ${place}got the member "creditPerKm2", did you mean "creditsPerKm2"?`),
        );
        return true;
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

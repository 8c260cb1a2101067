import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { TOTP, URI } from "otpauth";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { consoleSessionJourney, pipelineListJourney } from "./console-journey.ts";
import { analysesJourney } from "./analyses-journey.ts";
import { contractsJourney } from "./contracts-journey.ts";
import { datacubeJourney } from "./datacube-journey.ts";
import { elementsJourney } from "./elements-journey.ts";
import { feasibilityJourney } from "./feasibility-journey.ts";
import { linksJourney } from "./links-journey.ts";
import { pointJourney } from "./point-journey.ts";
import { tilesetsJourney } from "./tilesets-journey.ts";
import { eventsJourney } from "./events-journey.ts";
import { featureJourney } from "./feature-journey.ts";
import { undocumented } from "./documented-exchanges.ts";
import { COAST_AREA, ingestCoast, upload } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { EXAMPLES_FILE, readExamples } from "../packages/service/src/http/openapi/examples.ts";
import { ordersJourney } from "./orders-journey.ts";
import { organisationJourney } from "./organisation-journey.ts";
import { type Exchange, RawClient, readJson } from "./raw-client.ts";
import { recordedExamples } from "./recorded-examples.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";
import { mosaicJourney } from "./mosaic-journey.ts";
import { monitorJourney } from "./monitor-journey.ts";
import { itemFiles, itemsJourney, type ItemFiles } from "./items-journey.ts";
import { stacJourney } from "./stac-journey.ts";
import { stapiJourney } from "./stapi-journey.ts";
import { standingQueryJourney } from "./watch-journey.ts";
import { webhooksJourney } from "./webhooks-journey.ts";
import { unaskedOperations } from "./unasked-operations.ts";
import { watchMaps } from "./provenance-journey.ts";

const NEAR_PRAGUE = boundsPolygon([14.4, 50.1, 14.41, 50.106]);

const PNG_SIGNATURE = "89504e470d0a1a0a";

describe("the main job over HTTP", () => {
  let files: ItemFiles;
  let service: ServiceProcess;
  let anonymous: RawClient;
  let demo: RawClient;
  let admin: RawClient;
  const exchanges: Exchange[] = [];
  let sceneId: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of a black-box suite
  let maps: any[];
  const mapOf = (mapType: string) => maps.find((map) => map.mapType === mapType);

  before(async () => {
    files = await itemFiles();
    service = await ServiceProcess.start({ SWATH_CATALOG: files.catalogue });
    anonymous = new RawClient(service.baseUrl, null, undefined, (exchange) => exchanges.push(exchange));
    demo = await anonymous.login(DEMO);
    admin = await anonymous.login(ADMIN);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });

  test("both token requests answer in both encodings", async () => {
    const form = new URLSearchParams({
      grant_type: "password",
      username: DEMO.email,
      password: DEMO.password,
      scopes: "openid",
      client_id: "swath",
    });
    const response = await fetch(`${service.baseUrl}/oauth2/token`, { method: "POST", body: form });
    assert.equal(response.status, 200);
    const body = await readJson(response);
    assert.equal(body.token_type, "bearer");
    assert.equal(body.expires_in, 36_000);
    const json = await anonymous.post("/oauth2/token", {
      grant_type: "password",
      username: DEMO.email,
      password: DEMO.password,
      client_id: "swath",
    });
    assert.equal(json.body.userId, body.userId);
    const wrong = await anonymous.post("/oauth/ro", {
      username: DEMO.email,
      password: "wrong",
      grant_type: "password",
    });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.body.error, "invalid_grant");
  });

  test("keys and discovery of the identity provider are public", async () => {
    const discovery = await readJson(await anonymous.get("/.well-known/openid-configuration"));
    const keys = await readJson(await anonymous.get(new URL(discovery.jwks_uri).pathname));
    assert.ok(keys.keys.length > 0);
    assert.ok(
      keys.keys.every((key: object) => !("d" in key)),
      "no private key is shown",
    );
  });

  test("user info gives the caller, and others only to administrators", async () => {
    const own = await demo.post("/user/info");
    assert.equal(own.body.email, DEMO.email);
    assert.ok(own.body.permissions.includes("imagery.availability") || own.body.permissions.includes("imagery"));
    const { body } = await admin.post("/user/info");
    assert.equal((await demo.post("/user/info", { userId: body.id })).status, 401);
    assert.equal((await admin.post("/user/info", { userId: own.body.id })).body.email, DEMO.email);
    assert.equal((await admin.post("/user/authorize", { token: demo.token })).body.authorized, true);
  });

  test("an uploaded GeoTIFF becomes a scene, and the same bytes again are a duplicate", async () => {
    sceneId = await ingestCoast(demo);
    const filepath = await upload(demo, coastGeotiff());
    const again = await demo.post("/imagery/ingest-scene", { provider: "local", filepath });
    const [scene] = again.body.ingestedScenes;
    assert.deepEqual([scene.duplicate, scene.sceneId, scene.understood.crsEpsg > 0], [true, sceneId, true]);
  });

  test("the group that ingested a scene shares it with everybody and takes it back", async () => {
    for (const visibility of ["public", "group"]) {
      const answer = await demo.post("/imagery/scene/set-visibility", { sceneId, visibility });
      assert.deepEqual([answer.status, answer.body], [200, { sceneId, visibility }]);
    }
  });

  test("a scene is listed, corrected, deleted and restored by its group", async () => {
    const { body: listed } = await demo.post("/imagery/scene/list", { limit: 1 });
    assert.deepEqual([listed.results.length, listed.results[0].sceneId], [1, sceneId]);
    const { satellite } = listed.results[0];
    const edited = await demo.post("/imagery/scene/edit", { sceneId, satellite: "Coastwatch 1" });
    assert.deepEqual([edited.status, edited.body.satellite, edited.body.revision], [200, "Coastwatch 1", 1]);
    assert.equal((await demo.post("/imagery/scene/edit", { sceneId, satellite })).body.satellite, satellite);
    assert.equal(
      (await demo.post("/imagery/scene/edit", { sceneId, satelite: "x" })).status,
      422,
      "nothing is ignored",
    );
    const deleted = await demo.post("/imagery/scene/delete", { sceneId });
    assert.ok(deleted.body.restorableUntil > deleted.body.deletedAt);
    assert.equal((await demo.post("/imagery/scene-info", { sceneId })).body.error, "NON-EXISTING-SCENE");
    assert.equal((await demo.post("/imagery/scene/restore", { sceneId })).body.deletedAt, null);
    assert.equal((await demo.post("/imagery/scene-info", { sceneId })).status, 200);
  });

  test("a file without a coordinate reference system is refused with the reason", async () => {
    const filepath = await upload(demo, coastGeotiff({ withoutCrs: true }));
    const { status, body } = await demo.post("/imagery/ingest-scene", { provider: "local", filepath });
    assert.ok(status >= 400 && status < 500, `${status}`);
    assert.match(body.errorMessage, /coordinate reference system/i);
  });

  test("the durable form of ingest refuses in the same words", async () => {
    const filepath = await upload(demo, coastGeotiff({ withoutCrs: true }));
    const answer = await demo.run("/imagery/ingest-scene", { provider: "local", filepath });
    assert.equal(answer.status, 424);
    const good = await demo.run("/imagery/ingest-scene", {
      provider: "local",
      filepath: await upload(demo, coastGeotiff()),
    });
    assert.equal(good.status, 200);
  });

  test("search finds the scene by place and time, newest first, with exact ratios", async () => {
    const { status, body } = await demo.run("/imagery/search", {
      datasets: [{ provider: "local", dataset: "uploads" }],
      extent: COAST_AREA,
      minIntersection: 0.99,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.results.map((scene: { sceneId: string }) => scene.sceneId),
      [sceneId],
    );
    assert.equal(body.cursor, null);
    const [scene] = body.results;
    assert.equal(scene.crsEpsg, 32633);
    assert.equal(scene.footprint.type, "MultiPolygon");
    assert.ok(Math.abs(scene.areaKm2 - 6.55) < 0.05, `${scene.areaKm2} km2`);
    assert.deepEqual(
      scene.bands.map((band: { names: string[] }) => band.names[0]),
      ["Blue", "Green", "Red", "NIR"],
    );
  });

  test("the listing, scene info and thumbnail know the scene", async () => {
    const listed = await demo.post("/imagery/datasets/list");
    assert.ok(listed.body.some((entry: { dataset: string }) => entry.dataset === "uploads"));
    assert.deepEqual((await demo.post("/mapsvc/map-types")).body, (await demo.post("/mapsvc/map-types/list")).body);
    assert.ok(Array.isArray((await anonymous.post("/imagery/datasets/list")).body));
    const info = await demo.post("/imagery/scene-info", { sceneId });
    assert.equal(info.body.sceneId, sceneId);
    assert.equal((await demo.post("/imagery/scene-info", { sceneId: "nothing" })).status, 404);
    const thumbnail = await demo.get(`/imagery/thumbnail?scene_id=${encodeURIComponent(sceneId)}`, {
      Accept: "image/png",
    });
    assert.equal(thumbnail.status, 200);
    assert.equal(
      Buffer.from(await thumbnail.arrayBuffer())
        .subarray(0, 8)
        .toString("hex"),
      PNG_SIGNATURE,
    );
  });

  test("release asks for an allocation first, and charges exactly the quoted area once", async () => {
    const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [sceneId], extent: COAST_AREA };
    const dryRuns = [{ mapTypes: request.mapTypes, scenes: [[sceneId]] }];
    const dry = await demo.run("/mapsvc/dry-run", { dryRuns, extent: COAST_AREA });
    assert.equal(dry.status, 200, JSON.stringify(dry.body));
    const unpaid = await demo.post("/mapsvc/release/initiate", request);
    assert.equal(unpaid.status, 402);
    assert.equal(unpaid.body.error, "CREDITS-ERROR");

    const beforeCredit = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
    const quote = await demo.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    assert.equal(quote.status, 200, JSON.stringify(quote.body));
    assert.ok(quote.body.cost > 0);
    assert.ok(Math.abs(quote.body.cost - dry.body.allocatedCredits) < 1e-6);
    const allocation = { sceneIds: [sceneId], geojson: COAST_AREA, expectedCost: quote.body.cost };
    const refused = await demo.post("/credits/area/allocate-geojson", { ...allocation, expectedCost: 1e9 });
    assert.deepEqual([refused.status, refused.body.error], [409, "PRICE-CHANGED"]);
    const allocated = await demo.post("/credits/area/allocate-geojson", allocation);
    assert.deepEqual([allocated.status, allocated.body.cost], [200, quote.body.cost], JSON.stringify(allocated.body));
    const afterCredit = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
    assert.ok(
      Math.abs(beforeCredit - afterCredit - quote.body.cost) < 1e-6,
      `${beforeCredit} - ${afterCredit} is not ${quote.body.cost}`,
    );
    assert.equal(
      (await demo.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: COAST_AREA })).body.cost,
      0,
    );
    const info = await demo.post("/credits/user/info");
    assert.ok(Math.abs(info.body.remainingCredit - afterCredit) < 1e-6);

    const released = await demo.run("/mapsvc/release", request);
    assert.equal(released.status, 200, JSON.stringify(released.body));
    maps = released.body.maps;
    assert.deepEqual(
      maps.map((map) => [map.mapType, map.status]),
      [
        ["imagery", "succeeded"],
        ["ndvi", "succeeded"],
      ],
    );
    assert.deepEqual(released.body.failed, []);
  });

  test("administrators grant, limit and price credit, and everybody reads what they have paid", async () => {
    const { groupId, id: userId } = (await demo.post("/credits/user/info")).body;
    const creditBefore = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
    const gift = { groupId, credit: 12.5, note: "acceptance", idempotencyKey: "acceptance-1" };
    const granted = await admin.post("/credits/grant", gift);
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    assert.equal((await admin.post("/credits/grant", gift)).body.id, granted.body.id);
    assert.ok(Math.abs(granted.body.remainingCredit - creditBefore - 12.5) < 1e-6);
    assert.equal((await demo.post("/credits/grant", gift)).status, 401);
    const grants = await admin.post("/credits/grants/list", { groupId });
    assert.ok(grants.body.results.some(({ credit }: { credit: number }) => credit === 12.5));

    assert.deepEqual((await admin.post("/credits/user/set-credit-limit", { userId, creditLimit: 0 })).body, {});
    assert.equal((await demo.post("/credits/get-remaining-credit")).body.remainingCredit, 0);
    assert.deepEqual((await admin.post("/credits/user/set-credit-limit", { userId, creditLimit: null })).body, {});
    assert.ok((await demo.post("/credits/get-remaining-credit")).body.remainingCredit > 0);

    const rule = { provider: "local", dataset: "uploads", creditsTier: "acceptance", creditsPerKm2: 7 };
    const priced = await admin.post("/credits/price-rules/create", rule);
    assert.equal(priced.status, 200, JSON.stringify(priced.body));
    assert.equal((await admin.post("/credits/price-rules/create", rule)).status, 409);
    const misspelt = await admin.post("/credits/price-rules/create", { ...rule, groupID: groupId });
    assert.deepEqual([misspelt.status, misspelt.body.details[0].didYouMean], [422, "groupId"]);
    const rules = await admin.post("/credits/price-rules/list", { creditsTier: "acceptance" });
    assert.deepEqual(rules.body.results, [priced.body]);
    assert.equal((await admin.post("/credits/price-rules/end", { id: priced.body.id })).status, 200);
    assert.deepEqual((await admin.post("/credits/price-rules/list", { creditsTier: "acceptance" })).body.results, []);

    const allocations = (await demo.post("/credits/group/list-allocations", { dataset: ["uploads"] })).body;
    assert.equal(allocations.results[0].sceneId, sceneId);
    assert.equal(allocations.cursor, null);
    assert.equal((await demo.post("/credits/group/list-allocations", { groupId })).status, 401);
    assert.deepEqual(
      (await admin.post("/credits/group/list-allocations", { groupId })).body.results,
      allocations.results,
    );
    const own = (await demo.post("/credits/user/list-transactions", { sceneIds: [sceneId] })).body.results;
    assert.deepEqual(own[0].allocations, [allocations.results[0].id]);
    assert.equal(own[0].userId, userId);
    const group = await demo.post("/credits/group/list-transactions", { kind: "credit.allocate", limit: 1 });
    assert.deepEqual(group.body.results, own.slice(0, 1));
    const bad = await demo.post("/credits/group/list-transactions", { cursor: "nonsense" });
    assert.deepEqual([bad.status, bad.body.error], [400, "INVALID-CURSOR"]);

    const table = await demo.post("/credits/usage/export");
    assert.equal(table.status, 200, JSON.stringify(table.body));
    const csv = await anonymous.get(table.body.url);
    assert.match(csv.headers.get("Content-Type") ?? "", /^text\/csv/);
    const lines = (await csv.text()).trimEnd().split("\r\n");
    assert.equal(lines.length, 2);
    assert.ok(lines[1]?.includes(sceneId));
    assert.equal((await anonymous.get(table.body.url.replace(/signature=[^&]{4}/, "signature=AAAA"))).status, 401);

    const month = new Date().toISOString().slice(0, 7);
    const invoice = await admin.post("/credits/invoice", { groupId, month });
    assert.equal(invoice.status, 200, JSON.stringify(invoice.body));
    assert.equal(invoice.body.isFinal, false);
    assert.ok(invoice.body.lines.some(({ dataset }: { dataset: string }) => dataset === "uploads"));
    assert.equal((await demo.post("/credits/invoice", { month })).status, 401);
    assert.match(await (await anonymous.get(invoice.body.csvUrl)).text(), /^number,month,/);
    const pdf = await anonymous.get(invoice.body.pdfUrl);
    assert.equal(pdf.headers.get("Content-Type"), "application/pdf");
    assert.match(await pdf.text(), /^%PDF-/);
  });

  test("tiles and every grid file of the listing come back; others answer the documented statuses", async () => {
    for (const map of maps) {
      const [z, x, y] = map.tiles[0];
      const type = await anonymous.get(`/mapsvc/map-types/${map.mapId}`);
      assert.equal((await readJson(type)).mapType, map.mapType);
      const listing = (await demo.post("/mapsvc/map-types/list")).body;
      const entry = listing.find((candidate: { mapType: string }) => candidate.mapType === map.mapType);
      for (const file of Object.values<string[]>(entry.gridFiles).flat()) {
        const response = await anonymous.get(`/mapsvc/grid/${map.mapId}/-/${z}/${x}/${y}/${file}`);
        assert.equal(response.status, 200, `${map.mapType} ${file}`);
        assert.ok((await response.arrayBuffer()).byteLength > 10);
        const again = await anonymous.get(`/mapsvc/grid/${map.mapId}/-/${z}/${x}/${y}/${file}`, {
          "If-None-Match": response.headers.get("ETag") ?? "",
        });
        assert.equal(again.status, 304);
      }
      const tileless = await anonymous.get(`/mapsvc/grid/${map.mapId}/-/metadata.json`);
      assert.equal(tileless.status, 200);
      assert.equal((await anonymous.get(`/mapsvc/grid/${map.mapId}/-/${z}/${x + 50}/${y}/metadata.json`)).status, 401);
      assert.equal(
        (
          await anonymous.get(
            `/mapsvc/grid/${map.mapId}/-/${map.maxZoom + 1}/${x * 2 ** (map.maxZoom + 1 - z)}/${y * 2 ** (map.maxZoom + 1 - z)}/metadata.json`,
          )
        ).status,
        404,
      );
      assert.equal((await anonymous.get(`/mapsvc/grid/${map.mapId}x/-/${z}/${x}/${y}/metadata.json`)).status, 400);
    }
    const ndvi = mapOf("ndvi");
    const metadata = await readJson(await anonymous.get(`/mapsvc/grid/${ndvi.mapId}/-/metadata.json`));
    assert.ok(metadata.statistics.max > 0.7 && metadata.statistics.min < -0.3, JSON.stringify(metadata.statistics));
  });

  test("the legacy release forms answer flat", async () => {
    const flat = await demo.run("/mapsvc/release", { mapType: "ndvi", sceneIds: [sceneId], extent: COAST_AREA });
    assert.equal(flat.status, 200, JSON.stringify(flat.body));
    for (const member of ["mapId", "maxZoom", "tiles"]) assert.ok(member in flat.body, member);
    for (const mapType of ["imagery", "gndvi"]) {
      const old = await demo.run(`/mapsvc/release/${mapType}/geojson`, { sceneId, extent: COAST_AREA });
      assert.equal(old.status, 200, JSON.stringify(old.body));
      assert.deepEqual(Object.keys(old.body).toSorted(), ["mapId", "maxZoom", "tiles"]);
    }
    const unknown = await demo.post("/mapsvc/release/moonbase/geojson/initiate", { sceneId, extent: COAST_AREA });
    assert.equal(unknown.status, 422);
  });

  test("a rectangle of the scene is exported as SKI, GeoTIFF and PNG at signed addresses", async () => {
    const exported = await demo.run("/imagery/get-image", { sceneId, extent: COAST_AREA, resolution: 20 });
    assert.equal(exported.status, 200, JSON.stringify(exported.body));
    assert.equal(exported.body.meta.sceneId, sceneId);
    for (const url of Object.values<string>(exported.body.urls)) {
      const file = await anonymous.get(url);
      assert.equal(file.status, 200);
      assert.ok((await file.arrayBuffer()).byteLength > 100);
      assert.notEqual((await fetch(url.replace(/signature=[^&]{4}/, "signature=AAAA"))).status, 200);
    }
    const large = await demo.post("/imagery/get-image/initiate", { sceneId, extent: COAST_AREA, resolution: 0.5 });
    assert.equal(large.status, 400);
    assert.equal(large.body.error, "IMAGE-TOO-LARGE");
  });

  test("a simulated scene is found, brought into the store tile by tile, and released", async () => {
    const found = await demo.run("/imagery/search", {
      datasets: [{ provider: "pl", dataset: "PSScene4Band_tile" }],
      extent: NEAR_PRAGUE,
      startDatetime: "2024-06-01 00:00:00",
      endDatetime: "2024-06-20 00:00:00",
      minIntersection: 1,
    });
    assert.equal(found.status, 200, JSON.stringify(found.body));
    assert.ok(found.body.results.length > 0);
    const simulated = found.body.results[0].sceneId;
    const fetched = await demo.run("/imagery/ingest", { sceneId: simulated, extent: NEAR_PRAGUE });
    assert.equal(fetched.status, 200, JSON.stringify(fetched.body));
    const stored = await demo.post("/imagery/scene-info", { sceneId: simulated, forceOffline: true });
    assert.equal(stored.status, 200, JSON.stringify(stored.body));
    const released = await demo.run("/mapsvc/release", {
      mapTypes: ["ndvi"],
      sceneIds: [simulated],
      extent: NEAR_PRAGUE,
    });
    assert.equal(released.body.maps?.length, 1, JSON.stringify(released.body));
  });

  test("scenes of one radar orbit have baselines, symmetric but for the sign", async () => {
    const found = await demo.run("/imagery/search", {
      datasets: [{ provider: "esa", dataset: "COPERNICUS/S1_SLC" }],
      extent: NEAR_PRAGUE,
      startDatetime: "2024-01-01 00:00:00",
      endDatetime: "2024-03-01 00:00:00",
      minIntersection: 1,
    });
    const ids: string[] = found.body.results.map((scene: { sceneId: string }) => scene.sceneId);
    assert.ok(ids.length > 2, `${ids.length} scenes`);
    const { status, body } = await demo.post("/imagery/perpendicular-baselines", { sceneIds: ids });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body.indexes), ids);
    const known = body.perpendicular_baselines.flatMap((row: (number | null)[], i: number) =>
      row.flatMap((value, j) => (i === j || value === null ? [] : [value + body.perpendicular_baselines[j][i]])),
    );
    assert.ok(known.length > 0);
    for (const sum of known) assert.ok(Math.abs(sum) < 1, `${sum} m`);
  });

  test("maps become a report that anybody with its address can read", async () => {
    const wanted: string[] = maps.map(({ mapId }: { mapId: string }) => mapId).slice(0, 2);
    const report = await demo.run("/mapsvc/pdf-report", { maps: wanted, title: "Acceptance" });
    assert.equal(report.status, 200, JSON.stringify(report.body));
    assert.ok(report.body.pages >= 3);
    const { pathname, search } = new URL(report.body.url);
    const file = await anonymous.get(pathname + search);
    assert.equal(file.headers.get("content-type"), "application/pdf");
    assert.equal((await file.arrayBuffer()).byteLength, report.body.size);
    assert.equal((await fetch(report.body.url.replace(/signature=...../, "signature=xxxxx"))).status, 401);
  });

  test("areas have statistics over scenes and map types", async () => {
    const request = { areas: COAST_AREA, mapTypes: ["ndvi"], sceneIds: [sceneId], percentiles: [50], resolution: 20 };
    const { status, body } = await demo.run("/mapsvc/statistics", request);
    assert.equal(status, 200, JSON.stringify(body));
    const [{ validShare, mean, percentiles }] = body.rows;
    assert.ok(validShare > 0 && mean > -1 && mean < 1 && percentiles.p50 > -1, JSON.stringify(body.rows));
    assert.equal((await fetch(body.url)).headers.get("content-type"), "text/csv");
  });

  test("a map is exported as one file at an address that anybody may read", async () => {
    const { mapId, tiles } = mapOf("ndvi");
    const zoom = tiles[0][0];
    for (const [gridFile, start] of [
      ["geotiff", "49492a00"],
      ["png", PNG_SIGNATURE],
      ["zip", "504b0304"],
    ] as const) {
      const exported = await demo.run("/mapsvc/export", { mapId, gridFile, zoom });
      assert.equal(exported.status, 200, JSON.stringify(exported.body));
      const bytes = Buffer.from(await (await anonymous.get(exported.body.url)).arrayBuffer());
      assert.equal(bytes.length, exported.body.size);
      assert.equal(bytes.subarray(0, start.length / 2).toString("hex"), start);
    }
    assert.equal((await demo.post("/mapsvc/export/initiate", { mapId, gridFile: "geojson" })).status, 422);
  });

  test("maps become an animation, say what they were made of, and are computed again with equal pixels", async () => {
    await watchMaps({ demo, anonymous, sceneId, area: COAST_AREA, maps });
  });

  test("the values of a map at a point need no account", () => pointJourney(anonymous, mapOf("ndvi").mapId));

  test("a client of STAC finds the uploaded scene", () => stacJourney(demo, sceneId));

  test("items that refer to files of another host are registered, changed, imported and deleted", () =>
    itemsJourney(demo, files));

  test("a link shows a map to anybody until it is revoked", () =>
    linksJourney({ demo, anonymous, mapId: mapOf("ndvi").mapId }));

  test("map programs read a map by TileJSON, WMTS and OGC API Tiles", () => tilesetsJourney(anonymous, mapOf("ndvi")));

  test("many scenes become one map with a price, seamlines and exports", () =>
    mosaicJourney({ demo, anonymous, sceneId, area: COAST_AREA }));

  test("map groups list the map types that fit the scene of a map", async () => {
    const { mapId } = maps[0];
    const groups = await readJson(await anonymous.get(`/mapsvc/map-groups/${mapId}`));
    assert.ok(groups.vegetation.mapTypes.includes("ndvi"));
  });

  test("scenes are put together in pairs and series in order of time", async () => {
    const found = await demo.run("/imagery/search", {
      datasets: [{ provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" }],
      extent: NEAR_PRAGUE,
      startDatetime: "2024-06-01 00:00:00",
      endDatetime: "2024-07-01 00:00:00",
    });
    const newestFirst: { sceneId: string; datetime: string }[] = found.body.results;
    const distinct = newestFirst.filter(({ datetime }, i) => datetime !== newestFirst[i - 1]?.datetime).slice(0, 3);
    assert.equal(distinct.length, 3, `${newestFirst.length} scenes`);
    const [c, b, a] = distinct.map((scene) => scene.sceneId);
    const request = { sceneIds: [b, c, a], extent: NEAR_PRAGUE };
    const pairwise = await demo.run("/mapsvc/pairwise", { ...request, pairingType: "first" });
    assert.deepEqual(
      pairwise.body,
      {
        pairs: [
          [a, b],
          [a, c],
        ],
      },
      JSON.stringify(pairwise.body),
    );
    assert.deepEqual((await demo.run("/mapsvc/nwise", request)).body, { groups: [[a, b, c]] });
  });

  test("rain over an area is a number, and a refusal where there is no data", async () => {
    const rain = { geometry: NEAR_PRAGUE, endDatetime: "2024-06-10T12:00:00Z", windowSizeHours: 24 };
    const { status, body } = await demo.post("/imagery/weather/precipitation", rain);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.precipitation >= 0 && body.precipitation < 500, `${body.precipitation} mm`);
    assert.equal((await demo.post("/imagery/weather/precipitation", { ...rain, windowSizeHours: 0 })).status, 422);
  });

  test("geometries are known by their content, features by their owner", async () => {
    const clockwise = NEAR_PRAGUE.coordinates.map((ring) => ring.toReversed());
    const saved = await demo.post("/geojson/geometry/save", { type: "Polygon", coordinates: clockwise, note: 1 });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.match(saved.body.id, /^[\w-]{43}$/);
    assert.deepEqual(saved.body, { ...NEAR_PRAGUE, id: saved.body.id });
    const known = await admin.post("/geojson/geometry/get", { geometryId: saved.body.id });
    assert.deepEqual(known.body, saved.body);
    assert.deepEqual((await demo.post("/geojson/geometry/get", { geometryId: saved.body.id })).body, saved.body);

    const feature = { type: "Feature", geometry: NEAR_PRAGUE, properties: { name: "near Prague", sizes: [0.1, 1e21] } };
    const made = await demo.post("/geojson/feature/save", feature);
    assert.equal(made.body.geometryId, saved.body.id, JSON.stringify(made.body));
    const { featureId } = made.body;
    const expected = { ...feature, id: featureId, geometry: saved.body };
    assert.deepEqual((await demo.post("/geojson/feature/get", { featureId })).body, expected);
    assert.deepEqual((await demo.post("/geojson/feature/list")).body, { results: [expected], cursor: null });
    for (const path of ["/geojson/feature/get", "/geojson/feature/delete"]) {
      assert.equal((await admin.post(path, { featureId })).status, 404, path);
    }
    assert.equal((await admin.post("/geojson/feature/save", { ...feature, id: featureId })).status, 404);
    assert.deepEqual((await demo.post("/geojson/feature/delete", { featureId })).body, {});
    assert.equal((await demo.post("/geojson/feature/get", { featureId })).body.error, "NON-EXISTENT-FEATURE");
  });

  test("a key does what it may and no more, until it is revoked", async () => {
    const made = await demo.post("/user/api-key/create", { name: "notebook", permissions: ["imagery.availability"] });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { id, key, prefix } = made.body;
    assert.ok(key.startsWith(`${prefix}_`));
    const bearer = demo.as(key);
    assert.equal((await bearer.post("/user/info")).body.email, DEMO.email);
    assert.equal((await bearer.post("/user/api-key/list")).body.error, "API-KEY-AUTHORIZATION-NOT-PERMITTED");
    assert.equal((await bearer.post("/imagery/scene-info", { sceneId })).status, 401);
    const { body } = await demo.post("/user/api-key/list");
    const listed = body.results.find((one: { id: string }) => one.id === id);
    assert.notEqual(listed.lastUsed, null);
    assert.ok(!JSON.stringify(body).includes(key), "a key is shown once");
    assert.equal((await demo.post("/user/api-key/revoke", { id })).status, 200);
    assert.equal((await bearer.post("/user/info")).status, 401);
    assert.equal((await demo.post("/user/api-key/revoke", { id })).status, 404);
  });

  test("the console signs in, continues its session by its cookie and signs out", () =>
    consoleSessionJourney(anonymous, DEMO));

  test("a user lists its pipelines, and nobody else's", () => pipelineListJourney(demo, admin));

  test("a second factor is enrolled, asked for, used once and removed", async () => {
    const { body: enrolled } = await demo.post("/user/mfa/enroll");
    const totp = URI.parse(enrolled.otpauthUri);
    assert.ok(totp instanceof TOTP);
    assert.equal(totp.secret.base32, enrolled.secret);
    const code = totp.generate();
    const confirmed = await demo.post("/user/mfa/confirm", { code });
    assert.deepEqual(confirmed.body, { enabled: true });

    const first = await anonymous.post("/oauth/ro", { username: DEMO.email, password: DEMO.password });
    assert.equal(first.status, 403);
    assert.equal(first.body.error, "mfa_required");
    const { mfa_token } = first.body;
    assert.equal((await demo.as(mfa_token).post("/user/info")).status, 401, "it is no token");
    assert.equal((await anonymous.post("/oauth/mfa", { mfa_token, otp: code })).status, 401, "the code was used");
    // A code of the next half minute is taken already, so that the test need not wait for it.
    const otp = totp.generate({ timestamp: Date.now() + 30_000 });
    const second = await anonymous.post("/oauth/mfa", { mfa_token, otp });
    assert.equal(second.status, 200, JSON.stringify(second.body));
    assert.equal((await demo.as(second.body.id_token).post("/user/info")).body.email, DEMO.email);

    const disabled = await demo.post("/user/mfa/disable", { code: enrolled.recoveryCodes[0] });
    assert.deepEqual(disabled.body, { enabled: false });
    const { body: own } = await demo.post("/user/info");
    assert.deepEqual((await admin.post("/user/mfa/reset", { userId: own.id })).body, { removed: false });
    await anonymous.login(DEMO);
  });

  test("an operator makes an organisation, a group and users, changes them and reads who did what", async () =>
    organisationJourney({ admin, anonymous }));

  test("a pipeline can be cancelled and then fails with its code", async () => {
    const report = { maps: maps.map(({ mapId }: { mapId: string }) => mapId).slice(0, 2), title: "Cancelled" };
    const { body } = await demo.post("/mapsvc/pdf-report/initiate", report);
    const cancelled = await demo.post("/tasking/cancel", { pipelineId: body.pipelineId });
    assert.equal(cancelled.status, 200, "a report takes longer than the next request");
    const retrieved = await demo.post("/mapsvc/pdf-report/retrieve", { pipelineId: body.pipelineId });
    assert.deepEqual([retrieved.status, retrieved.body.error], [424, "PIPELINE-CANCELLED"]);
  });

  test("features are created once, found in both query languages, modified and removed", async () =>
    featureJourney({ demo }));

  test("a project is created, found by its folder, given maps, copied and deleted", () =>
    analysesJourney(demo, sceneId));

  test("a monitor is created, changed, paused and deleted", () => monitorJourney(demo));

  test("a search is kept, found, paused and deleted", () => standingQueryJourney(demo));

  test("administrators set contracts with tasking providers, and users order under them", () =>
    contractsJourney({ admin, demo }));

  test("a group fills a project of the datacube and reads it as of then, as aggregates and as a file", () =>
    datacubeJourney({ admin, demo }));

  test("administrators import element sets of satellites", async () => elementsJourney({ admin, demo }));

  test("a study finds windows of one and of several datasets, and a credit check answers the price of a window", () =>
    feasibilityJourney({ admin, demo }));

  test("orders are placed once in windows, listed, shown with their history and cancelled", () =>
    ordersJourney({ admin, demo }));

  test("a client of STAPI orders an opportunity by the links of the landing page", async () => {
    await stapiJourney({ admin, demo });
  });

  test("events of the caller are listed and followed", async () => eventsJourney(demo));

  test("a webhook is created, tested, changed and deleted", async () => webhooksJourney(demo));

  test("the documents are served and make no outside request", async () => {
    const page = await anonymous.get("/docs");
    assert.equal(page.status, 200);
    assert.doesNotMatch(await page.text(), /(?:src|href)="https?:/);
    const document = await readJson(await anonymous.get("/openapi.json"));
    assert.equal(document.openapi, "3.1.0");
  });

  test("every operation of the contract has been exercised with success above", async () => {
    const document = await readJson(await anonymous.get("/openapi.json"));
    assert.deepEqual(unaskedOperations(document.paths, demo.succeeded), []);
  });

  test("every request and answer above is as the document describes it", async () => {
    const document = await readJson(await anonymous.get("/openapi.json"));
    assert.ok(exchanges.length > 200, `${exchanges.length} exchanges`);
    assert.deepEqual(undocumented(document, exchanges), []);
    const examples = recordedExamples(document, exchanges, readExamples());
    // `npm run examples` writes them; a run that only tests leaves the committed ones alone.
    if (process.env["EXAMPLES"] === "write") writeFileSync(EXAMPLES_FILE, `${JSON.stringify(examples, null, 2)}\n`);
    assert.deepEqual(Object.keys(readExamples()), Object.keys(examples), "`npm run examples` writes the missing ones");
  });
});

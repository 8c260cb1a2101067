import assert from "node:assert/strict";
import { test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { asAdvised, follow, lastDays, PLACE, recordedClient } from "./recorded-client.ts";

const SEARCH = { provider: "gbdx", dataset: "idaho-pansharpened", extent: PLACE, ...lastDays(365) };

const client = await recordedClient();

test("tokens come from JSON and forms, with the members that clients read", async () => {
  const request = {
    client_id: "any",
    username: DEMO.email,
    password: DEMO.password,
    connection: "Username-Password-Authentication",
    grant_type: "password",
    scope: "openid",
  };
  const bodies = {
    "application/json": JSON.stringify(request),
    "application/x-www-form-urlencoded": new URLSearchParams(request).toString(),
  };
  for (const [type, body] of Object.entries(bodies)) {
    for (const [path, member] of [
      ["/oauth/ro", "id_token"],
      ["/oauth2/token", "access_token"],
    ]) {
      const answer = await fetch(`${client.baseUrl}${path}`, {
        method: "POST",
        headers: { "Content-Type": type },
        body,
      });
      const token = (await answer.json()) as Record<string, string>;
      assert.equal(token["token_type"], "bearer");
      const own = await client.as(token[member ?? ""] ?? null).post("/user/info");
      assert.equal(own.body.email, DEMO.email, `${path} as ${type}`);
    }
  }
});

test("a missing header, an unknown operation and a wrong method have the recorded codes", async () => {
  const anonymous = new RawClient(client.baseUrl);
  const missing = await anonymous.post("/imagery/search/initiate", SEARCH);
  assert.deepEqual([missing.status, missing.body.error], [401, "INVALID-AUTHORIZATION-HEADER"]);
  const unknown = await client.post("/imagery/nothing");
  assert.deepEqual([unknown.status, unknown.body.error], [404, "NON-EXISTENT-ENDPOINT"]);
  const method = await client.get("/imagery/scene-info");
  assert.equal(method.status, 405);
});

test("permissions are the literal strings that clients look for", async () => {
  const { permissions } = (await client.post("/user/info")).body;
  for (const literal of [
    "credits.allocate-area",
    "credits.check-area",
    "imagery.availability",
    "imagery.images",
    "imagery.scene-info",
    "ingest-scene",
    "mapsvc.dry-run",
    "mapsvc.release",
  ]) {
    assert.ok(permissions.includes(literal), literal);
  }
  assert.deepEqual(permissions, [...new Set<string>(permissions)].toSorted());
});

test("empty bodies, null members, unknown members and foreign members of GeoJSON are accepted", async () => {
  assert.ok(Array.isArray((await client.post("/mapsvc/map-types/list")).body));
  assert.equal((await client.post("/credits/get-remaining-credit")).status, 200);
  const extent = { type: "Feature", id: 7, crs: {}, properties: { note: 1 }, geometry: { ...PLACE, more: 1 } };
  const request = { ...SEARCH, extent, cursor: null, onlyIngested: null, minIntersection: null, forceRefresh: true };
  const { initiated, result } = await follow(client, "/imagery/search", { ...request, minintersection: 1 }, asAdvised);
  assert.equal(result.status, 200, JSON.stringify(result.body));
  assert.deepEqual(
    initiated.body.warnings.map(({ path, didYouMean }: Record<string, string>) => [path, didYouMean]),
    [["/minintersection", "minIntersection"]],
  );
});

test("a pipeline is followed without a token, reports its last step, and is retrieved by its operation only", async () => {
  const { initiated } = await follow(client, "/imagery/search", SEARCH, asAdvised);
  const { pipelineId } = initiated.body;
  const anonymous = new RawClient(client.baseUrl);
  const status = await anonymous.post("/tasking/get-status", { pipelineId, getProgress: true });
  assert.deepEqual(status.body.progress, { message: "Finalizing analysis", step: 6 });
  const other = await client.post("/mapsvc/release/retrieve", { pipelineId });
  assert.deepEqual([other.status, other.body.error], [400, "INVALID_PIPELINE_RESULT"]);
  const stranger = await client.post("/imagery/search/retrieve", { pipelineId: "x".repeat(20) });
  assert.deepEqual([stranger.status, stranger.body.error], [404, "NON-EXISTENT-PIPELINE"]);
});

test("a partial result of a pipeline that has just begun has the shape of a result", async () => {
  const { body } = await client.post("/imagery/search/initiate", SEARCH);
  const partial = await client.post("/imagery/search/retrieve", { pipelineId: body.pipelineId, allowPartial: true });
  assert.equal(partial.status, 200, JSON.stringify(partial.body));
  assert.ok(Array.isArray(partial.body.results));
  assert.ok("cursor" in partial.body);
});

test("names of a request come back: aliases in scenes, errors and listings", async () => {
  const { result } = await follow(client, "/imagery/search", { ...SEARCH, dataset: "idaho-swir" }, asAdvised);
  const [scene] = result.body.results;
  assert.deepEqual([scene.provider, scene.dataset], ["gbdx", "idaho-swir"]);
  assert.equal((await client.post("/imagery/scene-info", { sceneId: scene.sceneId })).status, 200);
  const fault = await client.post("/imagery/search/initiate", { ...SEARCH, dataset: "idaho" });
  assert.equal(fault.body.error, "DATASET-NOT-SUPPORTED-FOR-SEARCH");
  assert.match(fault.body.errorMessage, /"gbdx"/u);
  const area = { sceneIds: [scene.sceneId], geojson: PLACE };
  assert.equal((await client.post("/credits/area/allocate-geojson", area)).status, 200);
  const { body: allocations } = await client.post("/credits/group/list-allocations", { provider: ["gbdx"] });
  assert.deepEqual(
    allocations.results.map(({ provider }: { provider: string }) => provider),
    ["gbdx"],
  );
  const { body: types } = await client.post("/mapsvc/map-types/list", { provider: "gbdx" });
  assert.ok(types.length > 0);
  for (const { availableDatasets } of types) assert.deepEqual(Object.keys(availableDatasets), ["gbdx"]);
});

test("permissions that name an alias grant, and no other provider", async () => {
  const admin = await new RawClient(client.baseUrl).login(ADMIN);
  const { body: organization } = await admin.post("/organization/create", { name: "Existing client" });
  const { body: group } = await admin.post("/group/create", {
    organizationId: organization.id,
    name: "By alias",
    permissions: ["imagery.availability", "imagery.images.gbdx", "mapsvc.release", "algorithms.cars.gbdx"],
  });
  const password = "a password of eight or more";
  const made = await admin.post("/user/organization/create-user", {
    email: "alias@swath.example",
    password,
    name: "Alias",
    groupId: group.id,
    isManager: false,
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const user = await new RawClient(client.baseUrl).login({ email: "alias@swath.example", password });
  const { result } = await follow(user, "/imagery/search", SEARCH, asAdvised);
  assert.equal(result.body.results[0].downloadable, true);
  for (const provider of ["optical-legacy", "gbdx"]) {
    assert.equal((await user.post("/imagery/search/initiate", { ...SEARCH, provider })).status, 200);
  }
  const other = await user.post("/imagery/search/initiate", { ...SEARCH, provider: "iceye", dataset: "Spotlight_SLC" });
  assert.deepEqual([other.status, other.body.error], [401, "NOT-AUTHORIZED"]);
  const types = (await user.post("/mapsvc/map-types/list")).body.map(({ mapType }: { mapType: string }) => mapType);
  assert.deepEqual(types.toSorted(), ["cars", "imagery"]);
});

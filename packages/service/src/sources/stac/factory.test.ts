import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { systemClock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ManualTime } from "@swath/raster/remote/testing";
import type { SourceQuery } from "@swath/raster/source/scene-source";
import { stacSourceFactory } from "./factory.ts";
import { startStacServer } from "./testing/stac-server.ts";

const factory = stacSourceFactory({ clock: systemClock });
const found = createCatalog(providers).findDataset("ee", "COPERNICUS/S2_SR_HARMONIZED");
if (found === null) throw new Error("the dataset is in the registry");
const registered = found;
const settings = { url: "https://stac.example.com", collections: ["c"] };

test("the examples of the documentation are accepted but for the secret that is not there", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../../docs/stac.md"), "utf8");
  const [, section = ""] = /^## Examples\n([\s\S]*?)^## /mu.exec(text) ?? [];
  const examples = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]): Record<string, unknown> =>
    JSON.parse(json),
  );
  assert.equal(examples.length, 3);
  const faults = examples.map((example) => factory.check(example, registered));
  assert.deepEqual(faults.slice(0, 2), [[], []]);
  assert.match(faults[2]?.[0]?.message ?? "", /\/run\/secrets\/stac-token cannot be read, expected a secret in it/);
});

test("settings are refused with the place of what is wrong", () => {
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ collections: ["c"] }, ""],
    [{ ...settings, collections: [] }, "/collections"],
    [{ ...settings, hosts: ["example.com/path"] }, "/hosts/0"],
    [{ ...settings, url: "ftp://x" }, "/url"],
    [{ ...settings, url: "https://" }, "/url"],
    [{ ...settings, url: "https://data.example.com/catalog.json" }, "/url"],
    [{ ...settings, unknown: 1 }, ""],
    [{ ...settings, hosts: ["example.com:99999"] }, "/hosts"],
    [
      { ...settings, credentials: [{ kind: "sas", hosts: ["a.test"], tokenUrl: "https://a.test/token" }] },
      "/credentials",
    ],
  ];
  for (const [wrong, path] of cases) {
    const faults = factory.check(wrong, registered);
    assert.ok(
      faults.some((fault) => fault.path.startsWith(path)),
      `${JSON.stringify(wrong)}: ${JSON.stringify(faults)}`,
    );
  }
});

test("a source of accepted settings serves the dataset that they bind", async () => {
  assert.deepEqual(factory.check(settings, registered), []);
  await using source = factory.create(registered, settings);
  assert.equal(source.isComputed, false);
  assert.equal(await source.scene("ee.OTHER.x", new AbortController().signal), null);
});

function down(pattern: RegExp) {
  return (error: unknown): boolean => error instanceof ServiceError && pattern.test(error.message);
}

function queryOf(dataset: string): SourceQuery {
  return {
    provider: "ee",
    dataset,
    extent: { type: "MultiPolygon", coordinates: [] },
    boxes: [[0, 0, 1, 1]],
    fromMs: null,
    toMs: null,
    after: null,
    limit: 10,
  };
}

test("datasets of one host learn together that it is down", async () => {
  await using server = await startStacServer({ items: [] });
  server.intercept = (_request, response) => {
    response.writeHead(500).end();
    return true;
  };
  const time = new ManualTime();
  const together = stacSourceFactory({ clock: time, timers: time, random: () => 0.5 });
  const other = createCatalog(providers).findDataset("ee", "LANDSAT/LC08/C02/T1");
  assert.ok(other !== null);
  const local = { url: server.url, collections: ["c"], attempts: 4 };
  await using first = together.create(registered, local);
  await using second = together.create(other, local);
  const never = new AbortController().signal;
  for (let i = 0; i < 2; i += 1) {
    await assert.rejects(first.search(queryOf("COPERNICUS/S2_SR_HARMONIZED"), never), down(/answered 500/u));
  }
  const asked = server.requests.length;
  assert.equal(asked, 8);
  await assert.rejects(second.search(queryOf("LANDSAT/LC08/C02/T1"), never), down(/left alone/u));
  assert.equal(server.requests.length, asked);
});

test("the root of a static catalogue is refused with the kind that reads it", () => {
  const [fault] = factory.check({ ...settings, url: "https://data.example.com/catalog.json" }, registered);
  assert.equal(
    fault?.message,
    'got the file "https://data.example.com/catalog.json", expected the landing page of an API, ' +
      'or "kind": "stac-static" for a static catalogue',
  );
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { systemClock } from "../../platform/clock.ts";
import { stacSourceFactory } from "./factory.ts";

const factory = stacSourceFactory({ clock: systemClock });
const found = createCatalog(providers).findDataset("ee", "COPERNICUS/S2_SR_HARMONIZED");
if (found === null) throw new Error("the dataset is in the registry");
const registered = found;
const settings = { url: "https://stac.example.com", collections: ["c"] };

test("the examples of the documentation are accepted but for the secret that is not there", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../../docs/stac.md"), "utf8");
  const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]): Record<string, unknown> =>
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
  assert.equal(source.kind, "stac");
  assert.equal(await source.scene("ee.OTHER.x", new AbortController().signal), null);
});

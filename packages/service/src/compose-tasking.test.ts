import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "@swath/base/log/log";
import { catalogueFaults, configuredCatalogue, sourceFactories } from "./compose-sources.ts";
import { taskingFactories, taskingProviders } from "./compose-tasking.ts";

const deps = { clock: { now: () => new Date(Date.UTC(2026, 5, 1)) }, log: createLog("silent"), db: null };
const factories = sourceFactories(deps);
const kinds = taskingFactories({ ...deps, passes: null, speed: 1 });

const SENSORS = {
  preallocationAreaKm2: 25,
  swathKm: 12,
  maxOffNadirDeg: 30,
  satellites: [{ name: "ACME-1", catalogueNumber: 61001 }],
};

function documentWith(tasking: unknown, changes: object = {}): object {
  const visual = { name: "Visual", type: "optical", resolutionM: [0.5, 1], sensors: SENSORS, tasking, ...changes };
  return {
    stapi: { acme: { url: "https://stapi.acme.example", product: "shared" } },
    providers: { acme: { name: "Acme", datasets: { visual } } },
  };
}

function faultsOf(document: object): readonly string[] {
  return catalogueFaults({ path: "catalog.json", document }, factories, kinds).map((fault) =>
    fault.replace("catalog.json /providers/acme/datasets/visual", ""),
  );
}

test("a dataset names the API of its orders, whose shared settings it completes", () => {
  const own = { kind: "stapi", api: "acme", product: "visual-50cm" };
  const { taskingOf } = configuredCatalogue(
    { catalog: { path: "catalog.json", document: documentWith(own) } },
    factories,
    kinds,
  );
  assert.deepEqual(taskingOf("acme", "visual"), {
    kind: "stapi",
    settings: { url: "https://stapi.acme.example", product: "visual-50cm" },
  });
  assert.equal(taskingOf("ab", "pleiades"), null);
});

test("orders of a dataset go to the simulator unless the file says otherwise", async () => {
  const document = { providers: { ab: { datasets: { spot: { tasking: "none" } } } } };
  const catalogue = configuredCatalogue({ catalog: { path: "catalog.json", document } }, factories, kinds);
  const simulator = { ...kinds["simulator"], create: () => made } as unknown as NonNullable<(typeof kinds)[string]>;
  const made = { [Symbol.asyncDispose]: () => Promise.resolve() } as never;
  await using providers = taskingProviders(catalogue, { ...kinds, simulator });
  assert.equal(providers.providerOf("ab", "pleiades"), made);
  assert.equal(providers.providerOf("ab", "spot"), null);
});

test("faults of tasking name the place and the value expected", () => {
  assert.deepEqual(faultsOf(documentWith({ kind: "stappi" })), [
    '/tasking: there is no tasking "stappi", expected one of none, simulator, stapi',
  ]);
  assert.deepEqual(faultsOf(documentWith({ kind: "stapi", api: "acmee" })), [
    '/tasking/api: there is no "acmee" under /stapi',
  ]);
  assert.deepEqual(faultsOf(documentWith({ kind: "none", url: "x" })), [
    '/tasking/url: got a setting, expected none for "none"',
  ]);
  const [misspelt] = faultsOf(documentWith({ kind: "stapi", api: "acme", paramters: {} }));
  assert.match(misspelt ?? "", /^\/tasking: got the member "paramters", did you mean "parameters"\?/u);
  const [parameter] = faultsOf(documentWith({ kind: "stapi", api: "acme", parameters: { tier: { from: "tier" } } }));
  assert.match(parameter ?? "", /^\/tasking\/parameters\/tier/u);
  const secret = { kind: "bearer", hosts: ["stapi.acme.example"], token: { env: "SWATH_TEST_MISSING" } };
  const [missing] = faultsOf(documentWith({ kind: "stapi", api: "acme", credentials: [secret] }));
  assert.match(missing ?? "", /^\/tasking\/credentials: .*SWATH_TEST_MISSING/u);
  assert.deepEqual(faultsOf(documentWith({ kind: "stapi", api: "acme" }, { sensors: undefined })), [
    '/tasking: got no "sensors" for the dataset "visual", which orders of it need',
  ]);
  assert.deepEqual(faultsOf(documentWith("stapi")).length, 2, "no url and no product");
});

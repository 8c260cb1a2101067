import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

/** A group fills a project: areas, datapoints, a correction; it reads them as of then, as aggregates and as a file. */
export async function datacubeJourney({ admin, demo }: Readonly<Record<"admin" | "demo", RawClient>>): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await demo.post(`/datacube/${path}`, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer;
  };
  const project = "crops";
  assert.equal((await post("project/create-or-update", { project, name: "Crops" })).created, true);
  const geometry = { type: "Polygon", coordinates: [[[14, 50], [14.1, 50], [14.1, 50.1], [14, 50.1], [14, 50]]] }; // prettier-ignore
  const aois = [{ aoiId: "north-field", name: "North field", geometry, tags: ["rye"], countryCode: "CZ" }];
  await post("aois/create-or-update", { project, aois });
  const [aoi] = (await post("aois/get", { project, includeGeometry: true })).results;
  assert.deepEqual([aoi.aoiId, aoi.countryCode, aoi.geometry.type], ["north-field", "CZ", "MultiPolygon"]);

  const point = { algorithm: "ndvi_mean", source: "sentinel_2", aoiId: "north-field" };
  const datapoints = [0.4, 0.6].map((value, month) => ({ ...point, startDatetime: `2024-0${5 + month}-01`, value }));
  assert.deepEqual(await post("datapoints/append", { project, datapoints }), { written: 2, known: 0 });
  assert.deepEqual(await post("datapoints/append", { project, datapoints }), { written: 0, known: 2 });
  const before = await post("datapoints/get", { project });
  const other = [{ ...datapoints[0], value: 0.5 }];
  const refused = await demo.post("/datacube/datapoints/append", { project, datapoints: other });
  assert.deepEqual([refused.status, refused.body.error], [409, "CONFLICT"]);
  await post("datapoints/append", { project, datapoints: [{ ...other[0], version: "2" }] });

  const now = await post("datapoints/get", { project, extent: geometry });
  assert.deepEqual(now.results.map(({ value }: { value: number }) => value), [0.5, 0.6]); // prettier-ignore
  assert.deepEqual(await post("datapoints/get", { project, asOf: before.asOf }), before);
  const aggregate = { interval: "month", statistic: "mean", by: "all" };
  assert.equal((await post("datapoints/get", { project, aggregate })).results.length, 2);
  const catalogue = await post("catalogue/get", {});
  assert.deepEqual(catalogue["ndvi_mean"], catalogue.results);
  assert.deepEqual([catalogue.results[0].datapointCount, catalogue.results[0].latestVersion], [3, "2"]);

  const filters = [{ field: "project", type: "value-list", params: { values: [project] } }];
  const { body: file } = await demo.run("/datacube/datapoints/get", { filters, keepDuplicates: true });
  assert.equal(file.count, 3, JSON.stringify(file));
  const csv = await (await fetch(file.csvLink)).text();
  assert.equal(csv.trimEnd().split("\r\n").length, 4);

  const productId = "crop-index";
  const inputs = [{ project, algorithm: "ndvi_mean", weight: 1 }];
  const definition = { name: "Crop index", inputs, formula: "pmi-50", sample: { from: "2024-05", to: "2024-05" } };
  const defined = await admin.post("/datacube/product/define", { productId, definition });
  assert.deepEqual(defined.body, { productId, revision: 1 });
  const [listed] = (await post("product-catalogue/get", {})).results;
  assert.deepEqual([listed.productId, listed.historyStart, listed.sampleAvailable], [productId, "2024-05", true]);
  // Two months, one deviation below and above their mean.
  const { series } = await post("product/get", { productId });
  assert.deepEqual(series.map(({ period, value }: { period: string; value: number }) => [period, Math.round(value)]), [["2024-05", 40], ["2024-06", 60]]); // prettier-ignore
  assert.deepEqual((await post("product/sales-info/get", { productId })).sample, definition.sample);
}

/**
 * Runs suites and clients of the standards against a service: `npm run test:standards`. With `--write` it also writes
 * the table of `docs/standards.md`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boundsPolygon } from "../../packages/kernel/src/geometry/bounds-polygon.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { makeCoastMap, type CoastMap } from "./coast-map.ts";
import { runExamples } from "./examples-suite.ts";
import { readRastersWithGdal } from "./gdal-suite.ts";
import { keepItems, loadPixels } from "./load-suites.ts";
import { runNotebook } from "./notebook-suite.ts";
import { standardsPython } from "./python-environment.ts";
import { renderWithQgis } from "./qgis-suite.ts";
import { askDocuments } from "./schemathesis-suite.ts";
import { readParquet, readWithGdal, searchWithPystac, validateStac, type StacTarget } from "./stac-suites.ts";
import { tableOf, type StandardRun } from "./standard-run.ts";
import { stapiSuites } from "./stapi-suites.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "standards.md");
const MARK = "<!-- runs -->";
const DATASET = { provider: "pl", dataset: "PSScene4Band_tile" } as const;
const AREA = boundsPolygon([14.4, 50.1, 14.41, 50.106]);

await using service = await ServiceProcess.start();
await using work = await mkdtempDisposable(join(tmpdir(), "swath-standards-"));
const demo = await new RawClient(service.baseUrl).login(DEMO);
const target = await prepareStac(demo);
const coast = await makeCoastMap(demo, work.path);
const python = standardsPython();
const runs: StandardRun[] = [];
if (python === null) {
  const result = "needs Python 3 with venv, and PyPI at its first use";
  for (const client of ["stac-api-validator", "pystac-client", "odc-stac", "stackstac", "rustac", "notebook"]) {
    runs.push({ client, ran: "", outcome: "not installed", result });
  }
} else {
  runs.push(
    await validateStac(python, target),
    await searchWithPystac(python, target),
    ...(await loadPixels(python, target, coast)),
    await readParquet(python, target),
    await keepItems(python, target, target.items),
    await runNotebook(python, demo),
  );
}
runs.push(
  await readWithGdal(target, target.items),
  ...(await readRastersWithGdal(target, coast, work.path)),
  ...(await renderWithQgis(target, target.items, coast, { cogUrl: await pictureCog(demo, coast), folder: work.path })),
  ...(await runExamples(target, coast, work.path)),
  ...(await stapiSuites()),
  ...(await askDocuments(service.baseUrl, target.token, work.path)),
);
const table = tableOf(runs);
process.stdout.write(`\n${table}`);
if (process.argv.includes("--write")) {
  const [before, , after] = readFileSync(PAGE, "utf8").split(MARK);
  writeFileSync(PAGE, `${before}${MARK}\n\n${table}\n${MARK}${after}`);
}
process.exitCode = runs.some(({ outcome }) => outcome === "failed") ? 1 : 0;

/** Makes scenes of a simulated dataset known to the service by a search. */
async function prepareStac(client: RawClient): Promise<StacTarget & { readonly items: number }> {
  const { baseUrl } = client;
  const search = { datasets: [DATASET], extent: AREA, startDatetime: "2024-05-01 00:00:00" };
  const found = await client.run("/imagery/search", { ...search, endDatetime: "2024-07-20 00:00:00" });
  if (found.status !== 200) throw new Error(`the search failed: ${JSON.stringify(found.body)}`);
  const collection = "pl.PSScene4Band_tile";
  const answer = await client.get(`/stac/search?collections=${collection}&limit=1`);
  const { features, numberMatched } = JSON.parse(await answer.text());
  const { "eo:cloud_cover": cloudCover, "swath:bands": bands, title } = features[0].properties;
  const titleStart = String(title).slice(0, 4);
  return {
    rootUrl: `${baseUrl}/stac`,
    token: client.token ?? "",
    collection,
    geometry: AREA,
    titleStart,
    cloudCover,
    band: bands[0],
    items: numberMatched,
  };
}

/** Address of the picture of the map as a cloud optimized GeoTIFF, with the pixels of its tiles. */
async function pictureCog(client: RawClient, { mapId, tile: [zoom] }: CoastMap): Promise<string> {
  const { body, status } = await client.run("/mapsvc/export", { mapId, gridFile: "visu-geotiff", grid: "web", zoom });
  if (status !== 200) throw new Error(`the export failed: ${JSON.stringify(body)}`);
  return body.url;
}

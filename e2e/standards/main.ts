/**
 * Runs suites and clients of the standards against a service: `npm run test:standards`. With `--write` it also writes
 * the table of `docs/standards.md`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boundsPolygon } from "../../packages/kernel/src/geometry/bounds-polygon.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { standardsPython } from "./python-environment.ts";
import { readParquet, readWithGdal, searchWithPystac, validateStac, type StacTarget } from "./stac-suites.ts";
import { tableOf, type StandardRun } from "./standard-run.ts";
import { stapiSuites } from "./stapi-suites.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "standards.md");
const MARK = "<!-- runs -->";
const DATASET = { provider: "pl", dataset: "PSScene4Band_tile" } as const;
const AREA = boundsPolygon([14.4, 50.1, 14.41, 50.106]);

await using service = await ServiceProcess.start();
const target = await prepareStac(service);
const python = standardsPython();
const runs: StandardRun[] = [];
if (python === null) {
  const result = "needs Python 3 with venv, and PyPI at its first use";
  for (const client of ["stac-api-validator", "pystac-client", "rustac"]) {
    runs.push({ client, ran: "", outcome: "not installed", result });
  }
} else {
  runs.push(
    await validateStac(python, target),
    await searchWithPystac(python, target),
    await readParquet(python, target),
  );
}
runs.push(await readWithGdal(target, target.items));
runs.push(...(await stapiSuites()));
const table = tableOf(runs);
process.stdout.write(`\n${table}`);
if (process.argv.includes("--write")) {
  const [before, , after] = readFileSync(PAGE, "utf8").split(MARK);
  writeFileSync(PAGE, `${before}${MARK}\n\n${table}\n${MARK}${after}`);
}
process.exitCode = runs.some(({ outcome }) => outcome === "failed") ? 1 : 0;

/** Makes scenes of a simulated dataset known to the service by a search. */
async function prepareStac({ baseUrl }: ServiceProcess): Promise<StacTarget & { readonly items: number }> {
  const demo = await new RawClient(baseUrl).login(DEMO);
  const search = { datasets: [DATASET], extent: AREA, startDatetime: "2024-05-01 00:00:00" };
  const found = await demo.run("/imagery/search", { ...search, endDatetime: "2024-07-20 00:00:00" });
  if (found.status !== 200) throw new Error(`the search failed: ${JSON.stringify(found.body)}`);
  const collection = "pl.PSScene4Band_tile";
  const answer = await demo.get(`/stac/search?collections=${collection}&limit=1`);
  const { features, numberMatched } = JSON.parse(await answer.text());
  const { "eo:cloud_cover": cloudCover, "swath:bands": bands, title } = features[0].properties;
  const titleStart = String(title).slice(0, 4);
  return {
    rootUrl: `${baseUrl}/stac`,
    token: demo.token ?? "",
    collection,
    geometry: AREA,
    titleStart,
    cloudCover,
    band: bands[0],
    items: numberMatched,
  };
}

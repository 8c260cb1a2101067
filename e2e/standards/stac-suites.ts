import { join } from "node:path";
import { finished } from "./finished.ts";
import { PACKAGES } from "./python-environment.ts";
import type { StandardRun } from "./standard-run.ts";

const HERE = import.meta.dirname;

/** A STAC API with items of one collection. */
export interface StacTarget {
  readonly rootUrl: string;
  readonly token: string;
  readonly collection: string;
  /** GeoJSON that some items meet. */
  readonly geometry: object;
  /** Text that begins the title of an item. */
  readonly titleStart: string;
  /** Values that an item has. */
  readonly cloudCover: number;
  readonly band: string;
}

/** Classes that are asked for, and the words by which the log says that a class was tested. */
const CLASSES: Readonly<Record<string, string>> = {
  core: "STAC API - Core",
  children: "STAC API - Children",
  collections: "STAC API - Collections",
  features: "STAC API - Features",
  "item-search": "STAC API - Item Search",
  "item-search#fields": "Item Search - Fields extension",
  "item-search#sort": "Item Search - Sort extension",
  "item-search#query": "Item Search - Query extension",
  "features#fields": "Features - Fields extension",
  "features#sort": "Features - Sort extension",
  filter: "Item Search - Filter Extension",
};

/** Validates the API with the suite of the STAC community, whose log must name each class. */
export async function validateStac(python: string, target: StacTarget): Promise<StandardRun> {
  const client = `stac-api-validator ${PACKAGES["stac-api-validator"]}`;
  const { band, cloudCover, collection, geometry, rootUrl, titleStart, token } = target;
  const options = {
    "root-url": rootUrl,
    collection,
    geometry: JSON.stringify(geometry),
    "auth-bearer-token": token,
    "fields-nested-property": "properties.eo:cloud_cover",
    "query-comparison-field": "eo:cloud_cover",
    "query-eq-value": String(cloudCover),
    "query-neq-value": "10",
    "query-lt-value": "50",
    "query-lte-value": "50",
    "query-gt-value": "5",
    "query-gte-value": "5",
    "query-substring-field": "title",
    "query-starts-with-value": titleStart,
    "query-ends-with-value": "1",
    "query-contains-value": titleStart.slice(1, 3),
    "query-in-field": "swath:bands",
    "query-in-values": `${band},other`,
  };
  const { log } = await finished(python, [
    join(HERE, "stac_validator_offline.py"),
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...Object.keys(CLASSES).flatMap((name) => ["--conformance", name]),
  ]);
  const [, errors = "no end of the run"] = log.split(/^Errors:/mu);
  const untested = Object.entries(CLASSES).flatMap(([name, words]) => (log.includes(words) ? [] : [name]));
  const ran = `${Object.keys(CLASSES).length} conformance classes`;
  if (untested.length > 0) return { client, ran, outcome: "failed", result: `not tested: ${untested.join(", ")}` };
  if (errors.trim().startsWith("none")) return { client, ran, outcome: "passed", result: "Errors: none" };
  process.stdout.write(`${errors.slice(0, 8000)}\n`);
  return { client, ran, outcome: "failed", result: `${errors.match(/^- /gmu)?.length ?? 1} errors` };
}

/** Searches with pystac-client: pages, filters, order, places. */
export async function searchWithPystac(python: string, target: StacTarget): Promise<StandardRun> {
  const client = `pystac-client ${PACKAGES["pystac-client"]}`;
  const ran = "collections, pages, CQL2 text and JSON, order, bbox";
  const { code, log } = await finished(python, [
    join(HERE, "pystac_searches.py"),
    target.rootUrl,
    target.token,
    target.collection,
  ]);
  const [last = ""] = log.trim().split("\n").slice(-1);
  return { client, ran, outcome: code === 0 ? "passed" : "failed", result: last.slice(0, 200) };
}

/** Reads a Parquet file of the items with rustac and compares them with the items of the search. */
export async function readParquet(python: string, target: StacTarget): Promise<StandardRun> {
  const client = `rustac ${PACKAGES.rustac}`;
  const { code, log } = await finished(python, [
    join(HERE, "read_geoparquet.py"),
    target.rootUrl,
    target.token,
    target.collection,
  ]);
  const [last = ""] = log.trim().split("\n").slice(-1);
  return { client, ran: "STAC-GeoParquet", outcome: code === 0 ? "passed" : "failed", result: last.slice(0, 200) };
}

/** Reads the items as OGC API Features with GDAL, all pages. */
export async function readWithGdal(target: StacTarget, expected: number): Promise<StandardRun> {
  const version = await finished("ogrinfo", ["--version"]);
  const client = /GDAL [\d.]+/u.exec(version.log)?.[0] ?? "GDAL";
  const ran = "OAPIF: every item of the collection";
  if (version.code !== 0) return { client, ran, outcome: "not installed", result: "needs gdal-bin" };
  const { code, log } = await finished("ogrinfo", [
    "-q",
    "-al",
    "-geom=NO",
    "--config",
    "GDAL_HTTP_HEADERS",
    `Authorization: Bearer ${target.token}`,
    "-oo",
    "PAGE_SIZE=10",
    `OAPIF:${target.rootUrl}`,
    target.collection,
  ]);
  const features = log.match(/^OGRFeature/gmu)?.length ?? 0;
  const isWhole = code === 0 && features === expected;
  if (!isWhole) process.stdout.write(`${log.slice(0, 4000)}\n`);
  return { client, ran, outcome: isWhole ? "passed" : "failed", result: `${features} of ${expected} items` };
}

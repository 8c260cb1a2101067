/**
 * `npm run bench -- NAME` measures one thing against a peer or a limit in the same run and prints the
 * figure last, as `NAME ratio 3.21 (against PEER)` or `NAME p95 12.3 ms`. See bench/README.md.
 */
const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  baselines: () => import("./baselines.ts"),
  cfar: () => import("./cfar.ts"),
  console: () => import("./console.ts"),
  "feature-index": () => import("./feature-index.ts"),
  fairness: () => import("./fairness.ts"),
  feasibility: () => import("./feasibility.ts"),
  features: () => import("./features.ts"),
  "grid-files": () => import("./grid-files.ts"),
  http: () => import("./http.ts"),
  ingest: () => import("./ingest.ts"),
  "land-cover": () => import("./land-cover.ts"),
  "land-cover-planes": () => import("./land-cover-planes.ts"),
  ledger: () => import("./ledger.ts"),
  mosaic: () => import("./mosaic.ts"),
  "merged-search": () => import("./merged-search.ts"),
  permissions: () => import("./permissions.ts"),
  pipelines: () => import("./pipelines.ts"),
  precipitation: () => import("./precipitation.ts"),
  raster: () => import("./raster.ts"),
  release: () => import("./release.ts"),
  remote: () => import("./remote.ts"),
  requests: () => import("./requests.ts"),
  search: () => import("./search.ts"),
  "standing-queries": () => import("./standing-queries.ts"),
  stac: () => import("./stac.ts"),
  "stac-import": () => import("./stac-import.ts"),
  start: () => import("./start.ts"),
  statistics: () => import("./zonal-statistics.ts"),
  tiles: () => import("./tiles.ts"),
  world: () => import("./world.ts"),
};

const [name = ""] = process.argv.slice(2);
const load = BENCHES[name];
if (load === undefined) {
  process.stderr.write(`unknown bench "${name}": expected one of ${Object.keys(BENCHES).join(", ")}\n`);
  process.exit(2);
}
const bench = await load();
await bench.run();

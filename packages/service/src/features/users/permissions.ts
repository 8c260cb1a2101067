/** Every right of the service's own operations, one by one: some clients look for exact members of the list. */
const OPERATIONS = [
  "algorithms",
  "analytics.analysis.download.report",
  "credits.allocate-area",
  "credits.check-area",
  "credits.export-usage",
  "credits.list-group-allocations",
  "credits.list-group-transactions",
  "credits.list-user-transactions",
  "credits.user-info",
  "geojson.feature.delete",
  "geojson.feature.get",
  "geojson.feature.list",
  "geojson.feature.save",
  "geojson.geometry.get",
  "geojson.geometry.save",
  "geojsondb.create",
  "geojsondb.delete",
  "geojsondb.get",
  "geojsondb.modify",
  "geojsondb.search",
  "imagery.availability",
  "imagery.images",
  "imagery.scene-info",
  "ingest-scene",
  "mapsvc.download-unclipped",
  "mapsvc.dry-run",
  "mapsvc.release",
  "store.ingested",
] as const;

/** What the demonstration user may do: everything that is not administration. */
export const DEMO_PERMISSIONS: readonly string[] = OPERATIONS;

/** What administrators may do. */
export const ADMINISTRATOR_PERMISSIONS: readonly string[] = [
  "admin",
  ...OPERATIONS,
  "credits",
  "geojson",
  "geojsondb",
  "imagery",
  "mapsvc",
  "organization",
  "store",
];

import { mbr } from "@swath/kernel/geometry/mbr";
import { lonLatToWebMercator } from "@swath/kernel/crs/web-mercator";
import type { Tile } from "@swath/kernel/tiles/tile";
import type { GridFile, GridRenderer } from "@swath/maps/render/grid-renderer";
import type { ExportRequest } from "@swath/contract/features/maps/export-contract";
import type { Clock } from "@swath/base/clock";
import type { Catalog } from "../../../providers/catalog.ts";
import type { DownloadBody } from "../../../platform/downloads/downloads.ts";
import { fileBody } from "../../../platform/downloads/file-body.ts";
import { createGeoPackage, type GeoPackage } from "../../../platform/geopackage/geopackage.ts";
import { openWorkSpool } from "../../../platform/uploads/work-spool.ts";
import { tileSidePx } from "../grid.ts";
import { plainBounds } from "../tilesets/map-tileset.ts";
import { drawFile } from "./draw-file.ts";
import { clampLatitude } from "./export-plan.ts";
import { featureTable } from "./feature-table.ts";
import { addFeatures, addTiles } from "./geopackage-file.ts";
import { drawPicture } from "./picture-file.ts";
import { planExport, type PlanExportDeps, type PlannedExport } from "./planned-export.ts";
import { drawPmtiles } from "./pmtiles-file.ts";
import { tilesOfArea, withAncestors } from "./pyramid-tiles.ts";

export interface TileArchiveDeps extends PlanExportDeps {
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly clock: Clock;
  readonly renderer: Pick<GridRenderer, "render">;
}

/** A place to make a file, and the end of the work. */
export interface WorkPlace<Made> {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly keep: (body: DownloadBody) => Promise<Made>;
}

/** @returns null when the map has no valid pixel */
export async function makePmtiles<Made>(
  deps: TileArchiveDeps,
  planned: PlannedExport,
  { folder, signal, keep }: WorkPlace<Made>,
): Promise<Made | null> {
  const { loaded, fileName } = planned;
  const { title, description, attribution } = describeMap(deps, planned);
  await using spool = await openWorkSpool(folder);
  const archive = await drawPmtiles(
    spool,
    await tilesOfPyramid(planned, signal),
    {
      tileType: fileName.endsWith(".webp") ? "webp" : "png",
      bounds: plainBounds(mbr(loaded.clip)),
      metadata: { name: title, description, attribution, type: "overlay", tileSize: tileSidePx(loaded) },
    },
    tileDrawer(deps, planned, signal),
  );
  return archive === null ? null : await keep(archive);
}

/** @returns null when the map has neither a valid pixel nor a list of features */
export async function makeGeoPackage<Made>(
  deps: TileArchiveDeps,
  planned: PlannedExport,
  request: ExportRequest,
  { folder, signal, keep }: WorkPlace<Made>,
): Promise<Made | null> {
  using file = createGeoPackage(folder, deps.clock.now().toISOString());
  let filled = planned.form === "pyramid" ? await packTiles(deps, file, planned, signal) : 0;
  if (planned.loaded.mapType.gridFiles.geojson !== undefined) {
    filled += await packFeatures(deps, file, planned, request, signal);
  }
  return filled === 0 ? null : await keep(await fileBody(file.finish()));
}

/** @returns how many tiles have data */
async function packTiles(
  deps: TileArchiveDeps,
  file: GeoPackage,
  planned: PlannedExport,
  signal: AbortSignal,
): Promise<number> {
  const { loaded } = planned;
  const [west, south, east, north] = plainBounds(mbr(loaded.clip));
  const { title, description } = describeMap(deps, planned);
  return await addTiles(
    file,
    {
      table: "tiles",
      title,
      description,
      tileSidePx: tileSidePx(loaded),
      bounds: [
        ...lonLatToWebMercator(west, clampLatitude(south)),
        ...lonLatToWebMercator(east, clampLatitude(north)),
      ] as const,
    },
    await tilesOfPyramid(planned, signal),
    tileDrawer(deps, planned, signal),
  );
}

/** @returns 1: an empty list of features says something, too */
async function packFeatures(
  deps: TileArchiveDeps,
  file: GeoPackage,
  planned: PlannedExport,
  { mapId, zoom }: ExportRequest,
  signal: AbortSignal,
): Promise<number> {
  const { title, description } = describeMap(deps, planned);
  const asFeatures = { mapId, gridFile: "geojson" } as const;
  const drawn =
    planned.form === "pyramid"
      ? await planExport(deps, asFeatures, signal)
      : await planExport(deps, zoom === undefined ? asFeatures : { ...asFeatures, zoom }, signal);
  const table = featureTable((await drawPicture(deps.renderer, drawn, signal)) ?? EMPTY);
  await addFeatures(file, { table: "features", title: `${title}: features`, description }, table, signal);
  return 1;
}

const EMPTY = new TextEncoder().encode('{"features":[]}');

async function tilesOfPyramid({ loaded, zoom }: PlannedExport, signal: AbortSignal): Promise<readonly Tile[]> {
  return withAncestors((await tilesOfArea(loaded.clip, zoom ?? 0, signal)).tiles);
}

function tileDrawer(
  { renderer }: TileArchiveDeps,
  { loaded, fileName }: PlannedExport,
  signal: AbortSignal,
): (tile: Tile) => Promise<GridFile> {
  const sizePx = tileSidePx(loaded);
  return ([z, x, y]) => drawFile(renderer, loaded, fileName, { kind: "tile", z, x, y, sizePx }, signal);
}

function describeMap(
  { catalog }: TileArchiveDeps,
  { loaded: { mapType, stored } }: PlannedExport,
): { readonly title: string; readonly description: string; readonly attribution: string } {
  const { datetime, dataset, provider, satellite } = stored.scene;
  return {
    title: `${mapType.longName}, ${datetime.slice(0, 10)}`,
    description: `${satellite}, ${datetime} UTC, ${provider} ${dataset}`,
    attribution: catalog.findDataset(provider, dataset)?.dataset.attribution ?? "",
  };
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineHandler } from "../../../platform/context.ts";
import { zipOf, type ZipEntry } from "@swath/raster/archive/zip";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import type { GridFile, GridRenderer } from "@swath/maps/render/grid-renderer";
import { mosaicCog } from "@swath/raster/encode/mosaic-cog";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { downloadName } from "../downloads/download-name.ts";
import type { Downloads } from "../downloads/downloads.ts";
import { tileSidePx } from "../grid.ts";
import { drawingOf } from "../grid-files/drawing.ts";
import type { LoadedMap, MapLoader } from "../grid-files/load-map.ts";
import type { ListedTile, MapIdSigner } from "../signed-map-id.ts";
import type { ExportRequest, ExportResult } from "@swath/contract/features/maps/export-contract";
import {
  BLOCK_PX,
  blockCount,
  blocksOf,
  MAX_MOSAIC_BLOCKS,
  MAX_PICTURE_SIDE_PX,
  MAX_ZIP_TILES,
  pixelGridOf,
  pyramidOf,
  tilesOf,
} from "./export-plan.ts";

export interface ExportDeps {
  readonly signer: MapIdSigner;
  readonly loadMap: MapLoader;
  readonly renderer: Pick<GridRenderer, "render">;
  readonly downloads: Pick<Downloads, "keep">;
}

interface Export {
  readonly loaded: LoadedMap;
  readonly listed: readonly ListedTile[];
  readonly fileName: string;
  readonly form: "mosaic" | "picture" | "tiles";
  readonly zoom: number;
}

/** A file is in memory until it is in the store. */
const MAX_EXPORT_BYTES = 128 * 1024 * 1024;
/** Files drawn at once: the threads always have the next one waiting. */
const DRAWN_AT_ONCE = 4;

const FORMS: Readonly<Partial<Record<ExportRequest["gridFile"], Export["form"]>>> = {
  geotiff: "mosaic",
  "visu-geotiff": "mosaic",
  zip: "tiles",
};

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path: `/${path}`, message }] });
}

/** Of several files of a kind the one that shows all there is: all classes rather than one, metadata rather than areas. */
function fileOf(mapType: MapTypeDescriptor, { gridFile, fileName }: ExportRequest): string {
  const names = mapType.gridFiles[gridFile] ?? [];
  if (names.length === 0) {
    const kinds = Object.keys(mapType.gridFiles).join(", ");
    refuse("gridFile", `got ${gridFile}, which ${mapType.id} does not have; expected one of ${kinds}`);
  }
  if (fileName !== undefined) {
    if (!names.includes(fileName)) refuse("fileName", `got ${fileName}, expected one of ${names.join(", ")}`);
    return fileName;
  }
  const { rendering } = mapType;
  const shows = (kind: string): string | undefined =>
    rendering.kind === "result" ? names.find((name) => rendering.products[name]?.kind === kind) : undefined;
  return shows("segmentation") ?? shows("values") ?? names.find((name) => name === "metadata.json") ?? names[0]!;
}

/** How much of what is bounded a zoom takes. */
async function sizeAt(
  { loaded, listed, form }: Omit<Export, "zoom">,
  zoom: number,
  signal: AbortSignal,
): Promise<readonly [got: number, most: number]> {
  if (form === "tiles") return [(await tilesOf(loaded.clip, listed, zoom, signal)).count, MAX_ZIP_TILES];
  const grid = pixelGridOf(loaded.clip, zoom, tileSidePx(loaded));
  return form === "mosaic"
    ? [blockCount(grid), MAX_MOSAIC_BLOCKS]
    : [Math.max(grid.widthPx, grid.heightPx), MAX_PICTURE_SIDE_PX];
}

const UNITS = { mosaic: `blocks of ${BLOCK_PX} pixels`, picture: "pixels on the longer side", tiles: "tiles" } as const;

async function zoomOf(wanted: Omit<Export, "zoom">, zoom: number | undefined, signal: AbortSignal): Promise<number> {
  const { maxZoom } = wanted.loaded.map;
  const least = wanted.form === "tiles" ? Math.min(...wanted.listed.map((tile) => tile.zoom)) : 0;
  if (zoom === undefined) {
    for (let z = maxZoom; z > least; z--) {
      const [got, most] = await sizeAt(wanted, z, signal);
      if (got <= most) return z;
    }
    return least;
  }
  if (zoom < least || zoom > maxZoom) refuse("zoom", `got ${zoom}, expected ${least} to ${maxZoom}`);
  const [got, most] = await sizeAt(wanted, zoom, signal);
  if (got > most) refuse("zoom", `${zoom} makes ${got} ${UNITS[wanted.form]}, expected at most ${most}`);
  return zoom;
}

async function inOrder<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      made[index] = await make(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(DRAWN_AT_ONCE, items.length) }, work));
  return made;
}

function noData(): ServiceError {
  return new ServiceError("ZERO-TILES-AVAILABLE", "the map has no valid pixel in its area");
}

function byteBudget(): (file: GridFile) => GridFile {
  let total = 0;
  return (file) => {
    total += file.kind === "file" ? file.body.byteLength : 0;
    if (total <= MAX_EXPORT_BYTES) return file;
    throw new ServiceError(
      "IMAGE-TOO-LARGE",
      `the file has more than ${MAX_EXPORT_BYTES} bytes: export it at a lower zoom or in parts`,
    );
  };
}

export function createExport(deps: ExportDeps): PipelineHandler<ExportRequest, ExportResult> {
  return {
    async prepare(request, { signal }) {
      await planExport(deps, request, signal);
    },
    async run(request, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const planned = await planExport(deps, request, job.signal);
      await job.report({ message: "Analyzing", step: 5 });
      const make = MAKERS[planned.form];
      const body = await make(deps, planned, job.signal);
      await job.report({ message: "Finalizing analysis", step: 6 });
      const [name, mediaType] = downloadOf(planned, request.gridFile);
      return { result: await deps.downloads.keep(job, { fileName: downloadName(name), mediaType, body }) };
    },
  };
}

/** @throws {ServiceError} INVALID-MAP-ID, VALIDATION-ERROR */
async function planExport(deps: ExportDeps, request: ExportRequest, signal: AbortSignal): Promise<Export> {
  const claims = await deps.signer.verify(request.mapId);
  const loaded = await deps.loadMap(claims.mapId, "-");
  const fileName = fileOf(loaded.mapType, request);
  const wanted = { loaded, listed: claims.tiles, fileName, form: FORMS[request.gridFile] ?? "picture" } as const;
  return { ...wanted, zoom: await zoomOf(wanted, request.zoom, signal) };
}

async function draw(
  { renderer }: ExportDeps,
  loaded: LoadedMap,
  name: string,
  window: GridWindow,
  signal: AbortSignal,
): Promise<GridFile> {
  signal.throwIfAborted();
  return await renderer.render(await drawingOf(loaded, name, window, {}).request(), signal);
}

async function mosaic(deps: ExportDeps, { loaded, fileName, zoom }: Export, signal: AbortSignal): Promise<Uint8Array> {
  const levels = pyramidOf(pixelGridOf(loaded.clip, zoom, tileSidePx(loaded)));
  const within = byteBudget();
  const drawn = await inOrder(
    levels.flatMap((grid, level) => blocksOf(grid).map((block) => ({ level, block }))),
    async ({ level, block }) => ({ level, file: within(await draw(deps, loaded, fileName, block, signal)) }),
  );
  const [full] = levels;
  const body = mosaicCog(
    levels.map(({ widthPx, heightPx }, level) => ({
      widthPx,
      heightPx,
      blocks: drawn.filter((one) => one.level === level).map(({ file }) => (file.kind === "file" ? file.body : null)),
    })),
    BLOCK_PX,
    { originX: full!.originXM, originY: full!.originYM, pixelSize: full!.pixelSizeM },
  );
  if (body === null) throw noData();
  return body;
}

async function tiles(
  deps: ExportDeps,
  { loaded, listed, fileName, zoom }: Export,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const names = Object.values(loaded.mapType.gridFiles)
    .flat()
    .filter((name) => name !== fileName)
    .toSorted();
  const within = byteBudget();
  const found = await tilesOf(loaded.clip, listed, zoom, signal);
  const wanted = found.tiles.flatMap(([z, x, y]) => names.map((name) => ({ z, x, y, name })));
  const entries = await inOrder(wanted, async ({ z, x, y, name }): Promise<ZipEntry | null> => {
    const window = { kind: "tile", z, x, y, sizePx: tileSidePx(loaded) } as const;
    const file = within(await draw(deps, loaded, name, window, signal));
    return file.kind === "file" ? { name: `${z}/${x}/${y}/${name}`, body: file.body } : null;
  });
  const made = entries.filter((entry) => entry !== null);
  if (made.length === 0) throw noData();
  return await zipOf(made);
}

async function picture(deps: ExportDeps, { loaded, fileName, zoom }: Export, signal: AbortSignal): Promise<Uint8Array> {
  const window = pixelGridOf(loaded.clip, zoom, tileSidePx(loaded));
  const file = byteBudget()(await draw(deps, loaded, fileName, window, signal));
  if (file.kind !== "file") throw noData();
  return file.body;
}

const MAKERS = { mosaic, tiles, picture };

const MEDIA_TYPES: Readonly<Record<ExportRequest["gridFile"], string>> = {
  png: "image/png",
  webp: "image/webp",
  ski: "application/gzip",
  json: "application/json",
  geojson: "application/geo+json",
  geotiff: "image/tiff",
  "visu-geotiff": "image/tiff",
  shz: "application/zip",
  zip: "application/zip",
};

/** Programs know GeoTIFFs by `.tif`; files of different map types do not get each other's names. */
function downloadOf({ loaded, fileName }: Export, suffix: ExportRequest["gridFile"]): readonly [string, string] {
  const own = fileName.replace(/\.geotiff$/u, ".tif");
  const { id } = loaded.mapType;
  return [own.startsWith(`${id}.`) ? own : `${id}-${own}`, MEDIA_TYPES[suffix]];
}

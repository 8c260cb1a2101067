import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GridFileSuffix, MapTypeDescriptor } from "@swath/maps/map-type";
import { geoTiffPixelBytes } from "@swath/maps/render/geotiff-pixel-bytes";
import { nativeBand } from "@swath/maps/render/native-grid";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import type { MosaicOrigin } from "@swath/raster/encode/mosaic-cog";
import { mercatorPixelM, nativeTransform } from "@swath/raster/sample/output-grid";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";
import type { ExportRequest } from "@swath/contract/features/maps/export-contract";
import { tileSidePx } from "../grid.ts";
import type { LoadedMap, MapLoader } from "../grid-files/load-map.ts";
import { nativePixels, rasterOf } from "../native-pixels.ts";
import type { ListedTile, MapIdSigner } from "../signed-map-id.ts";
import {
  BLOCK_PX,
  blockCount,
  MAX_BLOCKS,
  MAX_MOSAIC_BYTES,
  MAX_PICTURE_SIDE_PX,
  MAX_ZIP_TILES,
  pixelGridOf,
  tilesOf,
  zoomOfPixels,
  type PixelGrid,
} from "./export-plan.ts";
import { tilesOfArea } from "./pyramid-tiles.ts";

type ExportForm = "mosaic" | "picture" | "pyramid" | "tiles";
type ExportKind = ExportRequest["gridFile"];

interface WantedExport {
  readonly loaded: LoadedMap;
  readonly listed: readonly ListedTile[];
  readonly fileName: string;
  readonly form: ExportForm;
}

/** A file that fits, and its pixels: of the scene, or of the tiles of a zoom. */
export interface PlannedExport extends WantedExport {
  readonly pixels: PixelGrid;
  /** Null on the grid of the scene. */
  readonly zoom: number | null;
}

export interface PlanExportDeps {
  readonly signer: MapIdSigner;
  readonly loadMap: MapLoader;
}

const FORMS: Readonly<Partial<Record<ExportKind, ExportForm>>> = {
  geotiff: "mosaic",
  "visu-geotiff": "mosaic",
  zip: "tiles",
  pmtiles: "pyramid",
  gpkg: "pyramid",
};
/** Files of the map that a file of another kind is made of, the preferred kind first. */
const MADE_OF: Readonly<Partial<Record<ExportKind, readonly GridFileSuffix[]>>> = {
  pmtiles: ["webp", "png"],
  gpkg: ["png", "geojson"],
  geoparquet: ["geojson"],
};
/** Files that are made on the grid of the scene unless the request says otherwise: pixels with values. */
const VALUES = "geotiff";
/** Files that the grid of the scene can have. */
const ON_NATIVE_GRID: readonly ExportKind[] = ["geotiff", "visu-geotiff", "png", "webp"];

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path: `/${path}`, message }] });
}

/**
 * Decides which pixels of a map a file has.
 *
 * @throws {ServiceError} INVALID-MAP-ID, VALIDATION-ERROR, IMAGE-TOO-LARGE
 */
export async function planExport(
  deps: PlanExportDeps,
  request: ExportRequest,
  signal: AbortSignal,
): Promise<PlannedExport> {
  const claims = await deps.signer.verify(request.mapId);
  const loaded = await deps.loadMap(claims, "-");
  const fileName = exportedFile(loaded.mapType, request);
  const { gridFile, grid, zoom } = request;
  const wanted = { loaded, listed: claims.tiles, fileName, form: formOf(gridFile, fileName) };
  if (grid === "native") {
    if (!ON_NATIVE_GRID.includes(gridFile)) {
      refuse("grid", `got native for ${gridFile}, expected one of ${ON_NATIVE_GRID.join(", ")} or the grid web`);
    }
    if (zoom !== undefined) refuse("zoom", "cannot be given for the native grid, whose pixels are those of the scene");
    return requireNative(wanted);
  }
  if (grid === undefined && zoom === undefined && gridFile === VALUES) {
    const pixels = nativePixels(wanted.loaded);
    if (typeof pixels !== "string" && nativeExcess(wanted, pixels) === null) return { ...wanted, pixels, zoom: null };
  }
  const found = await zoomOf(wanted, zoom, signal);
  return { ...wanted, zoom: found, pixels: pixelGridOf(loaded.clip, found, tileSidePx(loaded)) };
}

/** A package without a picture is made of one file. */
function formOf(gridFile: ExportKind, fileName: string): ExportForm {
  return fileName.endsWith(".geojson") ? "picture" : (FORMS[gridFile] ?? "picture");
}

function namesOf({ gridFiles }: MapTypeDescriptor, kind: ExportKind): readonly string[] {
  const kinds = MADE_OF[kind] ?? (kind in gridFiles ? [kind as GridFileSuffix] : []);
  return kinds.flatMap((one) => gridFiles[one] ?? []);
}

/** Of several files of a kind the one that shows all there is: all classes rather than one, metadata rather than areas. */
export function exportedFile(
  mapType: MapTypeDescriptor,
  { gridFile, fileName }: Pick<ExportRequest, "gridFile"> & { readonly fileName?: string | undefined },
): string {
  const names = namesOf(mapType, gridFile);
  if (names.length === 0) {
    const made = (Object.keys(MADE_OF) as ExportKind[]).filter((kind) => namesOf(mapType, kind).length > 0);
    const kinds = [...Object.keys(mapType.gridFiles), ...made].join(", ");
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

/** Where the pixels of a planned export are. */
export function originOf({ loaded, pixels }: PlannedExport): MosaicOrigin {
  if (pixels.kind === "grid") {
    const { originXM: originX, originYM: originY, pixelSizeM } = pixels;
    return { originX, originY, pixelSizeX: pixelSizeM, pixelSizeY: pixelSizeM };
  }
  const [pixelSizeX, , originX, , pixelSizeY, originY] = nativeTransform(
    pixels,
    rasterOf(loaded).bands[pixels.position]!,
  );
  return { originX, originY, pixelSizeX, pixelSizeY: -pixelSizeY };
}

function requireNative(wanted: WantedExport): PlannedExport {
  const pixels = nativePixels(wanted.loaded);
  if (typeof pixels === "string") refuse("grid", `got native, but ${pixels}: expected web`);
  const excess = nativeExcess(wanted, pixels);
  if (excess !== null) {
    throw new ServiceError(
      "IMAGE-TOO-LARGE",
      `the native grid has ${pixels.widthPx} x ${pixels.heightPx} pixels, ${excess}: release a smaller area, or export the grid web`,
    );
  }
  return { ...wanted, pixels, zoom: null };
}

/** By how much the native grid is too large; null when it fits. */
function nativeExcess(wanted: WantedExport, pixels: NativeWindow): string | null {
  const [got, most, unit] = wanted.form === "mosaic" ? mosaicSize(wanted, pixels) : pictureSize(pixels);
  return got > most ? `${got} ${unit}, expected at most ${most}` : null;
}

type Size = readonly [got: number, most: number, unit: string];

const MB = 1e6;

/** The size of a mosaic that is nearer to its limit: the number of blocks, or of bytes before compression. */
function mosaicSize({ loaded, fileName }: WantedExport, grid: PixelGrid): Size {
  const blocks = blockCount(grid);
  const pixelBytes = geoTiffPixelBytes(loaded.mapType.rendering, rasterOf(loaded), fileName);
  const bytes = blocks * BLOCK_PX ** 2 * pixelBytes;
  return bytes / MAX_MOSAIC_BYTES > blocks / MAX_BLOCKS
    ? [Math.ceil(bytes / MB), Math.floor(MAX_MOSAIC_BYTES / MB), "MB before compression"]
    : [blocks, MAX_BLOCKS, `blocks of ${BLOCK_PX} pixels`];
}

function pictureSize({ widthPx, heightPx }: PixelGrid): Size {
  return [Math.max(widthPx, heightPx), MAX_PICTURE_SIDE_PX, "pixels on the longer side"];
}

/** The bounded size of a file at a zoom. */
async function sizeAt(wanted: WantedExport, zoom: number, signal: AbortSignal): Promise<Size> {
  const { loaded, listed, form } = wanted;
  if (form === "tiles") return [(await tilesOf(loaded.clip, listed, zoom, signal)).count, MAX_ZIP_TILES, "tiles"];
  if (form === "pyramid") {
    return [(await tilesOfArea(loaded.clip, zoom, signal)).count, MAX_BLOCKS, "tiles"];
  }
  const grid = pixelGridOf(loaded.clip, zoom, tileSidePx(loaded));
  return form === "mosaic" ? mosaicSize(wanted, grid) : pictureSize(grid);
}

async function zoomOf(wanted: WantedExport, zoom: number | undefined, signal: AbortSignal): Promise<number> {
  const { maxZoom } = wanted.loaded.map;
  const least = wanted.form === "tiles" ? Math.min(...wanted.listed.map((tile) => tile.zoom)) : 0;
  if (zoom === undefined) {
    for (let z = Math.min(maxZoom, sceneZoom(wanted.loaded)); z > least; z--) {
      const [got, most] = await sizeAt(wanted, z, signal);
      if (got <= most) return z;
    }
    return least;
  }
  if (zoom < least || zoom > maxZoom) refuse("zoom", `got ${zoom}, expected ${least} to ${maxZoom}`);
  const [got, most, unit] = await sizeAt(wanted, zoom, signal);
  if (got > most) refuse("zoom", `${zoom} makes ${got} ${unit}, expected at most ${most}`);
  return zoom;
}

/** The deepest zoom that is not finer than the pixels of the map. */
function sceneZoom(loaded: LoadedMap): number {
  const raster = rasterOf(loaded);
  const band = raster.bands[nativeBand(loaded.mapType.rendering, raster, loaded.stored.scene)];
  if (band === undefined) return loaded.map.maxZoom;
  return zoomOfPixels(mercatorPixelM(sceneGeometry(raster), band), tileSidePx(loaded));
}

import { join } from "node:path";
import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import { createProjection } from "@swath/kernel/crs/projection";
import { multiPolygonAreaKm2 } from "@swath/kernel/geometry/area";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { applyAffine } from "@swath/kernel/raster-mathematics/affine";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { approximateResolution } from "@swath/kernel/scenes/approximate-resolution";
import type { ControlGrid, StoredBand } from "@swath/kernel/scenes/stored-raster";
import { RasterError } from "../raster-error.ts";
import { controlGridFor } from "../crs/control-grid.ts";
import type { BandMetadata, SceneMetadata } from "../scene-metadata/scene-metadata.ts";
import type { Sentinel1Product } from "../scene-metadata/sentinel1-product.ts";
import type { SourceCrs, SourceRaster } from "../source-raster.ts";
import { selectBands } from "./band-selection.ts";
import { footprintOf } from "./footprint.ts";
import type { PixelToLonLat } from "./footprint.ts";
import { northUp, requirePlace } from "./north-up.ts";
import { writeCogs } from "./write-cog.ts";

/** A file of an upload, opened. */
export interface NamedRaster {
  readonly name: string;
  readonly raster: SourceRaster;
}

export interface DraftBand {
  readonly metadata: BandMetadata;
  /** The stored band but for its keys. */
  readonly stored: Omit<StoredBand, "key" | "maskKey">;
  /** Finished COG in the draft's folder. */
  readonly path: string;
  /** COG of the mask, shared by the bands of one raster; null when there is none. */
  readonly maskPath: string | null;
  /** Metres on the ground per pixel, two decimals. */
  readonly approximateResolutionX: number;
  readonly approximateResolutionY: number;
}

/** Everything about an upload that its pixels and its metadata tell, with the COGs still in a temporary folder. */
export interface SceneDraft {
  readonly metadata: SceneMetadata;
  /** 0 when the CRS has no EPSG code. */
  readonly crsEpsg: number;
  readonly proj4: string;
  readonly controlGrid: ControlGrid | null;
  readonly footprint: MultiPolygon;
  readonly bands: readonly DraftBand[];
  /** See `NorthUpRaster.residualPx`; the worst of all rasters. */
  readonly residualPx: number;
  /** A complex radar product, of which only what its documents say is kept: it has no bands with pixels. */
  readonly product?: Pick<Sentinel1Product, "bands" | "stateVectors">;
}

export interface DraftOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Positions along each edge of a raster that its bounds are taken from. */
const EDGE_SAMPLES = 16;
/** Areas are reported, and paid for, with six decimals. */
const MIN_AREA_KM2 = 1e-6;

/** Result of `draftRaster` for the bands of one raster; plain data. */
export interface RasterDraft {
  readonly name: string;
  readonly crs: SourceCrs;
  readonly controlGrid: ControlGrid | null;
  readonly footprint: MultiPolygon | null;
  readonly bands: readonly DraftBand[];
  readonly residualPx: number;
}

/**
 * Writes the COGs of a scene and works out where its valid pixels lie.
 *
 * @throws {RasterError} unsupported, unreadable or too-large; the message names the fault
 */
export async function draftScene(
  rasters: readonly NamedRaster[],
  metadata: SceneMetadata,
  options: DraftOptions,
): Promise<SceneDraft> {
  const drafts: RasterDraft[] = [];
  // The last file may be the broken one: all are looked at before pixels of the first are.
  for (const { name, raster } of rasters) requirePlace(raster, name);
  for (const [index, named] of rasters.entries()) {
    const bands = metadata.bands.filter((band) => band.raster === index);
    if (bands.length === 0) continue;
    const done = index;
    const draft = await draftRaster(named, index, bands, {
      ...options,
      onProgress: (share) => options.onProgress?.((done + share) / rasters.length),
    });
    requireOneCrs([...drafts, draft]);
    drafts.push(draft);
  }
  return assembleDraft(metadata, drafts);
}

/**
 * A scene of separately drafted rasters; their bands match the metadata.
 *
 * @throws {RasterError} unsupported when there are none or their CRSs differ; unreadable when no pixel
 * of any is valid
 */
export function assembleDraft(metadata: SceneMetadata, drafts: readonly RasterDraft[]): SceneDraft {
  requireOneCrs(drafts);
  const [first] = drafts;
  if (first === undefined) throw new RasterError("unsupported", "the upload has no band to store");
  return {
    metadata,
    crsEpsg: first.crs.epsg ?? 0,
    proj4: first.crs.proj4,
    controlGrid: first.controlGrid,
    footprint: largestFootprint(drafts),
    bands: inOrderOf(
      metadata.bands,
      drafts.flatMap(({ bands }) => bands),
    ),
    residualPx: Math.max(...drafts.map(({ residualPx }) => residualPx)),
  };
}

function requireOneCrs(drafts: readonly RasterDraft[]): void {
  const [first] = drafts;
  const other = drafts.find(({ crs }) => crs.proj4 !== first?.crs.proj4);
  if (first === undefined || other === undefined) return;
  throw new RasterError(
    "unsupported",
    `${other.name} has the coordinate reference system ${other.crs.name} and the files before it ${first.crs.name}, expected one for all`,
  );
}

/**
 * Writes the COGs of some bands of one raster.
 *
 * @param index the raster's place in the scene, which names the files
 * @param bands what is known of the wanted bands; `raster` of each is `index`
 * @throws {RasterError} as `draftScene`
 */
export async function draftRaster(
  { name, raster }: NamedRaster,
  index: number,
  bands: readonly BandMetadata[],
  options: DraftOptions,
): Promise<RasterDraft> {
  const isClass = bands.map(({ band, quantity }) => quantity === "class" || (band === 0 && raster.palette !== null));
  const selected = selectBands(raster, bands);
  await using placed = await northUp(selected, {
    name,
    spoolPath: join(options.folder, `raster-${index}.pixels`),
    isClass,
    signal: options.signal,
  });
  const { crs, transform } = placed;
  const { widthPx, heightPx } = placed.raster;
  const centre = applyAffine(transform, widthPx / 2, heightPx / 2);
  const bounds = onEarth(name, () => lonLatBounds(lonLatOf(crs, null, transform), widthPx, heightPx));
  const controlGrid = await controlGridFor(crs, bounds, options.signal);
  const resolution = onEarth(name, () =>
    approximateResolution(crs.proj4, centre[0], centre[1], transform[0], transform[4]),
  );
  const written = await writeCogs(placed.raster, transform, crs, {
    folder: options.folder,
    name: `raster-${index}`,
    isClass,
    signal: options.signal,
    ...(options.onProgress === undefined
      ? {}
      : { onProgress: (done: number, total: number) => options.onProgress?.(done / total) }),
  });
  const toLonLat = lonLatOf(crs, controlGrid, transform);
  const pixelM = Math.max(Math.min(resolution.approximateResolutionX, resolution.approximateResolutionY), 0.01);
  return {
    name,
    crs,
    controlGrid,
    residualPx: placed.residualPx,
    footprint: onEarth(name, () => footprintOf(written.validity, toLonLat, pixelM)),
    bands: bands.flatMap((metadata, position): DraftBand[] => {
      const file = written.bands[position];
      const source = placed.raster.bands[position];
      if (file === undefined || source === undefined) return [];
      return [
        {
          metadata,
          path: file.path,
          maskPath: written.mask?.path ?? null,
          ...resolution,
          stored: {
            role: metadata.role,
            quantity: metadata.quantity,
            dataType: source.dataType,
            widthPx,
            heightPx,
            geotransform: transform,
            nodata: file.nodata,
            statistics: file.statistics,
            sizeBytes: file.sizeBytes,
            palette: position === 0 ? placed.raster.palette : null,
          },
        },
      ];
    }),
  };
}

function lonLatOf(crs: SourceCrs, controlGrid: ControlGrid | null, transform: Affine): PixelToLonLat {
  const projection = controlGrid === null ? createProjection(crs.proj4) : controlGridProjection(controlGrid);
  return (column, row) => {
    const [x, y] = applyAffine(transform, column, row);
    const [lon, lat] = projection.inverse(x, y);
    // Global grids with pixel centres on the poles reach half a pixel beyond them.
    return [lon, Math.min(Math.max(lat, -90), 90)];
  };
}

/** Bounds of the edge of a raster, east beyond 180 when it crosses the antimeridian. */
function lonLatBounds(toLonLat: PixelToLonLat, widthPx: number, heightPx: number): Bounds {
  const start = toLonLat(0, 0)[0];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= EDGE_SAMPLES; i++) {
    const column = (i / EDGE_SAMPLES) * widthPx;
    const row = (i / EDGE_SAMPLES) * heightPx;
    for (const [lon, lat] of [
      toLonLat(column, 0),
      toLonLat(column, heightPx),
      toLonLat(0, row),
      toLonLat(widthPx, row),
    ]) {
      const continuous = lon + 360 * Math.round((start - lon) / 360);
      west = Math.min(west, continuous);
      east = Math.max(east, continuous);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
  }
  return [west, south, east, north];
}

function onEarth<Result>(name: string, compute: () => Result): Result {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RasterError(
      "unsupported",
      `${name} does not lie where its coordinate reference system is defined: ${cause.message}`,
      { cause },
    );
  }
}

/** Bands of one scene cover the same ground, at different pixel sizes: the widest outline stands for all. */
function largestFootprint(drafts: readonly RasterDraft[]): MultiPolygon {
  let best: MultiPolygon | null = null;
  let bestArea = -1;
  for (const { footprint } of drafts) {
    const area = footprint === null ? -1 : multiPolygonAreaKm2(footprint.coordinates);
    if (footprint !== null && area > bestArea) {
      best = footprint;
      bestArea = area;
    }
  }
  if (best === null) {
    throw new RasterError("unreadable", "no pixel of the image is valid: all are nodata, masked or not finite");
  }
  if (bestArea < MIN_AREA_KM2) {
    throw new RasterError(
      "unsupported",
      `the image covers ${(bestArea * 1e6).toPrecision(2)} m2 of the Earth, expected at least 1 m2: are its pixel size and units right?`,
    );
  }
  return best;
}

function inOrderOf(order: readonly BandMetadata[], bands: readonly DraftBand[]): readonly DraftBand[] {
  return order.flatMap(
    (metadata) =>
      bands.find((one) => one.metadata.raster === metadata.raster && one.metadata.band === metadata.band) ?? [],
  );
}

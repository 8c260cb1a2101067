import { utmName, utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BandMetadata } from "@swath/raster/scene-metadata/scene-metadata";
import type { SourceBand, SourceCrs, SourceRaster } from "@swath/raster/source-raster";
import type { NamedRaster } from "@swath/raster/store/scene-draft";
import { utmProjection } from "./constellation/scene-grid.ts";
import type { DrawThreads } from "./draw-threads.ts";
import type { ModelBand, SceneModel } from "./scene-model.ts";
import { foreignIdOf, radiometryOf } from "./scene-of-model.ts";
import { BLOCK_PX, drawRows } from "./world/render.ts";

/**
 * Pixels of a worldwide grid that are drawn at once in this thread: in about a millisecond, and hours of rain are asked
 * for by the hundred.
 */
const PIXELS_AT_ONCE = 32 * 1024;
const EDGE_SAMPLES = 8;
/** Margin of a window in pixels of the coarsest band: edges of an extent are curved in the CRS. */
const MARGIN_PX = 2;

interface PixelWindow {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

interface BandGroup {
  readonly band: ModelBand;
  readonly indexes: readonly number[];
}

/** Bands of one grid and data type share a raster. */
function groupsOf(model: SceneModel): readonly BandGroup[] {
  const groups = new Map<string, { readonly band: ModelBand; readonly indexes: number[] }>();
  for (const [index, band] of model.bands.entries()) {
    const key = `${band.widthPx} ${band.heightPx} ${band.dataType}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { band, indexes: [index] });
    else group.indexes.push(index);
  }
  return [...groups.values()];
}

/** Rasters of a scene or of the part around an extent, drawn as they are read, and where each band is in them. */
export function rastersOf(
  model: SceneModel,
  extent: MultiPolygon | null,
  threads: Pick<DrawThreads, "rows">,
): { readonly rasters: readonly NamedRaster[]; readonly bands: readonly BandMetadata[] } {
  const crs = crsOf(model.crsEpsg);
  const ground = extent === null ? null : boundsIn(model, extent);
  const groups = groupsOf(model);
  const coarsest = Math.max(...groups.map(({ band }) => band.pixelSizeX));
  const rasters = groups.map(({ band, indexes }, number): NamedRaster => ({
    name: `${foreignIdOf(model)}_${number + 1}.tif`,
    raster: rasterOf(model, indexes, band, windowFor(model, band, ground, coarsest), crs, threads),
  }));
  const bands = model.bands.map((band, index): BandMetadata => {
    const raster = groups.findIndex(({ indexes }) => indexes.includes(index));
    return {
      raster,
      band: groups[raster]?.indexes.indexOf(index) ?? 0,
      names: band.names,
      role: band.role,
      wavelengthNm: band.wavelengthNm,
      quantity: band.quantity,
      ...radiometryOf(model, band),
      gsdM: band.gsdM,
      nodata: nodataOf(band),
    };
  });
  return { rasters, bands };
}

function nodataOf({ dataType }: ModelBand): number {
  return dataType === "float32" || dataType === "float64" ? Number.NaN : 0;
}

function crsOf(epsg: number): SourceCrs {
  const zone = utmZoneOfEpsg(epsg);
  return zone === null
    ? { epsg: 4326, proj4: "+proj=longlat +datum=WGS84 +no_defs", name: "WGS 84", datumShiftKnown: true }
    : { epsg, proj4: utmProjString(zone), name: utmName(zone), datumShiftKnown: true };
}

/** `[west, south, east, north]` of an extent in the CRS of a scene; west of the antimeridian or east, where the scene is. */
function boundsIn(model: SceneModel, extent: MultiPolygon): readonly [number, number, number, number] {
  const box = mbr(extent);
  if (model.crsEpsg === 4326) {
    // Across the antimeridian a window of a worldwide grid is all of its longitudes.
    return box[2] > 180 ? [-180, box[1], 180, box[3]] : box;
  }
  const { forward } = utmProjection(model.crsEpsg);
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const polygon of extent.coordinates) {
    const ring = polygon[0] ?? [];
    for (let i = 1; i < ring.length; i += 1) {
      const [lon1 = 0, lat1 = 0] = ring[i - 1] ?? [];
      const [lon2 = 0, lat2 = 0] = ring[i] ?? [];
      for (let s = 0; s < EDGE_SAMPLES; s += 1) {
        const t = s / EDGE_SAMPLES;
        const [x, y] = forward(lon1 + t * (lon2 - lon1), lat1 + t * (lat2 - lat1));
        bounds[0] = Math.min(bounds[0], x);
        bounds[1] = Math.min(bounds[1], y);
        bounds[2] = Math.max(bounds[2], x);
        bounds[3] = Math.max(bounds[3], y);
      }
    }
  }
  return bounds;
}

/**
 * The pixels of a band within bounds, snapped outwards to the coarsest pixels.
 *
 * @throws {ServiceError} EXTENT-HAS-NO-INTERSECTION
 */
function windowOf(
  band: ModelBand,
  ground: readonly [number, number, number, number] | null,
  coarsest: number,
): PixelWindow {
  if (ground === null) return { column: 0, row: 0, widthPx: band.widthPx, heightPx: band.heightPx };
  const perPixel = Math.round(coarsest / band.pixelSizeX);
  const along = (from: number, to: number, size: number): readonly [number, number] => {
    const first = Math.max((Math.floor(from / coarsest) - MARGIN_PX) * perPixel, 0);
    const last = Math.min((Math.ceil(to / coarsest) + MARGIN_PX) * perPixel, size);
    return [first, last - first];
  };
  const [column, widthPx] = along(ground[0] - band.originX, ground[2] - band.originX, band.widthPx);
  const [row, heightPx] = along(band.originY - ground[3], band.originY - ground[1], band.heightPx);
  if (widthPx <= 0 || heightPx <= 0) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", "the extent does not intersect the scene");
  }
  return { column, row, widthPx, heightPx };
}

/** Worldwide grids have cells by the thousand, and are asked for in hundreds of hours: of those no row more than needed. */
function windowFor(
  model: SceneModel,
  band: ModelBand,
  ground: readonly [number, number, number, number] | null,
  coarsest: number,
): PixelWindow {
  const window = windowOf(band, ground, coarsest);
  return model.datasetType === "environmental" ? window : withWholeBlocks(window);
}

/** Begins with a row of blocks, so that readers who follow those have none drawn twice. */
function withWholeBlocks({ column, row, widthPx, heightPx }: PixelWindow): PixelWindow {
  const above = row % BLOCK_PX;
  return { column, row: row - above, widthPx, heightPx: heightPx + above };
}

function rasterOf(
  model: SceneModel,
  indexes: readonly number[],
  grid: ModelBand,
  window: PixelWindow,
  crs: SourceCrs,
  threads: Pick<DrawThreads, "rows">,
): SourceRaster {
  const { widthPx, heightPx, column, row } = window;
  return {
    widthPx,
    heightPx,
    bands: indexes.flatMap((index): SourceBand[] => {
      const band = model.bands[index];
      if (band === undefined) return [];
      return [
        {
          dataType: band.dataType,
          description: band.names[0] ?? null,
          wavelengthNm: band.wavelengthNm,
          nodata: nodataOf(band),
          scale: 1,
          offset: 0,
          unit: null,
          colorInterpretation: "undefined",
        },
      ];
    }),
    georeference: {
      kind: "affine",
      transform: [
        grid.pixelSizeX,
        0,
        grid.originX + column * grid.pixelSizeX,
        0,
        grid.pixelSizeY,
        grid.originY + row * grid.pixelSizeY,
      ],
    },
    crs,
    palette: null,
    hasMask: false,
    metadata: {
      TIFFTAG_DATETIME: new Date(model.acquiredAtMs).toISOString().slice(0, 19).replaceAll("-", ":").replace("T", " "),
      TIFFTAG_SOFTWARE: "Swath simulator",
      TIFFTAG_COPYRIGHT: "Simulated by Swath: not an image of the earth",
      SATELLITE: model.satellite,
    },
    blockHeightPx: Math.min(BLOCK_PX, heightPx),
    async readRows(firstRow, rowCount, signal) {
      signal.throwIfAborted();
      const part = { column, row: row + firstRow, columns: widthPx, rows: rowCount };
      if (model.datasetType === "environmental" && widthPx * rowCount <= PIXELS_AT_ONCE) {
        return indexes.map((index) => drawRows(model, index, part.column, part.row, widthPx, rowCount));
      }
      return await threads.rows(model, indexes, part, signal);
    },
    readMask: async () => null,
    async [Symbol.asyncDispose]() {},
  };
}

import { multiPolygonAreaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { centroid } from "@swath/kernel/geometry/centroid";
import { createProjection } from "@swath/kernel/crs/projection";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { approximateResolution, type ApproximateResolution } from "@swath/kernel/scenes/approximate-resolution";
import { localDatetime } from "@swath/kernel/scenes/local-datetime";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { type EpochMs, parseInstant } from "@swath/kernel/time/instant";
import { crsOfEpsg } from "@swath/raster/crs/epsg-crs";
import { readRadiometry } from "@swath/raster/scene-metadata/band-quantity";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { SceneDocument } from "@swath/raster/scene-metadata/scene-metadata";
import { readStacProperties } from "@swath/raster/scene-metadata/stac-item";
import type { SourceCrs } from "@swath/raster/source-raster";
import type { StacDatasetConfig } from "./config.ts";
import { footprintOfItem } from "./item-footprint.ts";
import { sceneIdOfItem } from "./item-id.ts";
import { type SelectedBand, type SelectedFile, selectAssets, type Selection } from "./select-assets.ts";

type Json = Readonly<Record<string, unknown>>;

/** An item as a scene, with the data for opening it. */
export interface CatalogueItem {
  readonly scene: Scene;
  readonly acquiredAtMs: EpochMs;
  readonly itemId: string;
  readonly collection: string;
  readonly fields: SceneDocument["fields"];
  readonly selection: Selection;
  /** The item itself, for its pictures. */
  readonly item: Json;
}

export type SkipReason = "no identifier" | "no datetime" | "no geometry" | "other collection" | "not wanted";

const BITS: Readonly<Record<DataType, number>> = {
  uint8: 8,
  int8: 8,
  uint16: 16,
  int16: 16,
  uint32: 32,
  int32: 32,
  float32: 32,
  float64: 64,
};
const METRES_PER_DEGREE = 111_320;
const WGS84 = "+proj=longlat +datum=WGS84 +no_defs";

/** The scene that an item describes, or why it describes none. @param select chooses the bands, as `selectAssets` */
export async function sceneOfItem(
  item: Json,
  config: StacDatasetConfig,
  select: typeof selectAssets = selectAssets,
): Promise<CatalogueItem | SkipReason> {
  const properties = isRecord(item["properties"]) ? item["properties"] : {};
  const { sensor: platform, fields } = readStacProperties(item);
  const itemId = fields.foreignId ?? "";
  if (itemId === "") return "no identifier";
  const collection = typeof item["collection"] === "string" ? item["collection"] : (config.collections[0] ?? "");
  // Without a list every collection is wanted.
  if (config.collections.length > 0 && !config.collections.includes(collection)) return "other collection";
  if (!isWanted(properties, config)) return "not wanted";
  const acquiredAtMs = fields.datetime === undefined ? null : parseInstant(fields.datetime);
  if (fields.datetime === undefined || acquiredAtMs === null) return "no datetime";
  const footprint = footprintOfItem(item);
  if (footprint === null) return "no geometry";
  const [lon] = centroid(footprint);
  const selection = select(item, properties, platform, config);
  const epsg = selection.files.find(({ asset }) => asset.projection.epsg !== null)?.asset.projection.epsg ?? null;
  const crs = epsg === null ? null : await crsOfEpsg(epsg);
  const { foreignId: _foreignId, satellite, datetime: _datetime, ...others } = fields;
  const scene: Scene = {
    ...others,
    sceneId: sceneIdOfItem(config, { collection, id: itemId, acquiredAtMs }),
    foreignId: itemId,
    provider: config.provider,
    dataset: config.dataset,
    satellite: satellite ?? config.satellite ?? "unknown",
    datetime: fields.datetime,
    localDatetime: localDatetime(acquiredAtMs, lon),
    crsEpsg: crs?.epsg ?? 4326,
    footprint,
    areaKm2: roundAreaKm2(multiPolygonAreaKm2(footprint.coordinates)),
    bands: sceneBands(selection, properties, crs, footprint, others.sunElevation),
  };
  return { scene, acquiredAtMs, itemId, collection, fields, selection, item };
}

function isWanted(properties: Json, { where }: StacDatasetConfig): boolean {
  return Object.entries(where ?? {}).every(([name, wanted]) => {
    const value = properties[name];
    if (typeof wanted === "string" && typeof value === "string") return value.toLowerCase() === wanted.toLowerCase();
    return value === wanted;
  });
}

function sceneBands(
  selection: Selection,
  properties: Json,
  crs: SourceCrs | null,
  footprint: MultiPolygon,
  sunElevation: number | undefined,
): readonly Band[] {
  const shared = sharedTransform(selection.files);
  const place = new Placement(crs?.proj4 ?? WGS84, footprint);
  return selection.bands.map((band): Band => {
    const { matched, naming } = band;
    const nominalM = nominalSizeM(band, properties);
    const file = selection.files[band.file];
    const grid = place.gridOf(file, nominalM, shared);
    const resolution = place.resolution(grid, nominalM);
    const radiometry = readRadiometry(matched, naming, selection.sensor, sunElevation, null);
    return {
      names: naming.names,
      bitDepth: BITS[matched.source.dataType],
      gsd: nominalM ?? Math.min(resolution.approximateResolutionX, resolution.approximateResolutionY),
      pixelSizeX: grid[0],
      pixelSizeY: grid[4],
      crsOriginX: grid[2],
      crsOriginY: grid[5],
      ...resolution,
      ...(radiometry.radianceMult === undefined ? {} : { radianceMult: radiometry.radianceMult }),
      ...(radiometry.radianceAdd === undefined ? {} : { radianceAdd: radiometry.radianceAdd }),
      ...(radiometry.reflectanceMult === undefined ? {} : { reflectanceMult: radiometry.reflectanceMult }),
      ...(radiometry.reflectanceAdd === undefined ? {} : { reflectanceAdd: radiometry.reflectanceAdd }),
    };
  });
}

/** Ground sampling distance in metres that something states. */
function nominalSizeM({ matched, naming }: SelectedBand, properties: Json): number | null {
  const spacing = properties["sar:pixel_spacing_range"];
  const gsd = properties["gsd"];
  const stated = [matched.document.gsdM, spacing, naming.table?.gsdM, gsd];
  return stated.find((value): value is number => typeof value === "number" && value > 0) ?? null;
}

/** The transform that all files have from the item, which is right for files of one pixel size only. */
function sharedTransform(files: readonly SelectedFile[]): Affine | null {
  const [first] = files;
  const transform = first?.asset.projection.transform ?? null;
  return transform !== null && files.every(({ asset }) => asset.projection.transform === transform) ? transform : null;
}

/** Grids of the bands of one scene; equal ones are worked out once. */
class Placement {
  readonly #proj4: string;
  readonly #footprint: MultiPolygon;
  readonly #resolutions = new Map<string, ApproximateResolution>();
  #outline: readonly [minX: number, maxY: number] | null = null;
  readonly #geographic: boolean;

  constructor(proj4: string, footprint: MultiPolygon) {
    this.#proj4 = proj4;
    this.#footprint = footprint;
    this.#geographic = proj4.includes("+proj=longlat");
  }

  /** The grid that the item states; else pixels of the nominal size from the corner of the footprint. */
  gridOf(file: SelectedFile | undefined, nominalM: number | null, shared: Affine | null): Affine {
    const { transform, bbox, shape } = file?.asset.projection ?? { transform: null, bbox: null, shape: null };
    if (transform !== null && transform[0] !== 0 && transform[4] !== 0) {
      const other =
        transform === shared && nominalM !== null && !this.#geographic && Math.abs(transform[0] / nominalM - 1) > 0.01;
      if (!other || nominalM === null) return transform;
      return [Math.sign(transform[0]) * nominalM, 0, transform[2], 0, Math.sign(transform[4]) * nominalM, transform[5]];
    }
    if (bbox !== null && shape !== null) {
      const [west, south, east, north] = bbox;
      return [(east - west) / shape[1], 0, west, 0, -(north - south) / shape[0], north];
    }
    const size = this.#geographic ? (nominalM ?? 10) / METRES_PER_DEGREE : (nominalM ?? 10);
    const [x, y] = bbox === null ? this.#corner() : [bbox[0], bbox[3]];
    return [size, 0, x, 0, -size, y];
  }

  resolution(grid: Affine, nominalM: number | null): ApproximateResolution {
    const [sizeX, , , , sizeY] = grid;
    const key = `${sizeX} ${sizeY}`;
    const known = this.#resolutions.get(key);
    if (known !== undefined) return known;
    let result: ApproximateResolution;
    try {
      const [lon, lat] = centroid(this.#footprint);
      const [x, y] = createProjection(this.#proj4).forward(lon, lat);
      result = approximateResolution(this.#proj4, x, y, sizeX, sizeY);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const metres = this.#geographic ? METRES_PER_DEGREE : 1;
      result = {
        approximateResolutionX: nominalM ?? Math.abs(sizeX) * metres,
        approximateResolutionY: nominalM ?? Math.abs(sizeY) * metres,
      };
    }
    const positive = {
      approximateResolutionX: Math.max(0.01, result.approximateResolutionX),
      approximateResolutionY: Math.max(0.01, result.approximateResolutionY),
    };
    this.#resolutions.set(key, positive);
    return positive;
  }

  /** North-west corner of the footprint in the CRS. */
  #corner(): readonly [number, number] {
    if (this.#outline !== null) return this.#outline;
    let [minX, maxY] = [Infinity, -Infinity];
    const projection = createProjection(this.#proj4);
    for (const [lon, lat] of this.#footprint.coordinates.flat(2)) {
      try {
        const [x, y] = projection.forward(lon, lat);
        minX = Math.min(minX, x);
        maxY = Math.max(maxY, y);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    this.#outline = Number.isFinite(minX) && Number.isFinite(maxY) ? [minX, maxY] : [0, 0];
    return this.#outline;
  }
}

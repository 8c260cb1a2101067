import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import type { GridRequest } from "@swath/maps/render/grid-renderer";
import type { GridQuery } from "@swath/contract/features/maps/contract";
import { objectsIn } from "@swath/maps/render/objects-in";
import { parseClassification } from "./classification.ts";
import { parseDetectionFilters } from "./detection-filters.ts";
import { provenanceIdOf } from "../provenance/provenance-record.ts";
import type { LoadedMap } from "./load-map.ts";
import { isOn } from "./is-on.ts";
import { refuseQuery } from "./refuse-query.ts";
import { stretchOf } from "./stretch.ts";

export type FileQuery = Static<typeof GridQuery>;

/** A file that is about to be drawn; objects are looked at only when it is. */
export interface Drawing {
  /** Everything that decides the bytes, besides the map and its pixels. */
  readonly inputs: readonly unknown[];
  readonly unclipped: boolean;
  /** Whether the file holds objects or counts them. */
  readonly hasObjects: boolean;
  request(): Promise<GridRequest>;
}

/** Products that hold the objects themselves or count them. */
const PRODUCTS_WITH_OBJECTS = new Set(["objects", "result-metadata", "shapefile", "archive"]);

/** Indices are at home from -1 to 1; layers of values and own formulas have other units. */
function thresholdOf({ rendering }: MapTypeDescriptor, threshold: number | undefined): number | null {
  if (threshold === undefined) return null;
  const hasUnits =
    rendering.kind === "result"
      ? rendering.layers.some(({ kind }) => kind === "values")
      : rendering.kind === "index" && rendering.index.bandNames !== undefined;
  if (!hasUnits && Math.abs(threshold) > 1) refuseQuery("user_threshold", `must be from -1 to 1, got ${threshold}`);
  return threshold;
}

/** @throws {ServiceError} TILE-NOT-FOUND */
export function requireFile({ id, gridFiles }: MapTypeDescriptor, fileName: string): void {
  const names = Object.values(gridFiles).flat();
  if (names.includes(fileName)) return;
  throw new ServiceError("TILE-NOT-FOUND", `${id} has no file ${fileName}, expected one of ${names.join(", ")}`);
}

function boxOf(bounds: Bounds): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] };
}

function productKind({ rendering }: MapTypeDescriptor, fileName: string): string | null {
  return rendering.kind === "result" ? (rendering.products[fileName]?.kind ?? null) : null;
}

/**
 * Makes a drawing of a file.
 *
 * @throws {ServiceError} VALIDATION-ERROR for parameters that make no sense for the map type
 */
export function drawingOf(loaded: LoadedMap, fileName: string, window: GridWindow, query: FileQuery): Drawing {
  const { map, mapType, stored, clip, result, mosaic = null } = loaded;
  const userThreshold = thresholdOf(mapType, query.user_threshold);
  const classification = parseClassification(query.classification, mapType);
  const filter = parseDetectionFilters(query.detection_filters);
  const kind = productKind(mapType, fileName);
  const percentileStretch = isOn(query.percentile_stretch);
  const stretch = stretchOf(query);
  const forceDownload = isOn(query.force_download);
  const unclipped = isOn(query.download_unclipped);
  const hasObjects = kind !== null && PRODUCTS_WITH_OBJECTS.has(kind);

  async function objects(read: () => Promise<readonly PlacedObject[]>): Promise<readonly PlacedObject[]> {
    if (!hasObjects) return [];
    const tile = window.kind === "tile" ? window : null;
    const area = unclipped ? (tile === null ? boxOf(mbr(clip)) : null) : clip;
    const inside = objectsIn(await read(), area, tile);
    return filter === null || kind !== "objects" ? inside : inside.filter(filter);
  }

  return {
    unclipped,
    hasObjects,
    inputs: [
      window,
      fileName,
      percentileStretch,
      userThreshold,
      forceDownload,
      unclipped,
      classification === null ? null : query.classification,
      filter === null || kind !== "objects" ? null : query.detection_filters,
      // Without it entity tags stay as they are.
      ...(stretch === null ? [] : [stretch]),
    ],
    async request() {
      return {
        mapType: map.mapType,
        version: map.version,
        rendering: mapType.rendering,
        mapId: map.mapId,
        provenance:
          map.provenance === null ? null : { provenanceId: provenanceIdOf(map.provenance), ...map.provenance },
        scene: stored.scene,
        raster: result === null ? stored.raster : result.row.raster,
        ...(result === null
          ? {}
          : { result: { metadata: result.row.metadata, objects: await objects(result.objects) } }),
        ...(mosaic === null ? {} : { mosaic }),
        window,
        clip: unclipped ? null : clip,
        fileName,
        percentileStretch,
        stretch,
        userThreshold,
        classification,
        forceDownload,
      };
    },
  };
}

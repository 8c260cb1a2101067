import { multiPolygonAreaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { centroid } from "@swath/kernel/geometry/centroid";
import { localDatetime } from "@swath/kernel/scenes/local-datetime";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import type { DataType, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { parseInstant } from "@swath/kernel/time/instant";
import type { DraftBand, SceneDraft } from "@swath/raster/store/scene-draft";

export interface SceneIdentity {
  readonly sceneId: string;
  readonly provider: string;
  readonly dataset: string;
  readonly contentHash: string;
}

/** Blob keys of one band. */
export interface BandKeys {
  readonly key: string;
  readonly maskKey: string | null;
}

const BIT_DEPTH: Readonly<Record<DataType, number>> = {
  uint8: 8,
  int8: 8,
  uint16: 16,
  int16: 16,
  uint32: 32,
  int32: 32,
  float32: 32,
  float64: 64,
};

/**
 * The scene as it is registered.
 *
 * @param keys one entry for each band of the draft, in the same order
 */
export function buildScene(draft: SceneDraft, identity: SceneIdentity, keys: readonly BandKeys[]): StoredScene {
  // Only uploads state where their time is from.
  const { bands, datetimeSource: _source, sensor: _sensor, unread: _unread, foreignId, ...fields } = draft.metadata;
  const [lon] = centroid(draft.footprint);
  const instant = parseInstant(fields.datetime);
  const scene: Scene = {
    ...fields,
    sceneId: identity.sceneId,
    foreignId: foreignId ?? identity.contentHash.slice(0, 32),
    provider: identity.provider,
    dataset: identity.dataset,
    ...(instant === null ? {} : { localDatetime: localDatetime(instant, lon) }),
    crsEpsg: draft.crsEpsg,
    footprint: draft.footprint,
    areaKm2: roundAreaKm2(multiPolygonAreaKm2(draft.footprint.coordinates)),
    bands: draft.product?.bands ?? draft.bands.map(sceneBand),
  };
  const raster: StoredRaster = {
    proj4: draft.proj4,
    controlGrid: draft.controlGrid,
    bands: draft.bands.map(({ stored }, index) => {
      const key = keys[index];
      if (key === undefined)
        throw new RangeError(`${keys.length} keys for ${draft.bands.length} of ${bands.length} bands`);
      return { ...stored, ...key };
    }),
  };
  return { scene, raster, contentHash: identity.contentHash };
}

function sceneBand(band: DraftBand): Band {
  const { metadata, stored, approximateResolutionX, approximateResolutionY } = band;
  const [pixelSizeX, , crsOriginX, , pixelSizeY, crsOriginY] = stored.geotransform;
  return {
    names: metadata.names,
    bitDepth: BIT_DEPTH[stored.dataType],
    gsd: metadata.gsdM ?? Math.min(approximateResolutionX, approximateResolutionY),
    pixelSizeX,
    pixelSizeY,
    crsOriginX,
    crsOriginY,
    approximateResolutionX,
    approximateResolutionY,
    ...defined("radianceMult", metadata.radianceMult),
    ...defined("radianceAdd", metadata.radianceAdd),
    ...defined("reflectanceMult", metadata.reflectanceMult),
    ...defined("reflectanceAdd", metadata.reflectanceAdd),
  };
}

function defined<Name extends string>(name: Name, value: number | undefined): Partial<Record<Name, number>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key widens to string
  return value === undefined ? {} : ({ [name]: value } as Record<Name, number>);
}

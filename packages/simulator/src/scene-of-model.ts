import { multiPolygonAreaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { DEGREE, meridianRadiusM, primeVerticalRadiusM, WGS84_A_M } from "@swath/kernel/geometry/wgs84";
import { localDatetime } from "@swath/kernel/scenes/local-datetime";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import { earthSunDistanceAu, reflectancePerRadiance } from "@swath/raster/scene-metadata/solar-irradiance";
import { formatInstant } from "@swath/kernel/time/instant";
import type { ModelBand, SceneModel } from "./scene-model.ts";

/** Scale of UTM on its central meridian, and the easting of that. */
const UTM_SCALE = 0.9996;
const UTM_FALSE_EASTING_M = 500_000;

export function foreignIdOf(model: SceneModel): string {
  return parseSceneId(model.sceneId)?.local ?? model.sceneId;
}

/** Longitude in the middle of the westernmost part. */
function middleLonDeg(model: SceneModel): number {
  const lons = (model.footprint.coordinates[0]?.[0] ?? []).map(([lon]) => lon);
  return (Math.min(...lons) + Math.max(...lons)) / 2;
}

/** How a simulated scene appears in catalogues. @param cloudCover 0 to 1, null where clouds do not matter */
export function sceneOfModel(model: SceneModel, cloudCover: number | null): Scene {
  const isWorldwide = model.datasetType === "environmental";
  const isRadar = model.lookSide !== null;
  const local = localDatetime(model.acquiredAtMs, middleLonDeg(model));
  return {
    sceneId: model.sceneId,
    foreignId: foreignIdOf(model),
    provider: model.provider,
    dataset: model.dataset,
    satellite: model.satellite,
    datetime: formatInstant(model.acquiredAtMs),
    crsEpsg: model.crsEpsg,
    footprint: model.footprint,
    areaKm2: roundAreaKm2(multiPolygonAreaKm2(model.footprint.coordinates)),
    ...(isWorldwide
      ? {}
      : {
          localDatetime: local,
          localTime: local.slice(11, 19),
          offNadir: rounded(model.offNadirDeg, 1),
          sunElevation: rounded(model.sunElevationDeg, 2),
          sunAzimuth: rounded(model.sunAzimuthDeg, 2),
          satelliteAzimuth: rounded(model.satelliteAzimuthDeg, 2),
          orbitPass: model.orbitPass,
        }),
    ...(cloudCover === null ? {} : { cloudCover: rounded(cloudCover, 2) }),
    ...(model.mode === null ? {} : { mode: model.mode }),
    ...(model.lookSide === null ? {} : { lookSide: model.lookSide }),
    ...(isRadar ? { relativeOrbitNumberStart: model.relativeOrbit, relativeOrbitNumberStop: model.relativeOrbit } : {}),
    ...(model.sliceNumber === null ? {} : { sliceNumber: model.sliceNumber }),
    ...(model.looks === null ? {} : { looks: model.looks }),
    ...model.quality,
    bands: model.bands.map((band) => bandOfModel(model, band)),
  };
}

function bandOfModel(model: SceneModel, band: ModelBand): Band {
  return {
    names: band.names,
    bitDepth: band.bitDepth,
    gsd: rounded(band.gsdM, 3),
    pixelSizeX: band.pixelSizeX,
    pixelSizeY: band.pixelSizeY,
    crsOriginX: band.originX,
    crsOriginY: band.originY,
    ...resolutionOf(model.crsEpsg, band),
    ...radiometryOf(model, band),
  };
}

/** Coefficients of a band as scenes state them, with the names of `Band`. */
export interface Radiometry {
  readonly radianceMult?: number;
  readonly radianceAdd?: number;
  readonly reflectanceMult?: number;
  readonly reflectanceAdd?: number;
}

/**
 * Coefficients of the reflectance before division by the sine of the sun's elevation. Coefficients of the radiance that
 * has this reflectance, where the product states radiance.
 */
export function radiometryOf(model: SceneModel, band: ModelBand): Radiometry {
  if (band.quantity !== "reflectance") return {};
  const sine = Math.sin(model.sunElevationDeg * DEGREE);
  const reflectanceMult = band.scale * sine;
  const reflectanceAdd = band.offset * sine;
  if (band.irradiance === null) return { reflectanceMult, reflectanceAdd };
  const distanceAu = earthSunDistanceAu(new Date(model.acquiredAtMs));
  const perRadiance = reflectancePerRadiance(band.irradiance, distanceAu);
  return {
    radianceMult: reflectanceMult / perRadiance,
    radianceAdd: reflectanceAdd / perRadiance,
    reflectanceMult,
    reflectanceAdd,
  };
}

/** As `approximateResolution`, by the closed form of both kinds of grid: in the middle of the band. */
function resolutionOf(
  epsg: number,
  band: ModelBand,
): { readonly approximateResolutionX: number; readonly approximateResolutionY: number } {
  const x = band.originX + (band.widthPx * band.pixelSizeX) / 2;
  const y = band.originY + (band.heightPx * band.pixelSizeY) / 2;
  const [width, height] = [Math.abs(band.pixelSizeX), Math.abs(band.pixelSizeY)];
  if (epsg === 4326) {
    return {
      approximateResolutionX: rounded(width * DEGREE * primeVerticalRadiusM(y) * Math.cos(y * DEGREE), 2),
      approximateResolutionY: rounded(height * DEGREE * meridianRadiusM(y), 2),
    };
  }
  const away = (x - UTM_FALSE_EASTING_M) / (UTM_SCALE * WGS84_A_M);
  const scale = UTM_SCALE * (1 + (away * away) / 2);
  return { approximateResolutionX: rounded(width / scale, 2), approximateResolutionY: rounded(height / scale, 2) };
}

function rounded(value: number, digits: number): number {
  // No negative zero: it would travel as "-0".
  return Math.round(value * 10 ** digits) / 10 ** digits + 0;
}

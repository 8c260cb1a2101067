import type { BandRole } from "@swath/kernel/bands/band-role";
import type { ModelBand, SceneModel } from "../scene-model.ts";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString } from "@swath/kernel/crs/utm";

export interface ModelOptions {
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly pixelM: number;
  readonly sidePx: number;
  readonly time: string;
  readonly roles?: readonly BandRole[];
  readonly datasetType?: SceneModel["datasetType"];
  readonly meanings?: readonly string[];
}

/** A square scene around a place, north up in its UTM zone. */
export function modelAt(options: ModelOptions): SceneModel {
  const { lonDeg, latDeg, pixelM, sidePx, time } = options;
  const zone = Math.floor((lonDeg + 180) / 6) + 1;
  const south = latDeg < 0;
  const { forward, inverse } = createProjection(utmProjString({ zone, south }));
  const [x, y] = forward(lonDeg, latDeg);
  // Corners on whole multiples of a kilometre, so that scenes of different pixels lie on each other.
  const originX = Math.round(x / 1000) * 1000 - (sidePx * pixelM) / 2;
  const originY = Math.round(y / 1000) * 1000 + (sidePx * pixelM) / 2;
  const side = sidePx * pixelM;
  const ring = [
    [originX, originY - side],
    [originX + side, originY - side],
    [originX + side, originY],
    [originX, originY],
    [originX, originY - side],
  ].map(([east = 0, north = 0]) => inverse(east, north));
  const datasetType = options.datasetType ?? "optical";
  const radar = datasetType === "sar-grd" || datasetType === "sar-slc";
  const band = (role: BandRole | null, meaning: string | null): ModelBand => ({
    names: [meaning ?? role ?? "band"],
    role,
    wavelengthNm: null,
    quantity: meaning !== null ? "other" : radar ? "backscatter-linear" : "reflectance",
    dataType: meaning !== null || radar ? "float32" : "uint16",
    bitDepth: meaning !== null || radar ? 32 : 16,
    gsdM: pixelM,
    scale: meaning !== null || radar ? 1 : 1e-4,
    offset: 0,
    meaning,
    irradiance: null,
    widthPx: sidePx,
    heightPx: sidePx,
    originX,
    originY,
    pixelSizeX: pixelM,
    pixelSizeY: -pixelM,
  });
  return {
    sceneId: `test-${datasetType}-${lonDeg}-${latDeg}-${pixelM}-${time}`,
    provider: "test",
    dataset: "test",
    datasetType,
    satellite: "Test",
    acquiredAtMs: Date.parse(time),
    crsEpsg: (south ? 32_700 : 32_600) + zone,
    footprint: { type: "MultiPolygon", coordinates: [[ring]] },
    sunElevationDeg: 52,
    sunAzimuthDeg: 60,
    offNadirDeg: 3,
    satelliteAzimuthDeg: 100,
    incidenceDeg: radar ? 38 : null,
    lookSide: radar ? "right" : null,
    orbitPass: "descending",
    relativeOrbit: 1,
    sliceNumber: null,
    looks: null,
    stateVectors: [],
    quality: null,
    mode: null,
    polarisations: radar ? ["VV", "VH"] : [],
    bands: [
      ...(options.meanings ?? []).map((meaning) => band(null, meaning)),
      ...(options.roles ?? (options.meanings === undefined ? (["B", "G", "R", "N"] as const) : [])).map((role) =>
        band(role, null),
      ),
    ],
  };
}

/** A worldwide grid of one environmental quantity. */
export function worldwideModel(meaning: string, degrees: number, timeMs: number): SceneModel {
  const widthPx = Math.round(360 / degrees);
  const heightPx = Math.round(120 / degrees);
  const ring = [
    [-180, -60],
    [180, -60],
    [180, 60],
    [-180, 60],
    [-180, -60],
  ] as const;
  return {
    ...modelAt({
      lonDeg: 3,
      latDeg: 1,
      pixelM: 1000,
      sidePx: 16,
      time: new Date(timeMs).toISOString(),
      meanings: [meaning],
    }),
    sceneId: `${meaning}-${timeMs}`,
    datasetType: "environmental",
    crsEpsg: 4326,
    footprint: { type: "MultiPolygon", coordinates: [[ring]] },
    bands: [
      {
        names: [meaning],
        role: null,
        wavelengthNm: null,
        quantity: "other",
        dataType: "float32",
        bitDepth: 32,
        gsdM: degrees * 111_320,
        scale: 1,
        offset: 0,
        meaning,
        irradiance: null,
        widthPx,
        heightPx,
        originX: -180,
        originY: 60,
        pixelSizeX: degrees,
        pixelSizeY: -degrees,
      },
    ],
  };
}

/** The scene of the first day from a date on whose clouds cover between two ratios of it. */
export function onDayWith(
  options: ModelOptions,
  cloudCoverOf: (model: SceneModel) => number,
  from: number,
  to: number,
): SceneModel {
  for (let day = 0; day < 400; day += 1) {
    const time = new Date(Date.parse(options.time) + day * 86_400_000).toISOString();
    const model = modelAt({ ...options, time });
    const cover = cloudCoverOf(model);
    if (cover >= from && cover <= to) return model;
  }
  throw new RangeError(`no day within 400 has a cloud cover from ${from} to ${to}`);
}

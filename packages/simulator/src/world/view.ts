import type { SceneModel } from "../scene-model.ts";
import { hashUnit, noise, smoothStep } from "../noise.ts";

/** The properties of a scene that change the look of the ground. */
export interface View {
  readonly radar: boolean;
  readonly timeMs: number;
  /** Days since 1970. */
  readonly day: number;
  readonly dayOfYear: number;
  readonly sunElevationDeg: number;
  readonly sunAzimuthDeg: number;
  readonly satelliteAzimuthDeg: number;
  readonly incidenceDeg: number;
  /** Metres east and north by which what is a metre high leans away from the satellite; 0 for radar. */
  readonly leanX: number;
  readonly leanY: number;
  /** How far the waves have travelled. */
  readonly waveM: number;
  /** Radar brightness of the sea by its wind, around 1. */
  readonly windBackscatter: number;
  /** By how many times their width rivers are out of their banks at a place in the country's metres. */
  readonly floodAt: (x: number, y: number) => number;
}

const DAY_MS = 86_400_000;
/** Rivers rise and fall within periods of this length. */
const FLOOD_DAYS = 24;

export function viewOf(model: SceneModel): View {
  const day = model.acquiredAtMs / DAY_MS;
  const period = Math.floor(day / FLOOD_DAYS);
  // High in the middle of the period, back to normal at its ends.
  const height = Math.sin(Math.PI * (day / FLOOD_DAYS - period)) ** 2;
  const incidence = model.incidenceDeg ?? 35;
  const radar = model.datasetType === "sar-grd" || model.datasetType === "sar-slc";
  // The satellite is at a few hundred kilometres: the angle at the ground is a tenth more than that at the satellite.
  const lean = radar ? 0 : Math.tan((Math.min(60, 1.1 * Math.abs(model.offNadirDeg)) * Math.PI) / 180);
  const windMs = 2 + 9 * hashUnit(Math.floor(day * 4), 7, 77);
  return {
    radar,
    timeMs: model.acquiredAtMs,
    day,
    dayOfYear: (day - 0.25) % 365.2425,
    sunElevationDeg: model.sunElevationDeg,
    sunAzimuthDeg: model.sunAzimuthDeg,
    satelliteAzimuthDeg: model.satelliteAzimuthDeg,
    incidenceDeg: incidence,
    leanX: -lean * Math.sin((model.satelliteAzimuthDeg * Math.PI) / 180),
    leanY: -lean * Math.cos((model.satelliteAzimuthDeg * Math.PI) / 180),
    waveM: model.acquiredAtMs / 1000,
    // The sea is brighter with wind and towards nadir.
    windBackscatter: (0.25 + (windMs / 8) ** 1.6) * 10 ** ((35 - incidence) * 0.045),
    floodAt: (x, y) => {
      if (height < 0.2) return 0;
      const where = noise(x / 60_000, y / 60_000, 900 + (period % 10_000));
      return where < 0.5 ? 0 : 5 * height * smoothStep(0.5, 0.8, where);
    },
  };
}

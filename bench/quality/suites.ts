import type { Figure } from "./figure.ts";
import type { QualityBench } from "./quality-bench.ts";

/** Figures of one family of map types. */
export interface Suite {
  readonly name: string;
  /** Minutes instead of seconds: measured with `--long` only, else the last figures are shown. */
  readonly isLong?: boolean;
  readonly measure: () => Promise<(bench: QualityBench) => Promise<readonly Figure[]>>;
}

/** In the order of the table; each is the file of its name in `suites/`. Map types name those that measure them. */
export const SUITES: readonly Suite[] = [
  { name: "imagery", measure: async () => (await import("./suites/imagery.ts")).imageryFigures },
  { name: "indices", measure: async () => (await import("./suites/indices.ts")).indexFigures },
  { name: "land-cover", measure: async () => (await import("./suites/land-cover.ts")).landCoverFigures },
  {
    name: "unbuilt-country",
    measure: async () => (await import("./suites/unbuilt-country.ts")).unbuiltCountryFigures,
  },
  {
    name: "vegetation-cover",
    measure: async () => (await import("./suites/vegetation-cover.ts")).vegetationCoverFigures,
  },
  { name: "clear-scenes", measure: async () => (await import("./suites/clear-scenes.ts")).clearSceneFigures },
  { name: "labelled-clouds", measure: async () => (await import("./suites/labelled-clouds.ts")).labelledCloudFigures },
  {
    name: "network-clouds",
    isLong: true,
    measure: async () => (await import("./suites/network-clouds.ts")).networkCloudFigures,
  },
  {
    name: "land-cover-simulated",
    isLong: true,
    measure: async () => (await import("./suites/land-cover-simulated.ts")).simulatedLandCoverFigures,
  },
  { name: "radar-floods", measure: async () => (await import("./suites/radar-floods.ts")).radarFloodFigures },
  { name: "segments", measure: async () => (await import("./suites/segments.ts")).segmentFigures },
  { name: "ships", measure: async () => (await import("./suites/ships.ts")).shipFigures },
  {
    name: "ships-simulated",
    isLong: true,
    measure: async () => (await import("./suites/ships-simulated.ts")).simulatedShipFigures,
  },
  {
    name: "false-alarms",
    isLong: true,
    measure: async () => (await import("./suites/false-alarms.ts")).falseAlarmFigures,
  },
  { name: "vehicles", measure: async () => (await import("./suites/vehicles.ts")).vehicleFigures },
  {
    name: "vehicles-simulated",
    isLong: true,
    measure: async () => (await import("./suites/vehicles-simulated.ts")).simulatedVehicleFigures,
  },
  {
    name: "gardens-simulated",
    isLong: true,
    measure: async () => (await import("./suites/gardens-simulated.ts")).simulatedGardenFigures,
  },
  { name: "change", measure: async () => (await import("./suites/change.ts")).changeFigures },
  {
    name: "change-calibration",
    isLong: true,
    measure: async () => (await import("./suites/change-calibration.ts")).changeCalibrationFigures,
  },
  { name: "environment", measure: async () => (await import("./suites/environment.ts")).environmentFigures },
];

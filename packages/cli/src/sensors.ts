import type { BandRole } from "@swath/kernel/bands/band-role";
import { UsageError } from "./exit-code.ts";

/** A band as scene.json describes it. */
export interface BandDescription {
  /** Aliases, the long name first. */
  readonly names: readonly string[];
  readonly role?: BandRole;
  readonly reflectanceMult?: number;
  readonly reflectanceAdd?: number;
}

interface SensorBand {
  readonly code: string;
  readonly names: readonly string[];
  readonly role: BandRole;
}

interface Sensor {
  readonly satellite: string;
  readonly reflectanceMult?: number;
  readonly reflectanceAdd?: number;
  readonly bands: readonly SensorBand[];
}

const COASTAL = ["Coastal", "coastal", "aerosol"];
const BLUE = ["Blue", "blue", "b"];
const GREEN = ["Green", "green", "g"];
const YELLOW = ["Yellow", "yellow", "y"];
const RED = ["Red", "red", "r"];
const RED_EDGE = ["Red Edge", "red-edge"];
const NIR = ["NIR", "near-ir"];

const band = (code: string, names: readonly string[], role: BandRole): SensorBand => ({ code, names, role });

/** Bands by the names their operators give them; Landsat's near infrared serves both near-infrared roles' indices as N. */
const SENSORS: Readonly<Record<string, Sensor>> = {
  "landsat-8": {
    satellite: "Landsat 8",
    bands: [
      band("B1", COASTAL, "A"),
      band("B2", BLUE, "B"),
      band("B3", GREEN, "G"),
      band("B4", RED, "R"),
      band("B5", NIR, "N"),
      band("B6", ["SWIR1", "swir1"], "S1"),
      band("B7", ["SWIR2", "swir2"], "S2"),
      band("B8", ["Panchromatic", "pan"], "P"),
      band("B9", ["Cirrus", "cirrus"], "C"),
      band("B10", ["Thermal1", "thermal1"], "T1"),
      band("B11", ["Thermal2", "thermal2"], "T2"),
    ],
  },
  planetscope: {
    satellite: "PlanetScope",
    bands: [
      band("coastal_blue", COASTAL, "A"),
      band("blue", BLUE, "B"),
      band("green_i", ["Green I", "green-i"], "G1"),
      band("green", GREEN, "G"),
      band("yellow", YELLOW, "Y"),
      band("red", RED, "R"),
      band("rededge", RED_EDGE, "RE1"),
      band("nir", NIR, "N"),
    ],
  },
  "sentinel-2": {
    satellite: "Sentinel-2",
    reflectanceMult: 0.0001,
    reflectanceAdd: 0,
    bands: [
      band("B01", COASTAL, "A"),
      band("B02", BLUE, "B"),
      band("B03", GREEN, "G"),
      band("B04", RED, "R"),
      band("B05", ["Red Edge 1", "red-edge-1"], "RE1"),
      band("B06", ["Red Edge 2", "red-edge-2"], "RE2"),
      band("B07", ["Red Edge 3", "red-edge-3"], "RE3"),
      band("B08", NIR, "N"),
      band("B8A", ["Narrow NIR", "narrow-near-ir"], "N2"),
      band("B09", ["Water Vapour", "water-vapour"], "WV"),
      band("B10", ["Cirrus", "cirrus"], "C"),
      band("B11", ["SWIR1", "swir1"], "S1"),
      band("B12", ["SWIR2", "swir2"], "S2"),
    ],
  },
  "worldview-2": {
    satellite: "WorldView-2",
    bands: [
      band("C", COASTAL, "A"),
      band("B", BLUE, "B"),
      band("G", GREEN, "G"),
      band("Y", YELLOW, "Y"),
      band("R", RED, "R"),
      band("RE", RED_EDGE, "RE1"),
      band("N", ["Near-IR1", "near-ir1"], "N"),
      band("N2", ["Near-IR2", "near-ir2"], "N2"),
    ],
  },
};

const COMMON: readonly SensorBand[] = [
  band("coastal", COASTAL, "A"),
  band("blue", BLUE, "B"),
  band("green", GREEN, "G"),
  band("yellow", YELLOW, "Y"),
  band("red", RED, "R"),
  band("rededge", RED_EDGE, "RE1"),
  band("nir", NIR, "N"),
  band("swir1", ["SWIR1", "swir1"], "S1"),
  band("swir2", ["SWIR2", "swir2"], "S2"),
  band("pan", ["Panchromatic", "pan"], "P"),
];

export const SENSOR_NAMES: readonly string[] = Object.keys(SENSORS);

/** The band list of a file and the satellite it came from. */
export interface SensorDescription {
  readonly satellite: string | null;
  readonly bands: readonly BandDescription[];
}

/**
 * Describes the bands of a file in their order.
 *
 * @param codes names as typed; with a sensor each must be one of its bands, without one colour names are understood
 *   and any other name is kept as it is
 * @throws {UsageError} for an unknown sensor or band
 */
export function describeBands(codes: readonly string[] | null, sensorName: string | null): SensorDescription {
  if (sensorName === null) {
    return { satellite: null, bands: (codes ?? []).map((code) => describeBand(find(COMMON, code), code, null)) };
  }
  const sensor = SENSORS[sensorName];
  if (sensor === undefined) {
    throw new UsageError(`--sensor is "${sensorName}", expected one of ${SENSOR_NAMES.join(", ")}`);
  }
  const bands = (codes ?? sensor.bands.map(({ code }) => code)).map((code) => {
    const known = find(sensor.bands, code);
    if (known === null) {
      throw new UsageError(
        `${sensor.satellite} has no band "${code}"; it has ${sensor.bands.map((each) => each.code).join(", ")}`,
      );
    }
    return describeBand(known, known.code, sensor);
  });
  return { satellite: sensor.satellite, bands };
}

function find(bands: readonly SensorBand[], code: string): SensorBand | null {
  const wanted = code.toLowerCase();
  return (
    bands.find((each) => each.code.toLowerCase() === wanted) ??
    bands.find((each) => each.names.some((name) => name.toLowerCase() === wanted)) ??
    null
  );
}

function describeBand(known: SensorBand | null, code: string, sensor: Sensor | null): BandDescription {
  if (known === null) return { names: [code] };
  const names = known.names.includes(code) ? known.names : sensor === null ? known.names : [...known.names, code];
  return {
    names,
    role: known.role,
    ...(sensor?.reflectanceMult === undefined ? {} : { reflectanceMult: sensor.reflectanceMult }),
    ...(sensor?.reflectanceAdd === undefined ? {} : { reflectanceAdd: sensor.reflectanceAdd }),
  };
}

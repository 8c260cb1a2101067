import type { BandRole } from "@swath/kernel/bands/band-role";
import type { BandQuantity, DataType } from "@swath/kernel/scenes/stored-raster";
import { namesOfRole } from "@swath/raster/scene-metadata/band-roles";
import { solarIrradiance } from "@swath/raster/scene-metadata/solar-irradiance";
import { SENSORS } from "@swath/raster/scene-metadata/sensors";

/** A band of a product, before it lies anywhere. */
export interface ProductBand {
  /** Long name first. */
  readonly names: readonly string[];
  readonly role: BandRole | null;
  readonly wavelengthNm: number | null;
  readonly quantity: BandQuantity;
  readonly dataType: DataType;
  readonly bitDepth: number;
  readonly gsdM: number;
  readonly encoding: BandEncoding;
  readonly meaning: string | null;
  /** As in `ModelBand`. */
  readonly irradiance: number | null;
}

/** How pixel values encode what was measured: physical = scale * pixel + offset. */
export interface BandEncoding {
  readonly scale: number;
  readonly offset: number;
  /** Whether `physical` is reflectance before division by the sine of the sun's elevation. */
  readonly beforeSun: boolean;
}

const UNITS: BandEncoding = { scale: 1, offset: 0, beforeSun: false };
const REFLECTANCE: BandEncoding = { scale: 1e-4, offset: 0, beforeSun: false };
/** Landsat collection 2 level 1, all scenes. */
const LANDSAT_TOA: BandEncoding = { scale: 2e-5, offset: -0.1, beforeSun: true };
const LANDSAT_KELVIN: BandEncoding = { scale: 0.00341802, offset: 149, beforeSun: false };
/** 2047 stands for a reflectance just above 1. */
const ELEVEN_BITS: BandEncoding = { scale: 5e-4, offset: 0, beforeSun: false };
const S1_POWER: BandEncoding = { scale: 2 ** -15, offset: 0, beforeSun: false };
/** Four-band names as very-high-resolution archives list them; others are the names of the role. */
const WAVELENGTHS: Readonly<Partial<Record<BandRole, number>>> = { A: 425, B: 480, G: 545, R: 655, RE1: 725, N: 835 };

function reflective(role: BandRole, gsdM: number, wavelengthNm: number, id: string | null): ProductBand {
  return {
    names: id === null ? namesOfRole(role) : [...namesOfRole(role), id],
    role,
    wavelengthNm,
    quantity: "reflectance",
    dataType: "uint16",
    bitDepth: 16,
    gsdM,
    encoding: REFLECTANCE,
    meaning: null,
    irradiance: null,
  };
}

function ofSensor(id: string, leaveOut: readonly string[] = []): readonly ProductBand[] {
  const sensor = SENSORS.find((one) => one.id === id);
  if (sensor === undefined) throw new RangeError(`there is no band table of ${id}`);
  return sensor.bands
    .filter((band) => !leaveOut.includes(band.id))
    .map((band) => reflective(band.role, band.gsdM, band.wavelengthNm, band.id));
}

/** Thermal bands come resampled to the grid of the others. */
function landsat(id: string): readonly ProductBand[] {
  return ofSensor(id).map((band): ProductBand => {
    const thermal = band.role === "T" || band.role === "T1" || band.role === "T2";
    const irradiance = solarIrradiance(id.toUpperCase(), band.names.at(-1) ?? "");
    if (!thermal) return { ...band, encoding: LANDSAT_TOA, irradiance };
    return {
      ...band,
      gsdM: 30,
      quantity: "other",
      encoding: LANDSAT_KELVIN,
      meaning: "brightness-temperature-kelvin",
    };
  });
}

export const SENTINEL_2_TOA = ofSensor("sentinel-2");
export const SENTINEL_2_SURFACE = ofSensor("sentinel-2", ["B10"]);
export const LANDSAT_7_BANDS = landsat("landsat-7");
export const LANDSAT_8_BANDS = landsat("landsat-8");
export const DOVE_FOUR = ofSensor("planetscope-4");
export const DOVE_EIGHT = ofSensor("planetscope-8");

/**
 * Bands of a very-high-resolution camera, eleven bits, all at the pansharpened sampling.
 *
 * @param camera whose solar irradiance the products state radiance by; null when they state none
 */
export function elevenBit(
  roles: readonly BandRole[],
  gsdM: number,
  camera: string | null = null,
): readonly ProductBand[] {
  return roles.map((role) => ({
    ...reflective(role, gsdM, WAVELENGTHS[role] ?? 650, null),
    bitDepth: 11,
    encoding: ELEVEN_BITS,
    irradiance: camera === null ? null : solarIrradiance(camera, role),
  }));
}

/** Detected radar: linear power in units of 2^-15. */
export function radar(polarisations: readonly ("VV" | "VH" | "HH" | "HV")[], gsdM: number): readonly ProductBand[] {
  return polarisations.map((role) => ({
    names: namesOfRole(role),
    role,
    wavelengthNm: null,
    quantity: "backscatter-linear",
    dataType: "uint16",
    bitDepth: 16,
    gsdM,
    encoding: S1_POWER,
    meaning: null,
    irradiance: null,
  }));
}

/** A band that holds neither reflectance nor backscatter. */
export function measured(names: readonly string[], meaning: string, gsdM: number): ProductBand {
  return {
    names,
    role: null,
    wavelengthNm: null,
    quantity: "other",
    dataType: "float32",
    bitDepth: 32,
    gsdM,
    encoding: UNITS,
    meaning,
    irradiance: null,
  };
}

const COVER_CLASSES = [
  "water",
  "trees",
  "grass",
  "flooded_vegetation",
  "crops",
  "shrub_and_scrub",
  "built",
  "bare",
  "snow_and_ice",
] as const;

export const DYNAMIC_WORLD: readonly ProductBand[] = [
  ...COVER_CLASSES.map((name) => measured([name], `probability:${name}`, 10)),
  { ...measured(["label"], "label:dynamic-world", 10), quantity: "class", dataType: "uint8", bitDepth: 8 },
];

import type { BandQuantity } from "@swath/kernel/scenes/stored-raster";
import type { SourceRaster } from "../source-raster.ts";
import { isRadarRole } from "./band-roles.ts";
import type { BandNaming } from "./band-naming.ts";
import type { MatchedBand } from "./match-bands.ts";
import type { Sensor } from "./sensors.ts";

/** Below this sun elevation nothing is divided by its sine, so factors are not prepared for it either. */
const MIN_SUN_ELEVATION_DEG = 5;

/** Landsat Collection 2 Level 2 surface reflectance. */
const LANDSAT_L2 = { scale: 2.75e-5, offset: -0.2 } as const;

const CLASS_NAMES =
  /(?:^|[^a-z])(?:scl|qa_pixel|qa60|lulc|landcover|land_cover|worldcover|classification|cloudmask|udm2?)(?:[^a-z]|$)/i;

export interface Radiometry {
  readonly quantity: BandQuantity;
  readonly radianceMult?: number;
  readonly radianceAdd?: number;
  readonly reflectanceMult?: number;
  readonly reflectanceAdd?: number;
}

/** Smallest and largest valid value of a few rows. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Quantity of a band and its factors of reflectance. Some products already divide reflectance by the sine of the sun's
 * elevation. Their factors are multiplied by it, because users of the scene divide once more.
 *
 * @param range values of the band where the file was read for them, else null
 */
export function readRadiometry(
  band: MatchedBand,
  naming: BandNaming,
  sensor: Sensor | null,
  sunElevationDeg: number | undefined,
  range: ValueRange | null,
): Radiometry {
  const { document, source } = band;
  const stated = statedFactors(band);
  const factors = stated ?? assumedFactors(band, naming, sensor, range);
  const sun =
    factors?.sunCorrected === true && sunElevationDeg !== undefined && sunElevationDeg >= MIN_SUN_ELEVATION_DEG
      ? Math.sin((sunElevationDeg * Math.PI) / 180)
      : 1;
  const reflectance =
    factors === null ? {} : { reflectanceMult: factors.mult * sun, reflectanceAdd: factors.add * sun };
  const radiance = {
    ...(document?.radianceMult == null ? {} : { radianceMult: document.radianceMult }),
    ...(document?.radianceAdd == null ? {} : { radianceAdd: document.radianceAdd }),
  };
  if (document?.quantity != null) return { quantity: document.quantity, ...radiance, ...reflectance };
  if (isRadarRole(naming.role)) return { quantity: radarQuantity(band, range) };
  if (isClassRaster(band)) return { quantity: "class" };
  if (factors !== null) return { quantity: "reflectance", ...radiance, ...reflectance };
  if (/_d_?b(?:_|\.|$)/i.test(band.fileName)) return { quantity: "backscatter-db" };
  return { quantity: source.dataType === "uint8" ? "display" : "other", ...radiance };
}

/** Whether `readRadiometry` needs the range of values. */
export function needsRange(band: MatchedBand, naming: BandNaming, sensor: Sensor | null): boolean {
  if (band.document?.quantity != null) return false;
  if (isRadarRole(naming.role)) return true;
  return sensor?.reflectanceScale != null && naming.table !== null && isFloat(band);
}

interface Factors {
  readonly mult: number;
  readonly add: number;
  readonly sunCorrected: boolean;
}

function statedFactors({ document }: MatchedBand): Factors | null {
  if (document?.reflectanceMult != null) {
    return { mult: document.reflectanceMult, add: document.reflectanceAdd ?? 0, sunCorrected: document.sunCorrected };
  }
  return null;
}

function assumedFactors(
  band: MatchedBand,
  naming: BandNaming,
  sensor: Sensor | null,
  range: ValueRange | null,
): Factors | null {
  const { source, document } = band;
  // Pixels of radiance are no reflectance, whatever else the sensor delivers.
  if (document?.radianceMult != null) return null;
  const optical = naming.role !== null && !isRadarRole(naming.role) && !naming.role.startsWith("T");
  if (!optical) return null;
  // Scale and offset of the file itself; a scale above 0.01 is no reflectance.
  if (source.scale > 0 && source.scale <= 0.01) return { mult: source.scale, add: source.offset, sunCorrected: true };
  const sixteenBits = source.dataType === "uint16" || source.dataType === "int16";
  if (sixteenBits && /L[COET]0?\d_L2S[PR]/i.test(band.fileName)) {
    return { mult: LANDSAT_L2.scale, add: LANDSAT_L2.offset, sunCorrected: true };
  }
  if (sensor?.reflectanceScale == null || naming.table === null) return null;
  if (sixteenBits) return { mult: sensor.reflectanceScale, add: 0, sunCorrected: true };
  if (!isFloat(band) || range === null) return null;
  // Reflectance exceeds 2 only in glint; the scaled integers of these sensors are in the hundreds.
  return { mult: range.max > 2 ? sensor.reflectanceScale : 1, add: 0, sunCorrected: true };
}

function radarQuantity(band: MatchedBand, range: ValueRange | null): BandQuantity {
  const text = `${band.source.unit ?? ""} ${band.source.description ?? ""}`;
  const decibel = /\bd_?b\b/i.test(text) || /_d_?b(?:_|\.|$)/i.test(band.fileName) || (range !== null && range.min < 0);
  return decibel ? "backscatter-db" : "backscatter-linear";
}

function isClassRaster({ source, fileName }: MatchedBand): boolean {
  if (source.colorInterpretation === "palette") return true;
  const integer = source.dataType !== "float32" && source.dataType !== "float64";
  return integer && (CLASS_NAMES.test(fileName) || CLASS_NAMES.test(source.description ?? ""));
}

function isFloat({ source }: MatchedBand): boolean {
  return source.dataType === "float32" || source.dataType === "float64";
}

/** Rows looked at in the middle of a raster: enough to tell decibels from power and scaled integers from reflectance. */
const SAMPLE_ROWS = 16;

/** Value ranges of all bands of a raster in a few rows from its middle; null where no pixel is valid. */
export async function sampleRanges(raster: SourceRaster, signal: AbortSignal): Promise<readonly (ValueRange | null)[]> {
  const rowCount = Math.min(SAMPLE_ROWS, raster.heightPx);
  const rows = await raster.readRows(Math.floor((raster.heightPx - rowCount) / 2), rowCount, signal);
  return rows.map((values, i) => {
    const nodata = raster.bands[i]?.nodata ?? null;
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (const value of values) {
      if (value === nodata || !Number.isFinite(value)) continue;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return min <= max ? { min, max } : null;
  });
}

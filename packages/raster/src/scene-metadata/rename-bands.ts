import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Band } from "@swath/kernel/scenes/scene";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { SourceBand } from "../source-raster.ts";
import { nameBands, sensorOfBands } from "./band-naming.ts";
import { readRadiometry, type Radiometry } from "./band-quantity.ts";
import { isRadarRole } from "./band-roles.ts";
import type { MatchedBand } from "./match-bands.ts";
import type { DocumentBand } from "./scene-metadata.ts";
import type { Sensor } from "./sensors.ts";

/** A band of an ingested scene. */
export interface KnownBand {
  readonly band: Band;
  readonly stored: Pick<StoredBand, "dataType" | "palette" | "quantity" | "statistics">;
}

export interface RenamedBand extends Radiometry {
  readonly names: readonly string[];
  readonly role: BandRole | null;
}

export interface RenamedBands {
  readonly bands: readonly RenamedBand[];
  /** The sensor whose table named the bands; null for none. */
  readonly sensor: Sensor | null;
}

/**
 * Names, roles and radiometry of the bands of an ingested scene, as its ingest would have read them from a document.
 *
 * @param described one entry for each band; null for bands in the order in which the sensor ships them
 * @throws {RangeError} if there is another number of descriptions than bands
 */
export function renameBands(
  known: readonly KnownBand[],
  described: readonly DocumentBand[] | null,
  sensor: Sensor | null,
  sunElevationDeg: number | undefined,
): RenamedBands {
  if (described !== null && described.length !== known.length) {
    throw new RangeError(`${described.length} bands are described, the scene has ${known.length}`);
  }
  const matched = known.map(({ stored }, band): MatchedBand => ({
    raster: 0,
    band,
    fileName: "",
    source: sourceOf(stored),
    document: described?.[band] ?? null,
  }));
  const table = sensor ?? sensorOfBands(matched);
  const naming = nameBands(matched, table);
  const bands = known.flatMap((one, index): readonly RenamedBand[] => {
    const band = matched[index];
    const named = naming[index];
    if (band === undefined || named === undefined) return [];
    const { min, max } = one.stored.statistics;
    const read = readRadiometry(band, named, table, sunElevationDeg, { min, max });
    return [{ names: named.names, role: named.role, ...keptRadiometry(one, band.document, named.role, read) }];
  });
  return { bands, sensor: table };
}

/** Factors of the file hold until others are stated: a name does not change pixels. */
function keptRadiometry(
  { band, stored }: KnownBand,
  document: DocumentBand | null,
  role: BandRole | null,
  read: Radiometry,
): Radiometry {
  const hasFactors = band.reflectanceMult !== undefined || band.radianceMult !== undefined;
  const states = document?.reflectanceMult != null || document?.radianceMult != null || document?.quantity != null;
  if (!hasFactors || states || isRadarRole(role)) return read;
  const { radianceMult, radianceAdd, reflectanceMult, reflectanceAdd } = band;
  return {
    quantity: stored.quantity,
    ...(radianceMult === undefined ? {} : { radianceMult }),
    ...(radianceAdd === undefined ? {} : { radianceAdd }),
    ...(reflectanceMult === undefined ? {} : { reflectanceMult }),
    ...(reflectanceAdd === undefined ? {} : { reflectanceAdd }),
  };
}

/** The band as a file without descriptions would have it. */
function sourceOf({ dataType, palette }: KnownBand["stored"]): SourceBand {
  return {
    dataType,
    description: null,
    wavelengthNm: null,
    nodata: null,
    scale: 1,
    offset: 0,
    unit: null,
    colorInterpretation: palette === null ? "undefined" : "palette",
  };
}

import type { IngestWarning, SceneSummary } from "@swath/contract/features/ingestion/scene-summary";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { didYouMean } from "@swath/kernel/text/did-you-mean";
import { sensorById } from "@swath/raster/scene-metadata/sensors";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { UnreadMember } from "@swath/raster/scene-metadata/scene-metadata";

/**
 * A scene in the answer of an ingest, with warnings of everything that was not understood.
 *
 * @param raster null for scenes without pixels
 * @param unread members of the metadata that have no meaning
 * @param first warnings that go before those of the scene
 */
export function describeScene(
  scene: Scene,
  raster: Pick<StoredRaster, "bands"> | null,
  unread: readonly UnreadMember[] = [],
  first: readonly IngestWarning[] = [],
): { readonly understood: SceneSummary; readonly warnings?: IngestWarning[] } {
  const understood = summariseScene(scene, raster);
  const warnings = [...first, ...ingestWarnings(understood, raster, unread)];
  return { understood, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** Place, time, CRS, bands and sensor of an uploaded scene. @param raster null for scenes without pixels */
export function summariseScene(scene: Scene, raster: Pick<StoredRaster, "bands"> | null): SceneSummary {
  const footprint = { type: "MultiPolygon" as const, coordinates: normalForm(scene.footprint.coordinates) };
  return {
    satellite: scene.satellite,
    sensor: scene.sensor ?? null,
    datetime: scene.datetime,
    datetimeSource: scene.datetimeSource ?? null,
    crsEpsg: scene.crsEpsg,
    bounds: [...mbr(footprint)],
    areaKm2: scene.areaKm2,
    bands: scene.bands.map(({ names }, index) => ({
      names: [...names],
      role: raster?.bands[index]?.role ?? radarRole(names),
    })),
  };
}

/** Bands of complex products have no pixels, and are named by their polarisation. */
function radarRole(names: readonly string[]): string | null {
  return names.find((name) => /^[HV]{2}$/.test(name)) ?? null;
}

/** Names that have a meaning: plain words, and the identifiers of the sensor. */
function bandNames(sensor: string | null): readonly string[] {
  const table = sensor === null ? null : sensorById(sensor);
  return [...(table?.bands.map(({ id }) => id) ?? []), ...WORDS];
}

const WORDS = [
  "coastal",
  "blue",
  "green",
  "yellow",
  "red",
  "red-edge",
  "nir",
  "swir1",
  "swir2",
  "pan",
  "VV",
  "VH",
  "HH",
  "HV",
];

/** Warnings of everything in an upload that was not understood. */
function ingestWarnings(
  { datetime, datetimeSource, satellite, sensor, bands }: SceneSummary,
  raster: Pick<StoredRaster, "bands"> | null,
  unread: readonly UnreadMember[],
): IngestWarning[] {
  const warnings: IngestWarning[] = [];
  if (datetimeSource === "unknown") {
    warnings.push({
      code: "ACQUISITION-TIME-UNKNOWN",
      message:
        `Nothing states when the image was taken: the scene has the time of its ingest, ${datetime}. ` +
        "Set datetime with /imagery/scene/edit, or give metadata.datetime at ingest",
    });
  }
  const unknown = bands.filter(({ role }, index) => role === null && raster?.bands[index]?.quantity !== "class");
  if (unknown.length > 0) {
    const known = bandNames(sensor);
    const names = unknown.slice(0, 8).map(({ names: [name = ""] }) => `${name}${didYouMean(name, known)}`);
    warnings.push({
      code: "BANDS-UNKNOWN",
      message:
        `Nothing states the meaning of ${unknown.length} of ${bands.length} bands (${names.join("; ")}): map types ` +
        "that need them refuse the scene. Set bands with /imagery/scene/edit, or give metadata.bands at ingest",
    });
  }
  if (satellite === "unknown") {
    warnings.push({ code: "SATELLITE-UNKNOWN", message: "Nothing states the satellite or sensor" });
  }
  if (unread.length > 0) {
    const parts = unread.map(({ path, didYouMean: meant }) => (meant === null ? path : `${path} (${meant}?)`));
    warnings.push({
      code: "METADATA-NOT-READ",
      message: `The metadata have members without a meaning: ${parts.join(", ")}`,
    });
  }
  return warnings;
}

import type { DatetimeSource } from "@swath/kernel/scenes/datetime-source";
import { nearestName } from "@swath/kernel/text/nearest-name";
import { formatSceneTime, timeOfItems, timeOfName, timeOfText } from "./acquisition-time.ts";
import { nameBands, sensorOfBands } from "./band-naming.ts";
import { needsRange, readRadiometry, sampleRanges, type ValueRange } from "./band-quantity.ts";
import { matchBands, type UploadedRaster } from "./match-bands.ts";
import { bandIds } from "./scene-document.ts";
import { EMPTY_BAND, type SceneDocument, type SceneMetadata, type UnreadMember } from "./scene-metadata.ts";
import { type Sensor, sensorById, sensorOfName, SENSORS } from "./sensors.ts";

export interface SceneUpload {
  /** Name of the uploaded file. */
  readonly name: string;
  readonly rasters: readonly UploadedRaster[];
  /** From scene.json, a STAC item or a Landsat MTL file; null when the upload has none. */
  readonly document: SceneDocument | null;
  /** Band ids given beside the upload, such as "B02,B03,B04,B08"; an empty part leaves that band out. */
  readonly bands?: string;
  /** Sensor given beside the upload, such as "sentinel-2". */
  readonly sensor?: string;
  /** Used as acquisition time when nothing states one. */
  readonly ingestedAt: Date;
}

/**
 * Everything that the files of an upload tell about the scene besides its pixels and geometry.
 *
 * @throws {RasterError} bad-document when a document contradicts the files, unreadable when pixels that decide the
 * meaning of a band cannot be read
 */
export async function readSceneMetadata(upload: SceneUpload, signal: AbortSignal): Promise<SceneMetadata> {
  const document = withOptions(upload);
  const names = [upload.name, ...upload.rasters.map((raster) => raster.name)];
  const items = Object.assign({}, ...upload.rasters.toReversed().map(({ raster }) => raster.metadata)) as Record<
    string,
    string
  >;
  const recognised = names.map(sensorOfName).find((found) => found !== null) ?? null;
  const matched = matchBands(upload.rasters, document);
  const sensor: Sensor | null =
    (document?.sensor == null ? null : sensorById(document.sensor)) ?? recognised?.sensor ?? sensorOfBands(matched);
  const naming = nameBands(matched, sensor);
  const sunElevation = document?.fields.sunElevation;

  const ranges = new Map<number, readonly (ValueRange | null)[]>();
  const bands: SceneMetadata["bands"][number][] = [];
  for (const [i, band] of matched.entries()) {
    const named = naming[i];
    const raster = upload.rasters[band.raster]?.raster;
    if (named === undefined || raster === undefined) continue;
    if (needsRange(band, named, sensor) && !ranges.has(band.raster))
      ranges.set(band.raster, await sampleRanges(raster, signal));
    const range = ranges.get(band.raster)?.[band.band] ?? null;
    bands.push({
      raster: band.raster,
      band: band.band,
      names: named.names,
      role: named.role,
      wavelengthNm: named.wavelengthNm,
      gsdM: band.document?.gsdM ?? named.table?.gsdM ?? null,
      nodata: band.document?.nodata ?? band.source.nodata,
      ...readRadiometry(band, named, sensor, sunElevation, range),
    });
  }
  return {
    foreignId: null,
    ...document?.fields,
    satellite: document?.fields.satellite ?? recognised?.satellite ?? satelliteOfItems(items) ?? "unknown",
    ...acquisitionTime(document, items, names, upload.ingestedAt),
    ...(sensor === null ? {} : { sensor: sensor.id }),
    unread: [...(document?.unread ?? []), ...unknownSensor(document)],
    bands,
  };
}

/** The document with the options given beside the upload laid over it. */
function withOptions(upload: SceneUpload): SceneDocument | null {
  if (upload.bands === undefined && upload.sensor === undefined) return upload.document;
  const document = upload.document ?? { sensor: null, fields: {}, bands: null, complete: false };
  const bands =
    upload.bands === undefined ? null : bandIds(upload.bands).map((id) => (id === "" ? null : { ...EMPTY_BAND, id }));
  return {
    ...document,
    sensor: upload.sensor ?? document.sensor,
    ...(bands === null ? {} : { bands, complete: true }),
  };
}

/** A sensor without a table of bands: a document that names one expects its bands to be understood. */
function unknownSensor(document: SceneDocument | null): readonly UnreadMember[] {
  if (document?.sensor == null || document.unread === undefined || sensorById(document.sensor) !== null) return [];
  const known = SENSORS.map(({ id }) => id);
  return [{ path: `sensor "${document.sensor}"`, didYouMean: nearestName(document.sensor, known) }];
}

function satelliteOfItems(items: Readonly<Record<string, string>>): string | null {
  for (const [key, value] of Object.entries(items)) {
    if (/^(?:satellite(?:_id|id)?|spacecraft(?:_id|_name)?|platform)$/i.test(key) && value !== "")
      return value.slice(0, 100);
  }
  return (
    sensorOfName(items["TIFFTAG_IMAGEDESCRIPTION"]?.replace(/sentinel-(\d[a-c]?)/i, "S$1_") ?? "")?.satellite ?? null
  );
}

/**
 * The document's time; else an acquisition item of the file; else a full time in a name. TIFFTAG_DATETIME is the
 * time of writing as often as the time of imaging: it refines a date in the name, and stands alone only without one.
 */
function acquisitionTime(
  document: SceneDocument | null,
  items: Readonly<Record<string, string>>,
  names: readonly string[],
  ingestedAt: Date,
): { readonly datetime: string; readonly datetimeSource: DatetimeSource } {
  if (document?.fields.datetime !== undefined)
    return { datetime: document.fields.datetime, datetimeSource: "document" };
  const item = timeOfItems(items);
  if (item !== null) return { datetime: item.datetime, datetimeSource: "metadata" };
  const times = names.map(timeOfName).filter((time) => time !== null);
  const named = times.find((time) => time.hasTime) ?? times[0] ?? null;
  if (named?.hasTime === true) return { datetime: named.datetime, datetimeSource: "file-name" };
  const tag = timeOfText(items["TIFFTAG_DATETIME"] ?? "");
  if (tag !== null && (named === null || tag.datetime.slice(0, 10) === named.datetime.slice(0, 10))) {
    return { datetime: tag.datetime, datetimeSource: "metadata" };
  }
  if (named !== null) return { datetime: named.datetime, datetimeSource: "file-name" };
  return { datetime: formatSceneTime(ingestedAt), datetimeSource: "unknown" };
}

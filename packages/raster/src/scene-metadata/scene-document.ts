import { RasterError } from "../raster-error.ts";
import { isBandRole } from "./band-roles.ts";
import { type DocumentBand, EMPTY_BAND, type SceneDocument, type UnreadMember } from "./scene-metadata.ts";
import { parseDocumentTime } from "./acquisition-time.ts";
import { isStacItem, readStacItem } from "./stac-item.ts";
import { JsonReader } from "./json-reader.ts";

const MAX_BANDS = 512;
/** Members without meaning that are reported. */
const MAX_UNREAD = 20;
const QUANTITIES = ["reflectance", "display", "backscatter-linear", "backscatter-db", "class", "other"] as const;

/**
 * A `scene.json`: a STAC item or the scene object that `docs/scene-json.md` describes.
 *
 * @throws {RasterError} bad-document naming the member that is wrong
 */
export function readSceneDocument(json: unknown): SceneDocument {
  return isStacItem(json) ? readStacItem(json) : readSceneObject(json);
}

function readSceneObject(json: unknown): SceneDocument {
  const root = JsonReader.of(json, "scene.json");
  const datetimeText = root.text("datetime");
  const datetime = datetimeText === undefined ? undefined : parseDocumentTime(datetimeText);
  if (datetime === null) {
    throw new RasterError(
      "bad-document",
      `scene.json: datetime is "${datetimeText}", expected a time such as 2024-06-30T10:20:30Z`,
    );
  }
  const scale = {
    nodata: root.number("nodata") ?? null,
    reflectanceMult: root.number("reflectanceMult") ?? null,
    reflectanceAdd: root.number("reflectanceAdd") ?? null,
  };
  const sensor = root.text("sensor") ?? null;
  const ofBands: UnreadMember[] = [];
  const bands = readBandList(root, scale, ofBands);
  const fields = readFields(root, datetime);
  return { sensor, fields, bands, complete: true, unread: [...root.unread(), ...ofBands].slice(0, MAX_UNREAD) };
}

function readFields(root: JsonReader, datetime: string | undefined): SceneDocument["fields"] {
  return {
    ...root.defined("foreignId", root.text("foreignId")),
    ...root.defined("satellite", root.text("satellite")),
    ...root.defined("datetime", datetime),
    ...root.defined("cloudCover", root.number("cloudCover", 0, 1)),
    ...root.defined("offNadir", root.number("offNadir", -90, 90)),
    ...root.defined("sunElevation", root.number("sunElevation", -90, 90)),
    ...root.defined("sunAzimuth", root.number("sunAzimuth", -360, 360)),
    ...root.defined("satelliteAzimuth", root.number("satelliteAzimuth", -360, 360)),
    ...root.defined("anomalousRatio", root.number("anomalousRatio", 0, 1)),
    ...root.defined("mode", root.text("mode")),
    ...root.defined("orbitPass", root.choice("orbitPass", ["ascending", "descending"])),
    ...root.defined("lookSide", root.choice("lookSide", ["left", "right"])),
    ...root.defined("sensorQualityFlag", root.boolean("sensorQualityFlag")),
    ...root.defined("groundControlFlag", root.boolean("groundControlFlag")),
    ...root.defined("relativeOrbitNumberStart", root.number("relativeOrbitNumberStart", 0, 100_000)),
    ...root.defined("relativeOrbitNumberStop", root.number("relativeOrbitNumberStop", 0, 100_000)),
    ...root.defined("sliceNumber", root.number("sliceNumber", 0, 100_000)),
    ...root.defined("looks", root.number("looks", 0, 100_000)),
  };
}

type Defaults = Pick<DocumentBand, "nodata" | "reflectanceMult" | "reflectanceAdd">;

/** @param unread takes the members that are not understood */
function readBandList(
  root: JsonReader,
  defaults: Defaults,
  unread: UnreadMember[],
): readonly (DocumentBand | null)[] | null {
  const value = root.value("bands");
  if (value === undefined || value === null) {
    const states = defaults.nodata !== null || defaults.reflectanceMult !== null || defaults.reflectanceAdd !== null;
    if (states) {
      throw new RasterError(
        "bad-document",
        "scene.json: nodata and reflectance factors were given without bands, expected a list of bands too",
      );
    }
    return null;
  }
  const list = typeof value === "string" ? bandIds(value) : value;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_BANDS) {
    throw new RasterError(
      "bad-document",
      `scene.json: bands is not a list of 1 to ${MAX_BANDS} bands or a text such as "B02,B03,B04"`,
    );
  }
  return list.map((entry: unknown, i) => {
    if (entry === null || entry === "") return null;
    if (typeof entry === "string") return { ...EMPTY_BAND, ...defaults, id: entry };
    const reader = JsonReader.of(entry, `scene.json: bands[${i}]`);
    const band = readBand(reader, defaults);
    if (unread.length < MAX_UNREAD) unread.push(...reader.unread(`bands[${i}].`));
    return band;
  });
}

/** Splits a list of band ids given as one text: "B02,B03,B04". */
export function bandIds(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}

function readBand(band: JsonReader, defaults: Defaults): DocumentBand {
  const role = band.text("role");
  if (role !== undefined && !isBandRole(role)) {
    throw new RasterError(
      "bad-document",
      `${band.path}.role is "${role}", expected a role such as B, G, R, N, S1 or VV`,
    );
  }
  const index = band.number("index", 1, 100_000);
  return {
    ...EMPTY_BAND,
    file: band.text("file") ?? null,
    index: index === undefined ? null : Math.trunc(index) - 1,
    id: band.text("id") ?? null,
    names: band.texts("names") ?? null,
    role: role ?? null,
    wavelengthNm: band.number("wavelengthNm", 1, 1e9) ?? null,
    quantity: band.choice("quantity", QUANTITIES) ?? null,
    gsdM: band.number("gsd", 0, 1e6) ?? null,
    nodata: band.number("nodata") ?? defaults.nodata,
    radianceMult: band.number("radianceMult") ?? null,
    radianceAdd: band.number("radianceAdd") ?? null,
    reflectanceMult: band.number("reflectanceMult") ?? defaults.reflectanceMult,
    reflectanceAdd: band.number("reflectanceAdd") ?? defaults.reflectanceAdd,
    sunCorrected: false,
  };
}

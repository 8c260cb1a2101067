import { storableText } from "@swath/kernel/text/storable-text";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { namesOfRole, roleOfPolarisation, roleOfText, roleOfWavelength } from "./band-roles.ts";
import { baseName, type MatchedBand, stem } from "./match-bands.ts";
import { type Sensor, sensorBand, sensorById, type SensorBand } from "./sensors.ts";

export interface BandNaming {
  readonly names: readonly string[];
  readonly role: BandRole | null;
  readonly wavelengthNm: number | null;
  /** Row of the sensor's table, when there is one. */
  readonly table: SensorBand | null;
}

interface Draft {
  readonly role: BandRole | null;
  readonly names: readonly string[] | null;
  readonly id: string | null;
  readonly wavelengthNm: number | null;
  readonly table: SensorBand | null;
}

const COLOURS: Readonly<Record<string, BandRole>> = { red: "R", green: "G", blue: "B" };

/** The sensor that band names give away when nothing else does: "b02", "b8a" are how Sentinel-2 bands are written. */
export function sensorOfBands(bands: readonly MatchedBand[]): Sensor | null {
  const ids = bands.map(
    (band) => band.document?.id ?? usefulDescription(band, bands) ?? bandIdOfFile(band.fileName) ?? "",
  );
  const sentinel = ids.filter((id) => /^b(?:0[1-9]|1[0-2]|8a)$/i.test(id));
  return sentinel.length >= 2 && sentinel.length * 2 >= ids.length ? sensorById("sentinel-2") : null;
}

/** Names and roles of all bands of a scene, each name and role once. */
export function nameBands(bands: readonly MatchedBand[], sensor: Sensor | null): readonly BandNaming[] {
  const order = shippedOrder(bands, sensor);
  const drafts = bands.map((band, i) => draft(band, bands, sensor, order?.[i] ?? null));
  return distinct(drafts, bands);
}

function draft(band: MatchedBand, bands: readonly MatchedBand[], sensor: Sensor | null, shipped: string | null): Draft {
  const { document, source } = band;
  const description = usefulDescription(band, bands);
  const wavelengthNm = document?.wavelengthNm ?? source.wavelengthNm;
  const candidates = [document?.id, description, bandIdOfFile(band.fileName), shipped];
  let table: SensorBand | null = null;
  for (const candidate of candidates) {
    if (candidate === null || candidate === undefined || sensor === null) continue;
    table = sensorBand(sensor, candidate);
    // A description that is no band of the sensor ("ndvi") must not be overruled by the file name or order.
    if (table !== null || candidate === document?.id || candidate === description) break;
  }
  const texts = [document?.id, ...(document?.names ?? []), description].filter((text) => typeof text === "string");
  const role =
    document?.role ??
    table?.role ??
    firstRole(texts) ??
    (texts.length === 0 ? roleOfFileName(band, bands) : null) ??
    (wavelengthNm === null ? null : roleOfWavelength(wavelengthNm)) ??
    (document?.id || description ? null : colourRole(band, bands));
  return {
    role,
    names: document?.names ?? null,
    id:
      table?.id ??
      document?.id ??
      description ??
      (bands.length > 1 && band.band === 0 ? bandIdOfFile(band.fileName) : null),
    wavelengthNm: wavelengthNm ?? (isOptical(table) ? (table?.wavelengthNm ?? null) : null),
    table,
  };
}

function isOptical(table: SensorBand | null): boolean {
  return table !== null && table.wavelengthNm < 20_000;
}

function firstRole(texts: readonly string[]): BandRole | null {
  for (const text of texts) {
    const role = roleOfText(text);
    if (role !== null) return role;
  }
  return null;
}

/** A single-band file is named after its band: a polarisation, or a colour at the end of the name. */
function roleOfFileName(band: MatchedBand, bands: readonly MatchedBand[]): BandRole | null {
  if (bands.some((other) => other.raster === band.raster && other.band !== band.band)) return null;
  const name = stem(band.fileName);
  const last = name.split(/[_\-. ]/).at(-1) ?? "";
  return roleOfPolarisation(name) ?? (bands.length > 1 && last.length > 2 ? roleOfText(last) : null);
}

/** Red, green and blue as the file declares them; a fourth data band after them is near infrared in every product of that form. */
function colourRole(band: MatchedBand, bands: readonly MatchedBand[]): BandRole | null {
  const colour = COLOURS[band.source.colorInterpretation];
  if (colour !== undefined) return colour;
  const ofRaster = bands.filter((other) => other.raster === band.raster);
  const rgb =
    ofRaster.length === 4 &&
    ofRaster.slice(0, 3).every((other) => COLOURS[other.source.colorInterpretation] !== undefined);
  return rgb && band.band === 3 ? "N" : null;
}

/** Band ids by position, when no band says its own and the number of bands is one the sensor's products have. */
function shippedOrder(bands: readonly MatchedBand[], sensor: Sensor | null): readonly string[] | null {
  const order = sensor?.orders[bands.length];
  const silent = bands.every(
    (band) => band.document === null && usefulDescription(band, bands) === null && band.source.wavelengthNm === null,
  );
  const oneFile = bands.every((band) => band.raster === bands[0]?.raster);
  return order !== undefined && silent && oneFile ? order : null;
}

/** The description of a band unless all bands of the file share it, as exports of data cubes do. */
function usefulDescription(band: MatchedBand, bands: readonly MatchedBand[]): string | null {
  const { description } = band.source;
  if (description === null) return null;
  const shared = bands.some(
    (other) => other.raster === band.raster && other.band !== band.band && other.source.description === description,
  );
  return shared || /^(?:band|bands|layer|lyr\.?|gray)[ _]?\d*$/i.test(description) ? null : description;
}

/** Band id at the end of a file name: `LC08_…_SR_B4.TIF`, `T32TQM_20200101T000000_B8A_20m.tif`. */
function bandIdOfFile(fileName: string): string | null {
  const matches = [...stem(fileName).matchAll(/(?:^|[_\-. ])(b(?:and)?[ _]?\d{1,2}a?|vv|vh|hh|hv)(?=$|[_\-. ])/gi)];
  return matches.at(-1)?.[1]?.toUpperCase() ?? null;
}

/** Two bands cannot share a role: the second near-infrared is N2, any other is left without. Names are made unique likewise. */
function distinct(drafts: readonly Draft[], bands: readonly MatchedBand[]): readonly BandNaming[] {
  const roles = new Set<BandRole>();
  const used = new Set<string>();
  return drafts.map((entry, i) => {
    let { role } = entry;
    if (role === "N" && roles.has("N")) role = "N2";
    if (role !== null && roles.has(role)) role = null;
    if (role !== null) roles.add(role);
    const named = entry.names ?? (role === null ? [] : namesOfRole(role));
    // Names come from tags and from files in archives, with whatever bytes those hold.
    const wanted = [...named, ...(entry.names === null && entry.id !== null ? [entry.id] : [])].map(storableText);
    const names = wanted.filter(
      (name, at) =>
        wanted.findIndex((other) => other.toLowerCase() === name.toLowerCase() && other === name) === at &&
        !used.has(name),
    );
    if (names.length === 0)
      names.push(
        freeName(
          bands.length === 1 ? storableText(baseName(bands[i]?.fileName ?? "")) || "Band 1" : `Band ${i + 1}`,
          used,
        ),
      );
    for (const name of names) used.add(name);
    return { names, role, wavelengthNm: entry.wavelengthNm, table: entry.table };
  });
}

function freeName(name: string, used: ReadonlySet<string>): string {
  let candidate = name;
  for (let i = 2; used.has(candidate); i++) candidate = `${name} ${i}`;
  return candidate;
}

import { createProjection, formatProjString, parseProjString, withFalseOrigin } from "@swath/kernel/crs/projection";
import { utmName, utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { WEB_MERCATOR_PROJ_STRING } from "@swath/kernel/crs/web-mercator";
import type { SourceCrs } from "../source-raster.ts";
import { DATUM_SHIFTS, HOTINE_VARIANT_A_CODES, PROJECTED_CODES } from "./datum-shifts.generated.ts";

/** The shift of a frame to WGS 84: none needed, by Helmert parameters, or not known. */
export type DatumShift =
  | { readonly kind: "none" }
  | { readonly kind: "helmert"; readonly towgs84: string }
  | { readonly kind: "unknown" };

/** EPSG:3857 and its earlier unofficial codes. */
const WEB_MERCATOR_CODES = new Set([3857, 3785, 900_913, 102_100, 102_113]);

/** Datums inside of `geotiff-geokeys-to-proj4` strings are given by ellipsoid; proj4 knows these by name. */
const NAMED_ELLIPSOIDS = new Set(["WGS84", "GRS80"]);

/**
 * The CRS of an EPSG code, or null when there is none that a proj string can express.
 * UTM on WGS 84, EPSG:4326 and EPSG:3857 are made by formula; the rest comes from tables that are loaded on first use.
 */
export async function crsOfEpsg(epsg: number): Promise<SourceCrs | null> {
  if (epsg === 4326) return wgs84(4326, "+proj=longlat +datum=WGS84 +no_defs", "WGS 84");
  if (WEB_MERCATOR_CODES.has(epsg)) return wgs84(3857, WEB_MERCATOR_PROJ_STRING, "WGS 84 / Pseudo-Mercator");
  const utm = utmZoneOfEpsg(epsg);
  if (utm !== null) return wgs84(epsg, utmProjString(utm), utmName(utm));
  const table = await tableProjString({ ProjectedCSTypeGeoKey: epsg });
  if (table === null) return null;
  const variantA = isInRanges(epsg, HOTINE_VARIANT_A_CODES) && table.includes("+proj=omerc");
  const shift = datumShiftOf(epsg);
  const definition = withDatumShift(variantA ? `${table} +no_uoff` : table, shift);
  if (!isUsable(definition)) return null;
  return { epsg, proj4: definition, name: `EPSG:${epsg}`, datumShiftKnown: shift.kind !== "unknown" };
}

/** Whether proj4 has the projection. */
export function isUsable(definition: string): boolean {
  try {
    createProjection(definition);
    return true;
  } catch {
    return false;
  }
}

function wgs84(epsg: number, proj4: string, name: string): SourceCrs {
  return { epsg, proj4, name, datumShiftKnown: true };
}

/** The shift of a geographic CRS or of the base of a projected one. */
export function datumShiftOf(epsg: number): DatumShift {
  const base = epsg in DATUM_SHIFTS ? epsg : baseOfProjected(epsg);
  const shift = base === null ? undefined : DATUM_SHIFTS[base];
  if (shift === undefined) return { kind: "none" };
  return shift === null ? { kind: "unknown" } : { kind: "helmert", towgs84: shift };
}

function baseOfProjected(epsg: number): number | null {
  for (const [base, codes] of Object.entries(PROJECTED_CODES)) {
    if (isInRanges(epsg, codes)) return Number(base);
  }
  return null;
}

function isInRanges(code: number, ranges: string): boolean {
  return ranges.split(" ").some((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return code >= first && code <= last;
  });
}

/** Adds the shift to a definition that states its ellipsoid. */
export function withDatumShift(definition: string, shift: DatumShift): string {
  if (shift.kind !== "helmert") return definition;
  const parameters = new Map(parseProjString(definition));
  parameters.set("towgs84", shift.towgs84);
  return formatProjString(parameters);
}

type TableKeys = Readonly<Record<string, number>>;

/** The proj string that the EPSG tables give for GeoTIFF keys, made fit for proj4; null when they have none. */
export async function tableProjString(keys: TableKeys): Promise<string | null> {
  const { default: tables } = await import("geotiff-geokeys-to-proj4");
  // The library types its argument as if every key were required.
  const result = tables.toProj4(keys as unknown as Parameters<typeof tables.toProj4>[0]);
  if (Object.keys(result.errors).length > 0 || result.proj4 === "") return null;
  const { x, y } = result.coordinatesConversionParameters;
  if (x !== y) return null;
  if (result.isGCS && x !== 1) return null;
  return fitForProj4(result.proj4, result.isGCS ? 1 : x);
}

/** Repairs what proj4 would misread in the strings of the tables. */
function fitForProj4(definition: string, metresPerUnit: number): string | null {
  // The shifts of the tables are incomplete and some have the wrong sign: DATUM_SHIFTS replaces them.
  const parameters = new Map(parseProjString(definition.replace(/\+towgs84=[^+]*/, "")));
  for (const [key, value] of parameters) {
    if (value === "undefined" || value === "NaN") parameters.delete(key);
  }
  // GeoTIFF stores easting before northing whatever axis order the authority defines; only reversed directions matter.
  const axis = parameters.get("axis") ?? "";
  parameters.delete("axis");
  if (axis === "ws" || axis === "sw") parameters.set("axis", "wsu");
  if (parameters.get("pm") === "0") parameters.delete("pm");
  if (NAMED_ELLIPSOIDS.has(parameters.get("ellps") ?? "")) {
    parameters.delete("a");
    parameters.delete("b");
  } else if (parameters.has("a") && parameters.has("b")) {
    parameters.delete("ellps");
    const a = Number(parameters.get("a"));
    const b = Number(parameters.get("b"));
    if (a !== b) {
      // proj4's somerc takes the flattening from rf only.
      parameters.delete("b");
      parameters.set("rf", String(a / (a - b)));
    }
  }
  if (metresPerUnit !== 1 && !parameters.has("to_meter")) parameters.set("to_meter", String(metresPerUnit));
  switch (parameters.get("proj")) {
    case "stere": {
      const standardParallel = Number(parameters.get("lat_ts") ?? Number.NaN);
      if (!parameters.has("lat_0") && Number.isFinite(standardParallel))
        parameters.set("lat_0", standardParallel < 0 ? "-90" : "90");
      break;
    }
    case "merc":
      if (!parameters.has("lat_ts") && parameters.has("lat_1"))
        parameters.set("lat_ts", parameters.get("lat_1") ?? "0");
      parameters.delete("lat_1");
      break;
    case "lcc":
      if (!parameters.has("lat_1") && parameters.has("lat_0")) parameters.set("lat_1", parameters.get("lat_0") ?? "0");
      break;
    case "omerc":
      // The Swiss oblique Mercator: an azimuth of 90 degrees is a singular case of Hotine's formulas.
      if (parameters.get("alpha") === "90" && parameters.get("gamma") === "90") {
        parameters.set("proj", "somerc");
        parameters.set("lon_0", parameters.get("lonc") ?? "0");
        for (const key of ["alpha", "gamma", "lonc"]) parameters.delete(key);
      }
      break;
    case undefined:
    case null:
      return null;
    default:
  }
  return withFalseOrigin(formatProjString(parameters));
}

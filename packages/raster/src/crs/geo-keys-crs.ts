import { createProjection } from "@swath/kernel/crs/projection";
import { epsgOfUtmZone } from "@swath/kernel/crs/utm";
import { RasterError } from "../raster-error.ts";
import type { SourceCrs } from "../source-raster.ts";
import type { GeoKeys } from "../tiff/geo-keys.ts";
import { crsOfEpsg, datumShiftOf, isUsable, tableProjString, withDatumShift } from "./epsg-crs.ts";
import { METHOD_OF_GEOTIFF_CODE, projOfMethod, type ProjectionParameters } from "./projection-method.ts";
import { crsOfWkt } from "./wkt-crs.ts";

/** GeoTIFF key numbers (OGC GeoTIFF 1.1, annex A). */
const KEY = {
  modelType: 1024,
  citation: 1026,
  geographicType: 2048,
  geographicCitation: 2049,
  geodeticDatum: 2050,
  geographicLinearUnits: 2052,
  angularUnits: 2054,
  angularUnitSize: 2055,
  ellipsoid: 2056,
  semiMajorAxis: 2057,
  semiMinorAxis: 2058,
  inverseFlattening: 2059,
  primeMeridianLongitude: 2061,
  toWgs84: 2062,
  projectedType: 3072,
  projectedCitation: 3073,
  projection: 3074,
  coordinateTransformation: 3075,
  linearUnits: 3076,
  linearUnitSize: 3077,
  standardParallel1: 3078,
  standardParallel2: 3079,
  naturalOriginLongitude: 3080,
  naturalOriginLatitude: 3081,
  falseEasting: 3082,
  falseNorthing: 3083,
  falseOriginLongitude: 3084,
  falseOriginLatitude: 3085,
  falseOriginEasting: 3086,
  falseOriginNorthing: 3087,
  centreLongitude: 3088,
  centreLatitude: 3089,
  centreEasting: 3090,
  centreNorthing: 3091,
  scaleAtNaturalOrigin: 3092,
  scaleAtCentre: 3093,
  azimuth: 3094,
  straightVerticalPole: 3095,
  rectifiedGridAngle: 3096,
} as const;

const USER_DEFINED = 32_767;
const MODEL = { projected: 1, geographic: 2, geocentric: 3 } as const;

/** Metres of the linear units that occur (EPSG units of measure). */
const LINEAR_UNITS_M: Readonly<Record<number, number>> = {
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9005: 0.304_797_265_4,
  9036: 1000,
  9031: 1.000_013_596_5,
};

const DEGREE_CODES = new Set([9102, 9122]);

/** Ellipsoids by EPSG code, as proj parameters. */
const ELLIPSOIDS: Readonly<Record<number, string>> = {
  7001: "+ellps=airy",
  7004: "+ellps=bessel",
  7008: "+ellps=clrk66",
  7012: "+a=6378249.145 +rf=293.465",
  7019: "+ellps=GRS80",
  7022: "+ellps=intl",
  7024: "+ellps=krass",
  7030: "+ellps=WGS84",
  7043: "+ellps=WGS72",
  7048: "+a=6371007 +b=6371007",
};

/**
 * The CRS of GeoTIFF keys; null when the file states none.
 *
 * @throws {RasterError} unsupported when it states one that cannot be used
 */
export async function crsFromGeoKeys(keys: GeoKeys | null, fileName: string): Promise<SourceCrs | null> {
  if (keys === null || keys.size === 0) return null;
  const model = numberOf(keys, KEY.modelType);
  if (model === MODEL.geocentric) throw notUsable(fileName, "geocentric coordinates");
  const projected = numberOf(keys, KEY.projectedType);
  const geographic = numberOf(keys, KEY.geographicType);
  if (projected !== undefined && isEpsg(projected)) {
    return (await crsOfEpsg(projected)) ?? (await userDefined(keys)) ?? fail(fileName, `EPSG:${projected}`);
  }
  const wantsProjection = model === MODEL.projected || (model === undefined && keys.has(KEY.coordinateTransformation));
  if (!wantsProjection && geographic !== undefined && isEpsg(geographic)) {
    if (!isDegrees(keys)) throw notUsable(fileName, "angles in other units than degrees");
    return (await crsOfEpsg(geographic)) ?? fail(fileName, `EPSG:${geographic}`);
  }
  if (model === undefined && !wantsProjection && geographic === undefined) return fromCitation(keys);
  return (await userDefined(keys)) ?? (await fromCitation(keys)) ?? fail(fileName, describe(keys));
}

function fail(fileName: string, crs: string): never {
  throw notUsable(fileName, crs);
}

function notUsable(fileName: string, crs: string): RasterError {
  return new RasterError(
    "unsupported",
    `${fileName}: the coordinate reference system (${crs}) is not understood, expected an EPSG code or a projection that GeoTIFF keys describe`,
  );
}

function describe(keys: GeoKeys): string {
  for (const key of [KEY.projectedCitation, KEY.citation, KEY.geographicCitation]) {
    const text = keys.get(key);
    if (typeof text === "string" && text !== "") return text.slice(0, 120);
  }
  return "user-defined";
}

function numberOf(keys: GeoKeys, key: number): number | undefined {
  const value = keys.get(key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function isEpsg(code: number): boolean {
  return code >= 1024 && code !== USER_DEFINED;
}

function isDegrees(keys: GeoKeys): boolean {
  const units = numberOf(keys, KEY.angularUnits);
  if (units === undefined || DEGREE_CODES.has(units)) return true;
  const size = numberOf(keys, KEY.angularUnitSize);
  return units === USER_DEFINED && size !== undefined && Math.abs(size - Math.PI / 180) < 1e-12;
}

/** A CRS described key by key. */
async function userDefined(keys: GeoKeys): Promise<SourceCrs | null> {
  if (!isDegrees(keys)) return null;
  const base = await geodeticBase(keys);
  if (base === null) return null;
  const named = { epsg: null, name: describe(keys), datumShiftKnown: base.datumShiftKnown };
  if (numberOf(keys, KEY.modelType) === MODEL.geographic) {
    const definition = `+proj=longlat ${base.text} +no_defs`;
    return isUsable(definition) ? { ...named, proj4: definition } : null;
  }
  const projection = numberOf(keys, KEY.projection);
  const metresPerUnit = linearUnitM(keys);
  if (metresPerUnit === null) return null;
  const utm = projection === undefined ? null : utmOfProjection(projection);
  if (utm !== null && base.isWgs84 && metresPerUnit === 1) return crsOfEpsg(epsgOfUtmZone(utm));
  const method = METHOD_OF_GEOTIFF_CODE[numberOf(keys, KEY.coordinateTransformation) ?? 0];
  let plane: string | null = null;
  if (utm !== null) {
    plane = `+proj=tmerc +lat_0=0 +lon_0=${utm.zone * 6 - 183} +k_0=0.9996 +x_0=500000 +y_0=${utm.south ? 10_000_000 : 0}`;
  } else if (method !== undefined) {
    plane = projOfMethod(method, readParameters(keys, metresPerUnit));
  } else if (projection !== undefined && isEpsg(projection)) {
    plane = planeOf(await tableProjString({ ProjectionGeoKey: projection }));
  }
  if (plane === null) return null;
  const units = metresPerUnit === 1 ? "+units=m" : `+to_meter=${metresPerUnit}`;
  const definition = `${plane} ${base.text} ${units} +no_defs`;
  return isUsable(definition) ? { ...named, proj4: definition } : null;
}

/** The projection alone of a table string, without its ellipsoid and datum. */
function planeOf(definition: string | null): string | null {
  if (definition === null || !definition.includes("+proj=") || definition.includes("+proj=longlat")) return null;
  return definition
    .split(" ")
    .filter((token) => !/^\+(a|b|rf|ellps|datum|towgs84|pm|no_defs|units|to_meter)(=|$)/.test(token))
    .join(" ");
}

/** UTM conversions of GeoTIFF key 3074: 16001 to 16060 north, 16101 to 16160 south. */
function utmOfProjection(code: number): { readonly zone: number; readonly south: boolean } | null {
  if (code > 16_000 && code <= 16_060) return { zone: code - 16_000, south: false };
  return code > 16_100 && code <= 16_160 ? { zone: code - 16_100, south: true } : null;
}

function linearUnitM(keys: GeoKeys): number | null {
  const units = numberOf(keys, KEY.linearUnits);
  if (units === undefined) return 1;
  if (units === USER_DEFINED) return numberOf(keys, KEY.linearUnitSize) ?? null;
  return LINEAR_UNITS_M[units] ?? null;
}

function readParameters(keys: GeoKeys, metresPerUnit: number): ProjectionParameters {
  const first = (...names: readonly number[]) => {
    for (const name of names) {
      const value = numberOf(keys, name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const metres = (value: number | undefined) => (value === undefined ? undefined : value * metresPerUnit);
  return {
    latitudeOfOrigin: first(KEY.naturalOriginLatitude, KEY.falseOriginLatitude, KEY.centreLatitude),
    centralMeridian: first(
      KEY.straightVerticalPole,
      KEY.naturalOriginLongitude,
      KEY.falseOriginLongitude,
      KEY.centreLongitude,
    ),
    standardParallel1: first(KEY.standardParallel1),
    standardParallel2: first(KEY.standardParallel2),
    scaleFactor: first(KEY.scaleAtNaturalOrigin, KEY.scaleAtCentre),
    azimuth: first(KEY.azimuth),
    rectifiedGridAngle: first(KEY.rectifiedGridAngle),
    falseEastingM: metres(first(KEY.falseEasting, KEY.falseOriginEasting, KEY.centreEasting)),
    falseNorthingM: metres(first(KEY.falseNorthing, KEY.falseOriginNorthing, KEY.centreNorthing)),
  };
}

interface GeodeticBase {
  readonly text: string;
  readonly isWgs84: boolean;
  readonly datumShiftKnown: boolean;
}

async function geodeticBase(keys: GeoKeys): Promise<GeodeticBase | null> {
  const datum = numberOf(keys, KEY.geodeticDatum);
  const stated = numberOf(keys, KEY.geographicType);
  // EPSG numbers datums 2000 above the geographic CRS that they belong to.
  const code =
    stated !== undefined && isEpsg(stated)
      ? stated
      : datum !== undefined && datum > 6000 && datum < 7000
        ? datum - 2000
        : null;
  if (code === 4326) return { text: "+datum=WGS84", isWgs84: true, datumShiftKnown: true };
  if (code !== null) {
    const table = await tableProjString({ GeographicTypeGeoKey: code });
    if (table !== null) {
      const shift = datumShiftOf(code);
      const text = withDatumShift(table, shift)
        .split(" ")
        .filter((token) => !/^\+(proj|no_defs|x_0|y_0)(=|$)/.test(token))
        .join(" ");
      return { text, isWgs84: false, datumShiftKnown: shift.kind !== "unknown" };
    }
  }
  return ellipsoidBase(keys);
}

function ellipsoidBase(keys: GeoKeys): GeodeticBase | null {
  const a = numberOf(keys, KEY.semiMajorAxis);
  const b = numberOf(keys, KEY.semiMinorAxis);
  const inverseFlattening = numberOf(keys, KEY.inverseFlattening);
  const named = ELLIPSOIDS[numberOf(keys, KEY.ellipsoid) ?? 0];
  let ellipsoid = named;
  if (a !== undefined && a > 6e6 && a < 7e6) {
    const stated = inverseFlattening !== undefined && inverseFlattening > 0 ? inverseFlattening : null;
    const derived = b === undefined || b === a ? null : a / (a - b);
    const flattening = stated ?? derived;
    ellipsoid = flattening === null ? `+a=${a} +b=${a}` : `+a=${a} +rf=${flattening}`;
  }
  if (ellipsoid === undefined) return null;
  const meridian = numberOf(keys, KEY.primeMeridianLongitude) ?? 0;
  const shift = keys.get(KEY.toWgs84);
  const helmert = Array.isArray(shift) && (shift.length === 3 || shift.length === 7) && shift.every(Number.isFinite);
  const text = [
    ellipsoid,
    ...(meridian === 0 ? [] : [`+pm=${meridian}`]),
    ...(helmert ? [`+towgs84=${shift.join(",")}`] : []),
  ].join(" ");
  // Frames on the ellipsoid of WGS 84 or GRS 80, and spheres, which have no datum, are used without a shift.
  const modern =
    a === undefined ? named === "+ellps=WGS84" || named === "+ellps=GRS80" : Math.abs(a - 6_378_137) < 0.01;
  const sphere = /\+a=(\S+) \+b=\1(\s|$)/.test(ellipsoid);
  return { text, isWgs84: false, datumShiftKnown: modern || sphere || helmert };
}

/** Esri writers put WKT into a citation ("ESRI PE String = PROJCS[…]"). */
async function fromCitation(keys: GeoKeys): Promise<SourceCrs | null> {
  for (const key of [KEY.projectedCitation, KEY.citation, KEY.geographicCitation]) {
    const text = keys.get(key);
    if (typeof text !== "string") continue;
    const start = text.search(/(?:PROJCS|GEOGCS)\[/);
    if (start >= 0) {
      const crs = await crsOfWkt(text.slice(start));
      if (crs !== null) return crs;
    }
    if (/^(?:GCS_)?WGS[ _]?(?:19)?84$/i.test(text.trim())) return crsOfEpsg(4326);
    const utm = /WGS[ _]?(?:19)?84\s*\/?\s*UTM zone (\d{1,2})\s*([NS])/i.exec(text.replaceAll("_", " "));
    const zone = Number(utm?.[1]);
    if (utm !== null && zone >= 1 && zone <= 60)
      return crsOfEpsg(epsgOfUtmZone({ zone, south: utm[2]?.toUpperCase() === "S" }));
  }
  return null;
}

/** Checks that the CRS covers a point: its projection gives finite coordinates there and finds the way back. */
export function coversPoint(crs: SourceCrs, x: number, y: number): boolean {
  try {
    const projection = createProjection(crs.proj4);
    const [lon, lat] = projection.inverse(x, y);
    projection.forward(lon, lat);
    return Math.abs(lat) <= 90 && Math.abs(lon) <= 540;
  } catch {
    return false;
  }
}

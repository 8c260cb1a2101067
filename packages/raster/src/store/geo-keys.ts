import { isGeographic, parseProjString } from "@swath/kernel/crs/projection";
import type { SourceCrs } from "../source-raster.ts";
import { TIFF_ASCII, TIFF_DOUBLE, TIFF_SHORT } from "./tiff-tags.ts";
import type { TiffTag } from "./tiff-tags.ts";

const USER_DEFINED = 32_767;
const GEO_KEY_DIRECTORY = 34_735;
const GEO_DOUBLE_PARAMS = 34_736;
const GEO_ASCII_PARAMS = 34_737;

/** Semi-major axis and inverse flattening of ellipsoids named in proj strings. */
const ELLIPSOIDS: Readonly<Record<string, readonly [semiMajorM: number, inverseFlattening: number]>> = {
  WGS84: [6_378_137, 298.257_223_563],
  GRS80: [6_378_137, 298.257_222_101],
  WGS72: [6_378_135, 298.26],
  intl: [6_378_388, 297],
  bessel: [6_377_397.155, 299.152_812_8],
  clrk66: [6_378_206.4, 294.978_698_2],
  krass: [6_378_245, 298.3],
  airy: [6_377_563.396, 299.324_964_6],
};

/** GeoTIFF 1.1 codes of ProjMethodGeoKey and the geokeys that take the proj parameters. */
const METHODS: Readonly<Record<string, { readonly code: number; readonly keys: Readonly<Record<string, number>> }>> = {
  tmerc: { code: 1, keys: { lat_0: 3081, lon_0: 3080, k_0: 3092, x_0: 3082, y_0: 3083 } },
  merc: { code: 7, keys: { lat_0: 3081, lon_0: 3080, k_0: 3092, x_0: 3082, y_0: 3083 } },
  lcc: { code: 8, keys: { lat_1: 3078, lat_2: 3079, lat_0: 3085, lon_0: 3084, x_0: 3086, y_0: 3087 } },
  laea: { code: 10, keys: { lat_0: 3089, lon_0: 3088, x_0: 3082, y_0: 3083 } },
  aea: { code: 11, keys: { lat_1: 3078, lat_2: 3079, lat_0: 3081, lon_0: 3080, x_0: 3082, y_0: 3083 } },
  stere: { code: 15, keys: { lat_0: 3081, lon_0: 3095, k_0: 3092, x_0: 3082, y_0: 3083 } },
  eqc: { code: 17, keys: { lat_0: 3081, lon_0: 3080, x_0: 3082, y_0: 3083 } },
  sinu: { code: 24, keys: { lon_0: 3080, x_0: 3082, y_0: 3083 } },
};

interface GeoKeys {
  readonly shorts: Map<number, number>;
  readonly doubles: Map<number, number>;
  readonly texts: Map<number, string>;
}

/**
 * GeoTIFF tags of a CRS: the EPSG code where there is one, else the projection of the proj string for the methods
 * that GeoTIFF knows. The proj string always stands in the citation of a user-defined CRS; readers of the store
 * take it from the scene and need no geokeys.
 */
export function geoKeyTags(crs: SourceCrs): readonly TiffTag[] {
  const keys: GeoKeys = { shorts: new Map(), doubles: new Map(), texts: new Map() };
  const geographic = isGeographic(crs.proj4);
  keys.shorts.set(1024, geographic ? 2 : 1);
  // RasterPixelIsArea
  keys.shorts.set(1025, 1);
  if (crs.epsg !== null && crs.epsg > 0 && crs.epsg < 65_535) {
    keys.shorts.set(geographic ? 2048 : 3072, crs.epsg);
    keys.texts.set(1026, crs.name);
  } else {
    keys.texts.set(1026, `${crs.name} (${crs.proj4})`);
    userDefined(keys, crs.proj4, geographic);
  }
  return encode(keys);
}

function userDefined(keys: GeoKeys, proj4: string, geographic: boolean): void {
  const parameters = parseProjString(proj4);
  const number = (key: string): number | null => {
    const text = parameters.get(key);
    const value = text === null || text === undefined ? Number.NaN : Number.parseFloat(text);
    return Number.isFinite(value) ? value : null;
  };
  keys.shorts.set(2048, USER_DEFINED);
  keys.shorts.set(2050, USER_DEFINED);
  keys.shorts.set(2054, 9102);
  keys.shorts.set(2056, USER_DEFINED);
  const named = ELLIPSOIDS[parameters.get("ellps") ?? parameters.get("datum") ?? "WGS84"] ?? [
    6_378_137, 298.257_223_563,
  ];
  const semiMajor = number("a") ?? number("R") ?? named[0];
  keys.doubles.set(2057, semiMajor);
  if (parameters.has("R") || number("b") === semiMajor) keys.doubles.set(2058, semiMajor);
  else if (number("b") !== null) keys.doubles.set(2058, number("b") ?? semiMajor);
  else keys.doubles.set(2059, number("rf") ?? named[1]);
  if (geographic) return;

  keys.shorts.set(3072, USER_DEFINED);
  keys.shorts.set(3074, USER_DEFINED);
  keys.shorts.set(3076, 9001);
  const name = parameters.get("proj") ?? "";
  if (name === "utm") {
    const zone = number("zone") ?? 1;
    keys.shorts.set(3075, 1);
    keys.doubles.set(3081, 0);
    keys.doubles.set(3080, zone * 6 - 183);
    keys.doubles.set(3092, 0.9996);
    keys.doubles.set(3082, 500_000);
    keys.doubles.set(3083, parameters.has("south") ? 10_000_000 : 0);
    return;
  }
  const method = METHODS[name];
  if (method === undefined) return;
  keys.shorts.set(3075, method.code);
  for (const [parameter, key] of Object.entries(method.keys)) {
    const value = number(parameter) ?? (parameter === "k_0" ? (number("k") ?? 1) : 0);
    keys.doubles.set(key, value);
  }
}

function encode(keys: GeoKeys): readonly TiffTag[] {
  const doubles: number[] = [];
  let text = "";
  const entries: (readonly [number, number, number, number])[] = [];
  for (const [key, value] of keys.shorts) entries.push([key, 0, 1, value]);
  for (const [key, value] of keys.doubles) {
    entries.push([key, GEO_DOUBLE_PARAMS, 1, doubles.length]);
    doubles.push(value);
  }
  for (const [key, value] of keys.texts) {
    // The bar separates texts, so it may not occur inside; the tag is ASCII.
    const clean = `${value.replaceAll("|", "/").replaceAll(/[^\u0020-\u007E]/gu, "?")}|`;
    entries.push([key, GEO_ASCII_PARAMS, clean.length, text.length]);
    text += clean;
  }
  const directory = entries.toSorted((a, b) => a[0] - b[0]);
  const tags: TiffTag[] = [
    { tag: GEO_KEY_DIRECTORY, type: TIFF_SHORT, value: [1, 1, 0, directory.length, ...directory.flat()] },
  ];
  if (doubles.length > 0) tags.push({ tag: GEO_DOUBLE_PARAMS, type: TIFF_DOUBLE, value: doubles });
  if (text !== "") tags.push({ tag: GEO_ASCII_PARAMS, type: TIFF_ASCII, value: text });
  return tags;
}

import type { SourceCrs } from "../source-raster.ts";
import { crsOfEpsg, isUsable } from "./epsg-crs.ts";
import { METHOD_OF_WKT_NAME, projOfMethod } from "./projection-method.ts";

/** An element of well-known text: `NAME["text", 1.5, CHILD[…]]`. */
interface WktNode {
  readonly keyword: string;
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly children: readonly WktNode[];
}

const MAX_CHARACTERS = 20_000;
const MAX_DEPTH = 32;

/**
 * The CRS of WKT 1 (OGC or Esri), null when it is not understood. An EPSG authority at the top decides;
 * otherwise the projection is made of its parameters.
 */
export async function crsOfWkt(wkt: string): Promise<SourceCrs | null> {
  const root = parseWkt(wkt);
  if (root === null || (root.keyword !== "PROJCS" && root.keyword !== "GEOGCS")) return null;
  const authority = child(root, "AUTHORITY");
  if (authority?.texts[0]?.toUpperCase() === "EPSG") {
    const crs = await crsOfEpsg(Number(authority.texts[1] ?? authority.numbers[0]));
    if (crs !== null) return crs;
  }
  const geographic = root.keyword === "GEOGCS" ? root : child(root, "GEOGCS");
  const datum = geographic === null ? null : child(geographic, "DATUM");
  const spheroid = datum === null ? null : (child(datum, "SPHEROID") ?? child(datum, "ELLIPSOID"));
  const [a = 0, inverseFlattening = 0] = spheroid?.numbers ?? [];
  if (geographic === null || datum === null || !(a > 6e6 && a < 7e6)) return null;
  const isWgs84 = /wgs_?(19)?84/i.test(datum.texts[0] ?? "");
  const shift = child(datum, "TOWGS84")?.numbers;
  const meridian = child(geographic, "PRIMEM")?.numbers[0] ?? 0;
  const base = [
    isWgs84 ? "+datum=WGS84" : `+a=${a} ${inverseFlattening === 0 ? `+b=${a}` : `+rf=${inverseFlattening}`}`,
    shift === undefined || isWgs84 ? "" : `+towgs84=${shift.join(",")}`,
    meridian === 0 ? "" : `+pm=${meridian}`,
  ].filter((part) => part !== "");
  const plane = root.keyword === "GEOGCS" ? "+proj=longlat" : planeOf(root);
  if (plane === null) return null;
  const unit = root.keyword === "GEOGCS" ? 1 : (child(root, "UNIT")?.numbers[0] ?? 1);
  const units = root.keyword === "GEOGCS" ? [] : [unit === 1 ? "+units=m" : `+to_meter=${unit}`];
  const definition = [plane, ...base, ...units, "+no_defs"].join(" ");
  if (!isUsable(definition)) return null;
  const datumShiftKnown = isWgs84 || shift !== undefined || Math.abs(a - 6_378_137) < 0.01 || inverseFlattening === 0;
  return { epsg: null, proj4: definition, name: root.texts[0] ?? "user-defined", datumShiftKnown };
}

function planeOf(root: WktNode): string | null {
  const method = METHOD_OF_WKT_NAME[child(root, "PROJECTION")?.texts[0]?.toLowerCase() ?? ""];
  if (method === undefined) return null;
  const parameters = new Map<string, number>();
  for (const node of root.children) {
    if (node.keyword === "PARAMETER") parameters.set((node.texts[0] ?? "").toLowerCase(), node.numbers[0] ?? 0);
  }
  const first = (...names: readonly string[]) =>
    names.map((name) => parameters.get(name)).find((value) => value !== undefined);
  const unit = child(root, "UNIT")?.numbers[0] ?? 1;
  const metres = (value: number | undefined) => (value === undefined ? undefined : value * unit);
  return projOfMethod(method, {
    latitudeOfOrigin: first("latitude_of_origin", "latitude_of_center", "latitude_of_centre"),
    centralMeridian: first("central_meridian", "longitude_of_center", "longitude_of_centre", "longitude_of_origin"),
    standardParallel1: first("standard_parallel_1", "pseudo_standard_parallel_1"),
    standardParallel2: first("standard_parallel_2"),
    scaleFactor: first("scale_factor"),
    azimuth: first("azimuth"),
    rectifiedGridAngle: first("rectified_grid_angle"),
    falseEastingM: metres(first("false_easting")),
    falseNorthingM: metres(first("false_northing")),
  });
}

function child(node: WktNode, keyword: string): WktNode | null {
  return node.children.find((entry) => entry.keyword === keyword) ?? null;
}

/** @returns null for anything that is not one balanced element */
function parseWkt(text: string): WktNode | null {
  if (text.length > MAX_CHARACTERS) return null;
  const tokens = text.match(/"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[[\](),]/g) ?? [];
  let position = 0;
  const parse = (depth: number): WktNode | null => {
    const keyword = tokens[position++];
    const open = tokens[position++];
    if (keyword === undefined || (open !== "[" && open !== "(") || depth > MAX_DEPTH) return null;
    const texts: string[] = [];
    const numbers: number[] = [];
    const children: WktNode[] = [];
    for (let token = tokens[position]; token !== undefined; token = tokens[position]) {
      if (token === "]" || token === ")") {
        position++;
        return { keyword: keyword.toUpperCase(), texts, numbers, children };
      }
      const next = tokens[position + 1];
      if (token === ",") position++;
      else if (token.startsWith('"')) {
        texts.push(token.slice(1, -1));
        position++;
      } else if (next === "[" || next === "(") {
        const node = parse(depth + 1);
        if (node === null) return null;
        children.push(node);
      } else {
        if (Number.isFinite(Number(token))) numbers.push(Number(token));
        else texts.push(token);
        position++;
      }
    }
    return null;
  };
  return parse(0);
}

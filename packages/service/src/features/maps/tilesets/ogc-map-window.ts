import { MAX_OGC_MAP_SIDE_PX, type OgcMapQuery } from "@swath/contract/features/maps/tilesets-contract";
import { lonLatToWebMercator, WEB_MERCATOR_HALF_SIDE_M } from "@swath/kernel/crs/web-mercator";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import { clampLatitude } from "../export/export-plan.ts";

export type MapWindow = Extract<GridWindow, { readonly kind: "grid" }>;

type BoxCrs = "CRS84" | "EPSG:3857" | "EPSG:4326";

/** The longer side of a picture whose sides the request leaves open. */
const DEFAULT_SIDE_PX = 1024;
/** Web Mercator maps of clients that repeat the world begin at most one turn beside it. */
const FARTHEST_M = 3 * WEB_MERCATOR_HALF_SIDE_M;
/** The pixels of a side may be a pixel off: clients round the sides of their pictures. */
const ROUNDING_PX = 1;

const BOX_CRS: Readonly<Record<string, BoxCrs>> = {
  CRS84: "CRS84",
  "OGC:CRS84": "CRS84",
  "http://www.opengis.net/def/crs/OGC/1.3/CRS84": "CRS84",
  "EPSG:4326": "EPSG:4326",
  "http://www.opengis.net/def/crs/EPSG/0/4326": "EPSG:4326",
  "EPSG:3857": "EPSG:3857",
  "http://www.opengis.net/def/crs/EPSG/0/3857": "EPSG:3857",
};

/**
 * The pixels of a picture by OGC API Maps: square pixels of the Web Mercator plane.
 *
 * @param whole bounds of the map, degrees: the box of a request without one
 * @throws {ServiceError} BAD-REQUEST naming the parameter
 */
export function ogcMapWindow(query: OgcMapQuery, whole: Bounds): MapWindow {
  const crs = crsOf("crs", query.crs, "EPSG:3857");
  if (crs !== "EPSG:3857") throw faulty("crs", query.crs ?? "", "EPSG:3857");
  const [west, south, east, north] = boxM(query, whole);
  const [widthM, heightM] = [east - west, north - south];
  const { widthPx, heightPx } = sidesOf(query, widthM / heightM);
  return { kind: "grid", originXM: west, originYM: north, pixelSizeM: widthM / widthPx, widthPx, heightPx };
}

/** The bounds of a window in metres of EPSG:3857. */
export function windowBoundsM({ heightPx, originXM, originYM, pixelSizeM, widthPx }: MapWindow): Bounds {
  return [originXM, originYM - heightPx * pixelSizeM, originXM + widthPx * pixelSizeM, originYM];
}

function sidesOf({ height, width }: OgcMapQuery, aspect: number): { widthPx: number; heightPx: number } {
  const sides =
    width !== undefined
      ? { widthPx: width, heightPx: height ?? Math.round(width / aspect) }
      : height !== undefined
        ? { widthPx: Math.round(height * aspect), heightPx: height }
        : aspect >= 1
          ? { widthPx: DEFAULT_SIDE_PX, heightPx: Math.round(DEFAULT_SIDE_PX / aspect) }
          : { widthPx: Math.round(DEFAULT_SIDE_PX * aspect), heightPx: DEFAULT_SIDE_PX };
  const widthPx = Math.max(1, sides.widthPx);
  const heightPx = Math.max(1, sides.heightPx);
  if (Math.max(widthPx, heightPx) > MAX_OGC_MAP_SIDE_PX) {
    throw faulty("bbox", `${widthPx} x ${heightPx} pixels`, `at most ${MAX_OGC_MAP_SIDE_PX} a side`);
  }
  const isSquare =
    Math.abs(heightPx - widthPx / aspect) <= ROUNDING_PX || Math.abs(widthPx - heightPx * aspect) <= ROUNDING_PX;
  if (!isSquare) {
    const expected = `square pixels of EPSG:3857, such as width=${widthPx} alone`;
    throw faulty("width and height", `${widthPx} x ${heightPx}`, expected);
  }
  return { widthPx, heightPx };
}

function boxM(query: OgcMapQuery, whole: Bounds): Bounds {
  const crs = crsOf("bbox-crs", query["bbox-crs"], "CRS84");
  if (query.bbox === undefined) return metresOf(whole);
  const expected = "four numbers in increasing order within the plane";
  const numbers = query.bbox.split(",").map((text) => (text.trim() === "" ? Number.NaN : Number(text)));
  const [a, b, c, d] = numbers;
  if (a === undefined || b === undefined || c === undefined || d === undefined || numbers.length !== 4) {
    throw faulty("bbox", query.bbox, expected);
  }
  if (!numbers.every(Number.isFinite)) throw faulty("bbox", query.bbox, expected);
  const box: Bounds =
    crs === "EPSG:3857" ? [a, b, c, d] : degreesM(crs === "CRS84" ? [a, b, c, d] : [b, a, d, c], query.bbox);
  const isWithin = box.every((metres) => Math.abs(metres) <= FARTHEST_M);
  if (!isWithin || box[0] >= box[2] || box[1] >= box[3]) throw faulty("bbox", query.bbox, expected);
  return box;
}

/** A box in degrees whose west is beyond its east crosses the antimeridian. */
function degreesM([west, south, east, north]: Bounds, text: string): Bounds {
  if (Math.max(Math.abs(south), Math.abs(north)) > 90 || Math.max(Math.abs(west), Math.abs(east)) > 360) {
    throw faulty("bbox", text, "degrees: longitudes within 360, latitudes within 90");
  }
  return metresOf([west, south, west > east ? east + 360 : east, north]);
}

function metresOf([west, south, east, north]: Bounds): Bounds {
  return [...lonLatToWebMercator(west, clampLatitude(south)), ...lonLatToWebMercator(east, clampLatitude(north))];
}

function crsOf(name: string, text: string | undefined, ifAbsent: BoxCrs): BoxCrs {
  if (text === undefined) return ifAbsent;
  // A safe CURIE has brackets.
  const known = BOX_CRS[text.replace(/^\[(?<curie>.*)\]$/u, "$<curie>")];
  if (known === undefined) throw faulty(name, text, "CRS84, EPSG:4326 or EPSG:3857");
  return known;
}

function faulty(name: string, got: string, expected: string): ServiceError {
  return new ServiceError("BAD-REQUEST", `${name} got "${got.slice(0, 128)}", expected ${expected}`);
}

import { createProjection, isGeographic, type Projection } from "@swath/kernel/crs/projection";
import { intersection } from "@swath/kernel/geometry/clip";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds, LinearRing, MultiPolygon, PolygonCoordinates } from "@swath/kernel/geometry/geojson";
import { mbr, splitBounds } from "@swath/kernel/geometry/mbr";
import { positionsOf } from "@swath/kernel/geometry/positions-of";
import { type Affine, applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import type { GroundControlPoint } from "@swath/raster/source-raster";
import type { PlacedImage } from "@swath/raster/tiff/open";
import type { PixelWindow } from "@swath/raster/tiff/pixel-window";

/** Footprints of catalogues are this inexact, as a share of their size and in degrees. */
const FOOTPRINT_SHARE = 0.25;
const FOOTPRINT_DEG = 0.1;
/** Pieces of an edge: a line straight in longitude and latitude is bent in other systems. */
const EDGE_PIECES = 16;
/** Sixteen times as many take some milliseconds to project. */
const MAX_PROJECTED_POSITIONS = 500;
/** Pixels around, for interpolation and for edges that bend between the pieces. */
const MARGIN_PX = 4;
const MARGIN_SHARE = 0.01;

/**
 * The pixels of an image that an extent needs, with a margin. Null when all are needed or the window is unknown: the image
 * has no place, or the extent lies where its CRS is not defined.
 *
 * @param footprint of the scene, in normal form; keeps parts of the extent far from it out of the calculation
 */
export function windowOfExtent(image: PlacedImage, extent: MultiPolygon, footprint: MultiPolygon): PixelWindow | null {
  if (image.crs === null) return null;
  const toPixel = pixelMap(image);
  if (toPixel === null) return null;
  const near = simplified(partsNear(extent, footprint));
  if (near.length === 0) return null;
  const projection = createProjection(image.crs.proj4);
  // Longitudes of an image may run beyond 180 degrees: each part lies on it once, or not at all.
  const geographic = isGeographic(image.crs.proj4);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [exterior = []] of near) {
    for (const turn of geographic ? [0, 360, -360] : [0]) {
      const found = pixelBox(exterior, projection, turn, toPixel.map);
      if (found === null) return null;
      const margin = toPixel.marginPx + MARGIN_PX + MARGIN_SHARE * Math.max(found[2] - found[0], found[3] - found[1]);
      const [west, north, east, south] = [found[0] - margin, found[1] - margin, found[2] + margin, found[3] + margin];
      if (geographic && (east < 0 || west > image.widthPx)) continue;
      [left, top] = [Math.min(left, west), Math.min(top, north)];
      [right, bottom] = [Math.max(right, east), Math.max(bottom, south)];
    }
  }
  if (!(left < right && top < bottom)) return null;
  return { column: left, row: top, widthPx: right - left, heightPx: bottom - top };
}

/** Parts of an extent in the boxes around a footprint. Against one box at a time they need no overlay. */
function partsNear(extent: MultiPolygon, footprint: MultiPolygon): readonly PolygonCoordinates[] {
  return around(footprint).flatMap((bounds) => {
    const box: MultiPolygon = { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] };
    return intersection(extent, box).coordinates;
  });
}

/** Parts of many positions as the box around each, or around all: a window may be larger than the extent. */
function simplified(parts: readonly PolygonCoordinates[]): readonly PolygonCoordinates[] {
  if (positionsOf(parts.flat()) <= MAX_PROJECTED_POSITIONS) return parts;
  const boxes = parts.map((part) => boundsPolygon(mbr({ type: "MultiPolygon", coordinates: [part] })).coordinates);
  if (positionsOf(boxes.flat()) <= MAX_PROJECTED_POSITIONS) return boxes;
  return splitBounds(mbr({ type: "MultiPolygon", coordinates: parts })).map((one) => boundsPolygon(one).coordinates);
}

function pixelBox(
  exterior: LinearRing,
  projection: Projection,
  turn: number,
  map: (x: number, y: number) => readonly [number, number],
): readonly [left: number, top: number, right: number, bottom: number] | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  try {
    for (const [lon, lat] of densified(exterior)) {
      const [x, y] = projection.forward(lon, lat);
      const [column, row] = map(x + turn, y);
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return [left, top, right, bottom].every(Number.isFinite) ? [left, top, right, bottom] : null;
}

function* densified(ring: LinearRing): Generator<readonly [number, number]> {
  for (let i = 0; i + 1 < ring.length; i++) {
    const [from, to] = [ring[i], ring[i + 1]];
    if (from === undefined || to === undefined) continue;
    for (let piece = 0; piece < EDGE_PIECES; piece++) {
      const share = piece / EDGE_PIECES;
      yield [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    }
  }
}

/** Boxes around the footprint that are surely larger than the image. */
function around(footprint: MultiPolygon): readonly Bounds[] {
  const [west, south, east, north] = mbr(footprint);
  const padLon = (east - west) * FOOTPRINT_SHARE + FOOTPRINT_DEG;
  const padLat = (north - south) * FOOTPRINT_SHARE + FOOTPRINT_DEG;
  const [s, n] = [Math.max(-90, south - padLat), Math.min(90, north + padLat)];
  const width = Math.min(360, east - west + 2 * padLon);
  const start = width >= 360 ? -180 : ((((west - padLon + 180) % 360) + 360) % 360) - 180;
  return splitBounds([start, s, start + width, n]);
}

interface PixelMap {
  readonly map: (x: number, y: number) => readonly [column: number, row: number];
  /** How far it may be off. */
  readonly marginPx: number;
}

function pixelMap({ georeference }: PlacedImage): PixelMap | null {
  if (georeference.kind === "none") return null;
  if (georeference.kind === "gcps") return fitted(georeference.points);
  const inverse = invertAffine(georeference.transform);
  return { map: (x, y) => applyAffine(inverse, x, y), marginPx: 0 };
}

/** The best affine map through control points, with twice its largest error as margin. */
function fitted(points: readonly GroundControlPoint[]): PixelMap | null {
  const [first] = points;
  if (first === undefined) return null;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  let [xx, xy, yy] = [0, 0, 0];
  const columns = { mean: 0, x: 0, y: 0 };
  const rows = { mean: 0, x: 0, y: 0 };
  for (const { x, y, column, row } of points) {
    const [dx, dy] = [x - meanX, y - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
    for (const [sums, value] of [[columns, column] as const, [rows, row] as const]) {
      sums.mean += value / points.length;
      sums.x += dx * value;
      sums.y += dy * value;
    }
  }
  const determinant = xx * yy - xy * xy;
  if (!(Math.abs(determinant) > 1e-18)) return null;
  const line = ({ mean, x, y }: typeof columns): readonly [number, number, number] => {
    const a = (x * yy - y * xy) / determinant;
    const b = (y * xx - x * xy) / determinant;
    return [a, b, mean - a * meanX - b * meanY];
  };
  const affine: Affine = [...line(columns), ...line(rows)];
  const error = points.reduce((worst, { x, y, column, row }) => {
    const [fittedColumn, fittedRow] = applyAffine(affine, x, y);
    return Math.max(worst, Math.abs(fittedColumn - column), Math.abs(fittedRow - row));
  }, 0);
  return { map: (x, y) => applyAffine(affine, x, y), marginPx: 2 * error };
}

import { webMercatorToLonLat } from "@swath/kernel/crs/web-mercator";
import type { Position } from "@swath/kernel/geometry/geojson";
import { pixelAreasM2 } from "@swath/kernel/raster-mathematics/pixel-area";
import type { MercatorGrid } from "@swath/kernel/raster-mathematics/rasterize";
import type { ResultClass } from "@swath/kernel/raster-mathematics/rendering";
import { vectorizeNumbers, type Corner, type Region } from "@swath/kernel/raster-mathematics/vectorize";
import type { GridJob } from "./grid-job.ts";
import type { ClassPolygon } from "./job-memo.ts";
import { classPixelsAt, type ResultRendering } from "./result-layer.ts";

/** Speckle makes regions without number; of the smallest beyond this nothing is seen at the scale of the file. */
const MAX_POLYGONS = 50_000;

/** Outlines of the classes of a layer along the edges of the file's pixels, class by class, the largest first. */
export function classPolygons(job: GridJob, rendering: ResultRendering, position: number): readonly ClassPolygon[] {
  const kept = job.memo?.polygons.get(position);
  if (kept !== undefined) return kept;
  const polygons = traceClasses(job, rendering, position);
  job.memo?.polygons.set(position, polygons);
  return polygons;
}

function traceClasses(job: GridJob, rendering: ResultRendering, position: number): readonly ClassPolygon[] {
  const pixels = classPixelsAt(job, rendering, position);
  if (pixels === null) return [];
  const { numbers, mask, classes } = pixels;
  const shown = numbers.slice();
  for (let i = 0; i < shown.length; i++) if (mask[i] === 0) shown[i] = 0;
  return tracePixels(job.grid, shown, classes, MAX_POLYGONS);
}

/**
 * Outlines of the pixels of each number, class by class, the largest first.
 *
 * @param shown number of each pixel; 0 for none
 * @param maxPolygons the smallest beyond are left out
 */
export function tracePixels(
  { widthPx, heightPx, originXM, originYM, pixelSizeM }: MercatorGrid,
  shown: Uint8Array,
  classes: readonly Pick<ResultClass, "name" | "value">[],
  maxPolygons: number,
): readonly ClassPolygon[] {
  const rowAreas = pixelAreasM2(originYM, pixelSizeM, heightPx);
  const areaAbove = new Float64Array(heightPx + 1);
  for (let row = 0; row < heightPx; row++) areaAbove[row + 1] = areaAbove[row]! + rowAreas[row]!;
  const lons = Float64Array.from({ length: widthPx + 1 }, (_, column) =>
    sevenDecimals(webMercatorToLonLat(originXM + column * pixelSizeM, originYM)[0]),
  );
  const lats = Float64Array.from({ length: heightPx + 1 }, (_, row) =>
    sevenDecimals(webMercatorToLonLat(originXM, originYM - row * pixelSizeM)[1]),
  );
  const polygons: (ClassPolygon & { readonly cells: number })[] = [];
  for (const { from, to, turnDeg } of sidesOf(lons)) {
    // Rings run clockwise on screen, which is clockwise on the map: GeoJSON wants exteriors the other way.
    const placed = (ring: readonly Corner[]): readonly Position[] =>
      ring.map(([column, row]): Position => [onSide(lons[from + column]! - turnDeg), lats[row]!]).toReversed();
    const part = from === 0 && to === widthPx ? shown : columnsOf(shown, widthPx, from, to);
    const regions = Map.groupBy(vectorizeNumbers(part, to - from, heightPx), ({ number }) => number);
    for (const { name, value } of classes) {
      for (const region of regions.get(value) ?? []) {
        polygons.push({
          className: name,
          areaM2: Number(regionAreaM2(region, areaAbove).toFixed(1)),
          rings: [region.exterior, ...region.holes].map(placed),
          cells: region.areaCells,
        });
      }
    }
  }
  const order = new Map(classes.map(({ name }, index) => [name, index]));
  polygons.sort((a, b) => order.get(a.className)! - order.get(b.className)!);
  if (polygons.length <= maxPolygons) return polygons;
  const least = polygons.map(({ cells }) => cells).toSorted((a, b) => b - a)[maxPolygons]!;
  return polygons.filter(({ cells }) => cells > least);
}

/** Columns of pixels on one side of the antimeridian. */
interface MapSide {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Taken off their longitudes. */
  readonly turnDeg: number;
}

/**
 * All columns, or those before and behind the antimeridian, divided at the edge of pixels that is nearest to it.
 *
 * @param lons longitudes of the edges of columns, ascending; beyond 180 behind the antimeridian
 */
function sidesOf(lons: Float64Array): readonly MapSide[] {
  const last = lons.length - 1;
  const turnDeg = 360 * Math.floor((lons[0]! + 180) / 360);
  const seamDeg = turnDeg + 180;
  if (lons[last]! <= seamDeg) return [{ from: 0, to: last, turnDeg }];
  const behind = lons.findIndex((lon) => lon >= seamDeg);
  const seam = behind > 0 && seamDeg - lons[behind - 1]! < lons[behind]! - seamDeg ? behind - 1 : behind;
  const sides = [
    { from: 0, to: seam, turnDeg },
    { from: seam, to: last, turnDeg: turnDeg + 360 },
  ];
  return sides.filter(({ from, to }) => to > from);
}

/** Half a pixel beyond the antimeridian belongs to it. */
function onSide(lonDeg: number): number {
  return sevenDecimals(Math.min(Math.max(lonDeg, -180), 180));
}

function columnsOf(numbers: Uint8Array, widthPx: number, from: number, to: number): Uint8Array {
  const part = new Uint8Array((numbers.length / widthPx) * (to - from));
  for (let row = 0; row * widthPx < numbers.length; row++) {
    part.set(numbers.subarray(row * widthPx + from, row * widthPx + to), row * (to - from));
  }
  return part;
}

/** Horizontal edges times the area of a column above them: exactly the sum of the areas of the pixels. */
function regionAreaM2({ exterior, holes }: Region, areaAbove: Float64Array): number {
  let area = 0;
  for (const ring of [exterior, ...holes]) {
    for (let i = 1; i < ring.length; i++) {
      const [fromColumn, row] = ring[i - 1]!;
      area -= (ring[i]![0] - fromColumn) * areaAbove[row]!;
    }
  }
  return area;
}

function sevenDecimals(value: number): number {
  return Math.round(value * 1e7) / 1e7;
}

/** The polygons as GeoJSON; an empty list is a file too. */
export function polygonsGeoJson(polygons: readonly ClassPolygon[]): Uint8Array {
  const features = polygons.map(({ className, areaM2, rings }) => ({
    type: "Feature",
    geometry: { type: "Polygon", coordinates: rings },
    properties: { class: className, area: areaM2 },
  }));
  return new TextEncoder().encode(JSON.stringify({ type: "FeatureCollection", features }));
}

import { MAX_IMAGE_PIXELS } from "@swath/contract/features/export/contract";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { roundDegrees } from "@swath/kernel/geometry/canonical-degrees";
import type { AreaGeometry, MultiPolygon, Position } from "@swath/kernel/geometry/geojson";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ExportBand } from "@swath/maps/export/export-job";
import type { BandGrid, ImageGrid } from "./image-grid.ts";

/** A rectangle in the CRS of a scene. */
interface Rectangle {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface ImagePlan {
  /** One for each band, in order. */
  readonly bands: readonly ExportBand[];
  /** The rectangle of the finest band in longitude and latitude, corners from the north-west, seven decimals. */
  readonly extent: AreaGeometry;
}

/** All bands together, before rescaling: many-band scenes would fill memory. */
const MAX_IMAGE_BYTES = 512 * 2 ** 20;
/** Edges straight in longitude and latitude bend in the plane of the scene. */
const EDGE_POINTS = 16;
/** A rectangle that reaches less far into a pixel does not need it: coordinates have seven decimals. */
const PIXEL_TOLERANCE = 0.05;

/**
 * Which pixels of each band make the image: those that the rectangle around an area touches. Bands of different
 * resolution have windows of their own, each snapped outwards to its pixels.
 *
 * @param area what the image must show, in normal form; null for everything the bands have
 * @param resolutionM rescales every band to about this size of a pixel on the ground; null for none
 * @throws {ServiceError} IMAGE-TOO-LARGE; EXTENT-HAS-NO-INTERSECTION when the area misses the pixels
 */
export function planImage(grid: ImageGrid, area: MultiPolygon | null, resolutionM: number | null): ImagePlan {
  const rectangle = area === null ? null : rectangleAround(area, grid);
  const bands = grid.bands.map((band, position): ExportBand => {
    const window = windowOf(band, rectangle);
    if (resolutionM === null) return { position, window, widthPx: window.widthPx, heightPx: window.heightPx };
    return {
      position,
      window,
      widthPx: Math.max(1, Math.round((window.widthPx * band.resolutionX) / resolutionM)),
      heightPx: Math.max(1, Math.round((window.heightPx * band.resolutionY) / resolutionM)),
    };
  });
  requireSize(grid, bands, resolutionM);
  return { bands, extent: extentOf(grid, bands) };
}

function rectangleAround(area: MultiPolygon, { toCrs }: ImageGrid): Rectangle {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const polygon of area.coordinates) {
    const ring = polygon[0] ?? [];
    for (let i = 1; i < ring.length; i += 1) {
      const [lon1 = 0, lat1 = 0] = ring[i - 1] ?? [];
      const [lon2 = 0, lat2 = 0] = ring[i] ?? [];
      for (let step = 0; step < EDGE_POINTS; step += 1) {
        const t = step / EDGE_POINTS;
        const point = toCrs(lon1 + t * (lon2 - lon1), lat1 + t * (lat2 - lat1));
        if (point === null) continue;
        const [x, y] = point;
        west = Math.min(west, x);
        east = Math.max(east, x);
        south = Math.min(south, y);
        north = Math.max(north, y);
      }
    }
  }
  if (!(west <= east)) throw noIntersection();
  return { west, south, east, north };
}

function windowOf(band: BandGrid, rectangle: Rectangle | null): ExportBand["window"] {
  if (rectangle === null) {
    const { size } = band;
    if (size === null) throw new RangeError("the size of a band that is not in the store is not known");
    return { x: 0, y: 0, ...size };
  }
  const { originX, originY, pixelSizeX, pixelSizeY, size } = band;
  const columns = span((rectangle.west - originX) / pixelSizeX, (rectangle.east - originX) / pixelSizeX, size?.widthPx);
  const rows = span((rectangle.north - originY) / pixelSizeY, (rectangle.south - originY) / pixelSizeY, size?.heightPx);
  return { x: columns.first, y: rows.first, widthPx: columns.count, heightPx: rows.count };
}

/** Whole pixels that an interval touches, at least one, within the band where its size is known. */
function span(a: number, b: number, limit = Infinity): { readonly first: number; readonly count: number } {
  const from = Math.floor(Math.min(a, b) + PIXEL_TOLERANCE);
  const to = Math.max(from + 1, Math.ceil(Math.max(a, b) - PIXEL_TOLERANCE));
  if (limit === Infinity) return { first: from, count: to - from };
  const first = Math.max(0, from);
  const count = Math.min(limit, to) - first;
  if (count <= 0) throw noIntersection();
  return { first, count };
}

function noIntersection(): ServiceError {
  return new ServiceError("EXTENT-HAS-NO-INTERSECTION", "the extent does not intersect the pixels of the scene");
}

function megapixels(widthPx: number, heightPx: number): string {
  return `${widthPx} x ${heightPx} = ${((widthPx * heightPx) / 1e6).toFixed(2)} megapixels`;
}

function requireSize(grid: ImageGrid, bands: readonly ExportBand[], resolutionM: number | null): void {
  const limit = `expected at most ${MAX_IMAGE_PIXELS / 1e6}`;
  for (const { window } of bands) {
    if (window.widthPx * window.heightPx > MAX_IMAGE_PIXELS) {
      throw new ServiceError(
        "IMAGE-TOO-LARGE",
        `the largest band of the image has ${megapixels(...largest(bands.map((band) => band.window)))}, ${limit}`,
      );
    }
  }
  for (const { widthPx, heightPx } of bands) {
    if (widthPx * heightPx > MAX_IMAGE_PIXELS) {
      throw new ServiceError(
        "IMAGE-TOO-LARGE",
        `the largest band of the image rescaled to ${resolutionM} m has ${megapixels(...largest(bands))}, ${limit}`,
      );
    }
  }
  let bytes = 0;
  for (const { position, window, widthPx, heightPx } of bands) {
    const pixels = Math.max(window.widthPx * window.heightPx, widthPx * heightPx);
    bytes += pixels * (grid.bands[position]?.bytesPerPixel ?? 1);
  }
  if (bytes > MAX_IMAGE_BYTES) {
    throw new ServiceError(
      "IMAGE-TOO-LARGE",
      `the ${bands.length} bands of the image have ${bytes} bytes, expected at most ${MAX_IMAGE_BYTES}`,
    );
  }
}

function largest(
  sizes: readonly { readonly widthPx: number; readonly heightPx: number }[],
): readonly [widthPx: number, heightPx: number] {
  const { widthPx, heightPx } = sizes.reduce((a, b) => (b.widthPx * b.heightPx > a.widthPx * a.heightPx ? b : a));
  return [widthPx, heightPx];
}

function extentOf(grid: ImageGrid, bands: readonly ExportBand[]): AreaGeometry {
  const finest = bands.reduce((a, b) =>
    b.window.widthPx * b.window.heightPx > a.window.widthPx * a.window.heightPx ? b : a,
  );
  const { x, y, widthPx, heightPx } = finest.window;
  const { originX, originY, pixelSizeX, pixelSizeY } = grid.bands[finest.position]!;
  const corner = (column: number, row: number): Position => {
    const [lon, lat] = grid.toLonLat(originX + column * pixelSizeX, originY + row * pixelSizeY);
    return [roundDegrees(lon), roundDegrees(lat)];
  };
  // Counter-clockwise from the north-west.
  const northWest = corner(x, y);
  const ring = [
    northWest,
    corner(x, y + heightPx),
    corner(x + widthPx, y + heightPx),
    corner(x + widthPx, y),
    northWest,
  ];
  const parts = normalForm([[ring]]);
  const [only] = parts;
  return only !== undefined && parts.length === 1
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates: parts };
}

/** The scene as the image has it: bands with its pixel sizes, origins and resolutions. */
export function imageScene(scene: Scene, grid: ImageGrid, plan: ImagePlan): Scene {
  return {
    ...scene,
    bands: scene.bands.map((band, position): Band => {
      const source = grid.bands[position];
      const part = plan.bands[position];
      if (source === undefined || part === undefined) return band;
      const { window, widthPx, heightPx } = part;
      const acrossX = window.widthPx / widthPx;
      const acrossY = window.heightPx / heightPx;
      return {
        ...band,
        pixelSizeX: source.pixelSizeX * acrossX,
        pixelSizeY: source.pixelSizeY * acrossY,
        crsOriginX: source.originX + window.x * source.pixelSizeX,
        crsOriginY: source.originY + window.y * source.pixelSizeY,
        approximateResolutionX: round2(band.approximateResolutionX * acrossX),
        approximateResolutionY: round2(band.approximateResolutionY * acrossY),
      };
    }),
  };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

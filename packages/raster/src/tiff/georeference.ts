import type { Georeference, GroundControlPoint } from "../source-raster.ts";
import type { TiffDirectory } from "./directory.ts";
import { TAG } from "./tags.ts";

/** Tiepoints beyond this are not ground control of one scene. */
const MAX_CONTROL_POINTS = 100_000;

/**
 * The georeference of an image: pixel scale with a tiepoint, else a transformation matrix, else several tiepoints
 * as ground control points. Coordinates are of pixel corners; files of kind PixelIsPoint are moved by half a pixel.
 *
 * @see OGC GeoTIFF 1.1, section 7.3
 */
export function readGeoreference(directory: TiffDirectory, pixelIsPoint: boolean): Georeference {
  const scale = directory.numbers(TAG.modelPixelScale);
  const tiepoints = directory.numbers(TAG.modelTiepoint);
  const matrix = directory.numbers(TAG.modelTransformation);
  const shift = pixelIsPoint ? 0.5 : 0;
  const scaleX = scale?.[0] ?? 0;
  const scaleY = scale?.[1] ?? 0;
  if (scaleX !== 0 && scaleY !== 0 && tiepoints !== null && tiepoints.length >= 6) {
    const [column = 0, row = 0, , x = 0, y = 0] = tiepoints;
    const down = -Math.abs(scaleY);
    return affine([scaleX, 0, x - (column + shift) * scaleX, 0, down, y - (row + shift) * down]);
  }
  if (matrix !== null && matrix.length >= 16) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0, , f = 0] = matrix;
    return affine([a, b, c - shift * (a + b), d, e, f - shift * (d + e)]);
  }
  if (tiepoints === null) return { kind: "none" };
  const points: GroundControlPoint[] = [];
  for (let i = 0; i + 5 < tiepoints.length && points.length < MAX_CONTROL_POINTS; i += 6) {
    const point = {
      column: (tiepoints[i] ?? 0) + shift,
      row: (tiepoints[i + 1] ?? 0) + shift,
      x: tiepoints[i + 3] ?? 0,
      y: tiepoints[i + 4] ?? 0,
    };
    if (Object.values(point).every(Number.isFinite)) points.push(point);
  }
  // Fewer than three points fix no transformation.
  return points.length >= 3 ? { kind: "gcps", points } : { kind: "none" };
}

function affine(transform: readonly [number, number, number, number, number, number]): Georeference {
  const [a, b, , d, e] = transform;
  const usable = transform.every(Number.isFinite) && a * e - b * d !== 0;
  return usable ? { kind: "affine", transform } : { kind: "none" };
}

import type { Georeference, GroundControlPoint } from "../source-raster.ts";
import type { TiffDirectory } from "./directory.ts";
import { TAG } from "./tags.ts";

/** Tiepoints beyond this are not ground control of one scene. */
const MAX_CONTROL_POINTS = 100_000;

/**
 * The georeference of an image: pixel scale with a tiepoint, else a transformation matrix, else several tiepoints
 * as ground control points. Coordinates are of pixel corners; files of kind PixelIsPoint are moved by half a pixel.
 * Tags with values that place no pixel give none, with the fault.
 *
 * @see OGC GeoTIFF 1.1, section 7.3
 */
export function readGeoreference(directory: TiffDirectory, pixelIsPoint: boolean): Georeference {
  const scale = directory.numbers(TAG.modelPixelScale);
  const tiepoints = directory.numbers(TAG.modelTiepoint);
  const matrix = directory.numbers(TAG.modelTransformation);
  const shift = pixelIsPoint ? 0.5 : 0;
  const [scaleX = 0, scaleY = 0] = scale ?? [];
  if (scaleX !== 0 && scaleY !== 0 && tiepoints !== null && tiepoints.length >= 6) {
    const [column = 0, row = 0, , x = 0, y = 0] = tiepoints;
    const down = -Math.abs(scaleY);
    return affine([scaleX, 0, x - (column + shift) * scaleX, 0, down, y - (row + shift) * down]);
  }
  if (matrix !== null && matrix.length >= 16) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0, , f = 0] = matrix;
    return affine([a, b, c - shift * (a + b), d, e, f - shift * (d + e)]);
  }
  const points = tiepoints === null ? [] : groundPoints(tiepoints, shift);
  const wrong = points.find((point) => !Object.values(point).every(Number.isFinite));
  if (wrong !== undefined) {
    const { column, row, x, y } = wrong;
    return fault(`the tie point ${column}, ${row} at ${x}, ${y}, expected finite numbers`);
  }
  // Fewer than three points fix no transformation.
  if (points.length >= 3) return { kind: "gcps", points };
  if (scale === null || (scaleX !== 0 && scaleY !== 0)) return { kind: "none" };
  return fault(`pixels of ${scaleX} x ${scaleY}, expected sizes other than 0`);
}

function groundPoints(tiepoints: ArrayLike<number>, shift: number): readonly GroundControlPoint[] {
  const points: GroundControlPoint[] = [];
  for (let i = 0; i + 5 < tiepoints.length && points.length < MAX_CONTROL_POINTS; i += 6) {
    points.push({
      column: (tiepoints[i] ?? 0) + shift,
      row: (tiepoints[i + 1] ?? 0) + shift,
      x: tiepoints[i + 3] ?? 0,
      y: tiepoints[i + 4] ?? 0,
    });
  }
  return points;
}

function affine(transform: readonly [number, number, number, number, number, number]): Georeference {
  const [a, b, , d, e] = transform;
  const determinant = a * e - b * d;
  if (transform.every(Number.isFinite) && Number.isFinite(determinant) && determinant !== 0) {
    return { kind: "affine", transform };
  }
  return fault(`the geotransform ${transform.join(", ")}, expected finite numbers that span an area`);
}

function fault(text: string): Georeference {
  return { kind: "none", fault: text };
}

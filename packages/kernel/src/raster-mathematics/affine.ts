/**
 * An affine transform from pixel corners to CRS coordinates, in rasterio order:
 *
 *     x = a * column + b * row + c
 *     y = d * column + e * row + f
 */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** CRS coordinates of a pixel corner; the pixel's centre is at `column + 0.5, row + 0.5`. */
export function applyAffine(transform: Affine, column: number, row: number): readonly [x: number, y: number] {
  const [a, b, c, d, e, f] = transform;
  return [a * column + b * row + c, d * column + e * row + f];
}

/**
 * The inverse transform, from CRS coordinates to pixel corners.
 *
 * @throws {RangeError} if the transform has no area
 */
export function invertAffine(transform: Affine): Affine {
  const [a, b, c, d, e, f] = transform;
  const determinant = a * e - b * d;
  if (determinant === 0 || !Number.isFinite(determinant)) {
    throw new RangeError(`affine transform has no inverse: determinant is ${determinant}`);
  }
  return [
    e / determinant,
    -b / determinant,
    (b * f - c * e) / determinant,
    -d / determinant,
    a / determinant,
    (c * d - a * f) / determinant,
  ];
}

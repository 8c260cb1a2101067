import type { PixelGround } from "../../../analysis/block.ts";

/** Size and direction of a cluster from the second moments of its pixels. */
export interface ShipShape {
  /** Weighted middle in pixels of the block, pixel corners being whole numbers. */
  readonly centre: readonly [column: number, row: number];
  readonly lengthM: number;
  readonly widthM: number;
  /** Direction of the long axis clockwise from true north, 0 to 180: which end is the bow is not known. */
  readonly headingDeg: number;
  /** Unit vector of the long axis in metres to the right and down the image. */
  readonly axis: readonly [right: number, down: number];
  /** Share of the rectangle of that length and width which the pixels fill. */
  readonly fill: number;
  /** Ground covered by the pixels, m². */
  readonly areaM2: number;
}

/** Second moment of a pixel about its own middle, in units of its side squared. */
const PIXEL_MOMENT = 1 / 12;

/**
 * A bar of uniform brightness has length sqrt(12 l1) and width sqrt(12 l2) with l1, l2 the eigenvalues of the covariance
 * of its pixels; the width of the point response is taken off in squares, down to half of itself.
 *
 * @param weights weights of the centroid, by position in the block
 * @param resolutionM width of the image of a point, metres
 */
export function measureShip(
  members: Int32Array,
  weights: Float32Array,
  columns: number,
  ground: PixelGround,
  resolutionM: number,
): ShipShape {
  const { metresPerPixelX: sx, metresPerPixelY: sy } = ground;
  let [total, centreX, centreY, meanX, meanY] = [0, 0, 0, 0, 0];
  for (const i of members) {
    const row = Math.floor(i / columns);
    const column = i - row * columns;
    const weight = Math.max(weights[i]!, 0);
    total += weight;
    centreX += weight * (column + 0.5);
    centreY += weight * (row + 0.5);
    meanX += column + 0.5;
    meanY += row + 0.5;
  }
  meanX /= members.length;
  meanY /= members.length;
  let [xx, yy, xy] = [0, 0, 0];
  for (const i of members) {
    const row = Math.floor(i / columns);
    const x = (i - row * columns + 0.5 - meanX) * sx;
    const y = (row + 0.5 - meanY) * sy;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  xx = xx / members.length + PIXEL_MOMENT * sx * sx;
  yy = yy / members.length + PIXEL_MOMENT * sy * sy;
  xy /= members.length;
  const half = Math.hypot((xx - yy) / 2, xy);
  const long = (xx + yy) / 2 + half;
  const short = Math.max((xx + yy) / 2 - half, 0);
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const axis = [Math.cos(angle), Math.sin(angle)] as const;
  const bearing = (Math.atan2(axis[0], -axis[1]) * 180) / Math.PI + ground.northDeg;
  const [rawLength, rawWidth] = [Math.sqrt(12 * long), Math.sqrt(12 * short)];
  const areaM2 = members.length * sx * sy;
  return {
    centre: total > 0 ? [centreX / total, centreY / total] : [meanX, meanY],
    lengthM: deblurred(rawLength, resolutionM),
    widthM: deblurred(rawWidth, resolutionM),
    headingDeg: ((bearing % 180) + 180) % 180,
    axis,
    fill: Math.min(1, areaM2 / (rawLength * rawWidth)),
    areaM2,
  };
}

function deblurred(lengthM: number, resolutionM: number): number {
  return Math.sqrt(Math.max(lengthM ** 2 - resolutionM ** 2, (resolutionM / 2) ** 2));
}

import type { PixelGround } from "../../../analysis/block.ts";
import { areaOf, lightOf, matchedShift, type Light, type Surroundings } from "./hull-light.ts";
import type { ShipShape } from "../shape/measure.ts";

/** Speed over the ground, and its standard deviation, m/s. */
export interface ParallaxSpeed {
  readonly speedMs: number;
  readonly sigmaMs: number;
}

/** Planes of blue, green and red of one detector, and when green and red look after blue, seconds. */
export interface ColourTimes {
  readonly planes: readonly [blue: Float32Array, green: Float32Array, red: Float32Array];
  readonly seconds: readonly [green: number, red: number];
}

/** Slower ships look like ships at anchor. */
const LEAST_SPEED_MS = 5;
/** Registration of two bands of Sentinel-2 to each other, a standard deviation of an eighth of a pixel. */
const REGISTRATION_PX = 0.12;
/** The sum of light must stand out of its noise that many times in every band. */
const MIN_SIGNAL = 25;
/** Two ways to measure the shift must agree to this, pixels, or colours differ along the ship. */
const AGREE_PX = 0.35;
/** The shift from blue to red must lie along the ship. */
const MAX_DRIFT_DEG = 35;
const ELONGATED = 2;
/** Faster is no ship. */
const MOST_SPEED_MS = 30;

/**
 * Speed from the time between the bands: a push-broom camera whose bands look one after the other sees a moving ship at
 * different places. The shift is that of the centroids of what the ship adds to the sea; it counts only where the best match of the
 * whole pictures gives the same, where green lies between blue and red as its time says, and where the ship goes along its axis.
 * Which band looks first alternates between detectors, so that the shift alone does not tell bow from stern.
 *
 * @returns null below 5 m/s and where the bands do not agree
 */
export function parallaxSpeed(
  members: Int32Array,
  shape: ShipShape,
  surroundings: Surroundings,
  columns: number,
  ground: PixelGround,
  { planes, seconds }: ColourTimes,
): ParallaxSpeed | null {
  const area = areaOf(members, surroundings, columns);
  if (area === null) return null;
  const [blue, green, red] = planes.map((plane) => lightOf(plane, area, columns));
  if (blue === undefined || green === undefined || red === undefined) return null;
  if (![blue, green, red].every(({ signal }) => signal >= MIN_SIGNAL)) return null;
  const { metresPerPixelX: sx, metresPerPixelY: sy } = ground;
  const pixelM = Math.sqrt(sx * sy);
  const between = (to: Light): readonly [number, number] => [
    (to.centre[0] - blue.centre[0]) * sx,
    (to.centre[1] - blue.centre[1]) * sy,
  ];
  const toRed = between(red);
  const toGreen = between(green);
  const noiseM = Math.hypot(blue.sigmaPx, red.sigmaPx, REGISTRATION_PX) * pixelM;
  const share = seconds[0] / seconds[1];
  const off = Math.hypot(toGreen[0] - share * toRed[0], toGreen[1] - share * toRed[1]);
  if (off > 3 * Math.hypot(blue.sigmaPx, green.sigmaPx, REGISTRATION_PX) * pixelM) return null;
  const matched = matchedShift(blue, red, area);
  if (matched === null) return null;
  const disagreement = Math.hypot(matched[0] * sx - toRed[0], matched[1] * sy - toRed[1]);
  if (disagreement > AGREE_PX * pixelM) return null;
  const metres = Math.hypot(...toRed);
  if (shape.lengthM > ELONGATED * shape.widthM) {
    const along = Math.abs(toRed[0] * shape.axis[0] + toRed[1] * shape.axis[1]);
    if (along < Math.cos((MAX_DRIFT_DEG * Math.PI) / 180) * metres) return null;
  }
  const speedMs = metres / seconds[1];
  if (speedMs <= LEAST_SPEED_MS || speedMs > MOST_SPEED_MS) return null;
  return { speedMs, sigmaMs: Math.hypot(noiseM, disagreement / 2) / seconds[1] };
}

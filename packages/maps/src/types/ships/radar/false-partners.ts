import type { FoundObject } from "../../../analysis/block.ts";
import type { BrightTarget } from "./bright-targets.ts";

/** How a radar image repeats bright targets. */
export interface PartnerParameters {
  readonly pixelM: number;
  /** Directions of flight that the image may have, degrees clockwise from the upward pixel axis. */
  readonly flightDeg: readonly number[];
  /** Distances of azimuth ambiguities, metres; empty when the sensor is not known. */
  readonly ambiguityM: readonly number[];
  /** Length of a pixel on the ground, metres right and down. */
  readonly sizeM: readonly [right: number, down: number];
}

/** An ambiguity of Sentinel-1 is at least that much weaker than what it repeats. */
const AMBIGUITY_RATIO_DB = 20;
/** Side lobes begin 21 dB under their peak. */
const SIDE_LOBE_RATIO_DB = 21;
/** Side lobes are seen as far as this. */
const SIDE_LOBE_REACH_M = 1500;
const SIDE_LOBE_ANGLE = Math.tan((3 * Math.PI) / 180);
/** The arms of a wake lie within 19.5 degrees of the ship's axis; some degrees more for what is not known of both axes. */
const WAKE_ANGLE_DEG = 25;
/** A wake is that much weaker than its ship, over all its length, and seen as far as this. */
const WAKE_RATIO_DB = 12;
const WAKE_REACH_M = 1500;
const WAKE_ELONGATION = 1.4;
/** Position of an ambiguity: three pixels and a share for what is not known of its distance. */
const TOLERANCE_PX = 3;
const TOLERANCE_SHARE = 0.04;

/**
 * Leaves out what is only the repetition of a far brighter target: azimuth ambiguities of ships and of whatever is bright
 * on land, side lobes of ships, and the lines of their wakes.
 *
 * @param bright the brightest targets of the whole scene
 */
export function withoutFalsePartners(
  objects: readonly FoundObject[],
  bright: readonly BrightTarget[],
  parameters: PartnerParameters,
): readonly FoundObject[] {
  const ships = objects.map((object) => ({
    centre: object.centre,
    crossSectionDbm2: Number(object.properties["crossSectionDbm2"]),
    reachPx: 0,
  }));
  const all = [...ships, ...bright].toSorted(byStrength);
  const shipsOnly = ships.toSorted(byStrength);
  return objects.filter((object, index) => {
    const { crossSectionDbm2 } = ships[index]!;
    for (const partner of all) {
      if (partner.crossSectionDbm2 - crossSectionDbm2 < AMBIGUITY_RATIO_DB) break;
      if (isAmbiguity(object, partner, parameters)) return false;
    }
    for (const partner of shipsOnly) {
      if (partner.crossSectionDbm2 - crossSectionDbm2 < SIDE_LOBE_RATIO_DB) break;
      if (isSideLobe(object, partner, parameters)) return false;
    }
    if (
      objects.some((ship, other) => isWake(object, ship, ships[other]!.crossSectionDbm2 - crossSectionDbm2, parameters))
    )
      return false;
    return true;
  });
}

function byStrength(a: BrightTarget, b: BrightTarget): number {
  return b.crossSectionDbm2 - a.crossSectionDbm2;
}

/** Whether an object is a faint line that points along the axis of a far brighter ship close by. */
function isWake(object: FoundObject, ship: FoundObject, ratioDb: number, { sizeM }: PartnerParameters): boolean {
  if (!(ratioDb >= WAKE_RATIO_DB)) return false;
  const right = (object.centre[0] - ship.centre[0]) * sizeM[0];
  const down = (object.centre[1] - ship.centre[1]) * sizeM[1];
  if (Math.hypot(right, down) > WAKE_REACH_M) return false;
  const { lengthM, widthM, headingDeg } = object.properties;
  if (Number(lengthM) < WAKE_ELONGATION * Number(widthM)) return false;
  const axisDeg = Number(ship.properties["headingDeg"]);
  const bearingDeg = (Math.atan2(right, -down) * 180) / Math.PI;
  return turnDeg(bearingDeg, axisDeg) <= WAKE_ANGLE_DEG && turnDeg(Number(headingDeg), axisDeg) <= WAKE_ANGLE_DEG;
}

/** Angle between two axes, 0 to 90 degrees. */
function turnDeg(a: number, b: number): number {
  const turn = (((a - b) % 180) + 180) % 180;
  return Math.min(turn, 180 - turn);
}

/** Distances along and across each direction of flight, metres. */
function apart(
  object: FoundObject,
  partner: BrightTarget,
  { sizeM, flightDeg }: PartnerParameters,
): readonly (readonly [along: number, across: number])[] {
  const right = (object.centre[0] - partner.centre[0]) * sizeM[0];
  const down = (object.centre[1] - partner.centre[1]) * sizeM[1];
  return flightDeg.map((degrees) => {
    const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    return [Math.abs(right * sine - down * cosine), Math.abs(right * cosine + down * sine)] as const;
  });
}

function isSideLobe(object: FoundObject, partner: BrightTarget, parameters: PartnerParameters): boolean {
  const slackM = 0.5 * TOLERANCE_PX * parameters.pixelM;
  return apart(object, partner, parameters).some(([along, across]) => {
    const far = Math.max(along, across);
    return far <= SIDE_LOBE_REACH_M && Math.min(along, across) <= Math.max(slackM, SIDE_LOBE_ANGLE * far);
  });
}

function isAmbiguity(object: FoundObject, partner: BrightTarget, parameters: PartnerParameters): boolean {
  const slackM = (TOLERANCE_PX + partner.reachPx) * parameters.pixelM;
  return apart(object, partner, parameters).some(
    ([along, across]) =>
      across <= slackM + TOLERANCE_SHARE * along &&
      parameters.ambiguityM.some((metres) => Math.abs(along - metres) <= slackM + TOLERANCE_SHARE * metres),
  );
}

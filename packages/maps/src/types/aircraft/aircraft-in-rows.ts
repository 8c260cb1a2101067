/** A place that is like an aircraft; coordinates are pixels of the block. */
export interface AircraftHit {
  readonly column: number;
  readonly row: number;
  readonly lengthM: number;
  /** Direction of the nose from the column axis towards the row axis, radians. */
  readonly angleRad: number;
  /** Correlation with the outline. */
  readonly score: number;
  readonly contrast: number;
  /** Whether it is an aircraft wherever it stands; others are some beside one of their like only. */
  readonly isSure: boolean;
}

/** Distance of two neighbours of a row in their mean length: wings of 0.94 lengths, a free gate between at most. */
const NEAREST = 0.7;
const FARTHEST = 2.2;
/** How far one stands ahead of the other, in their mean length. */
const MOST_AHEAD = 0.6;
/** Sine of the angle between their bodies; noses may point either way. */
const MOST_TURNED = 0.3;
const LEAST_LENGTH_RATIO = 0.6;
/** Two of which the smaller's middle is nearer than this share of their mean length are one. */
const SAME_SHARE = 0.45;
const SAME_M = 4;

/**
 * Each aircraft once, by its best hit. A doubtful hit counts beside a sure one of about the same length and direction:
 * aircraft at gates stand side by side, and bridges, vehicles and shadows hide parts of each.
 */
export function distinctAircraft(
  hits: readonly AircraftHit[],
  metresPerPixelX: number,
  metresPerPixelY: number,
): readonly AircraftHit[] {
  const metres = [metresPerPixelX, metresPerPixelY] as const;
  const sure = suppressed(
    hits.filter(({ isSure }) => isSure),
    metres,
  );
  const supported = hits.filter((hit) => hit.isSure || sure.some((other) => areNeighbours(hit, other, metres)));
  return suppressed(supported, metres);
}

type Metres = readonly [x: number, y: number];

function offsetM(a: AircraftHit, b: AircraftHit, [x, y]: Metres): Metres {
  return [(a.column - b.column) * x, (a.row - b.row) * y];
}

function areNeighbours(hit: AircraftHit, other: AircraftHit, metres: Metres): boolean {
  const [dx, dy] = offsetM(hit, other, metres);
  const meanM = (hit.lengthM + other.lengthM) / 2;
  const distanceM = Math.hypot(dx, dy);
  if (distanceM < NEAREST * meanM || distanceM > FARTHEST * meanM) return false;
  const ratio = Math.min(hit.lengthM, other.lengthM) / Math.max(hit.lengthM, other.lengthM);
  if (ratio < LEAST_LENGTH_RATIO || Math.abs(Math.sin(hit.angleRad - other.angleRad)) > MOST_TURNED) return false;
  return Math.abs(dx * Math.cos(other.angleRad) + dy * Math.sin(other.angleRad)) < MOST_AHEAD * meanM;
}

/** The best hit of each place. */
function suppressed(hits: readonly AircraftHit[], metres: Metres): readonly AircraftHit[] {
  const kept: AircraftHit[] = [];
  for (const hit of hits.toSorted((a, b) => b.score - a.score || a.row - b.row || a.column - b.column)) {
    const isNew = kept.every(
      (other) => Math.hypot(...offsetM(hit, other, metres)) > SAME_SHARE * (hit.lengthM + other.lengthM) * 0.5 + SAME_M,
    );
    if (isNew) kept.push(hit);
  }
  return kept;
}

import type { Position } from "@swath/kernel/geometry/geojson";

/** Something that is truly there. */
export interface TruthObject {
  readonly centre: Position;
  /** Found when a centre is no further away than this, metres. */
  readonly reachM: number;
  /** Whether missing it is a miss; finding it is never wrong. */
  readonly counts: boolean;
  readonly lengthM?: number;
  readonly widthM?: number;
  readonly headingDeg?: number;
}

export interface FoundAt {
  readonly centre: Position;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface Matched {
  readonly hits: number;
  readonly misses: number;
  /** Found where nothing is, or a second time. */
  readonly falseAlarms: number;
  readonly pairs: readonly { readonly truth: TruthObject; readonly found: FoundAt }[];
}

/** On the ground, metres; good to a percent within some tens of kilometres. */
function distanceM(a: Position, b: Position): number {
  const middle = ((a[1] + b[1]) / 2) * (Math.PI / 180);
  return Math.hypot((a[0] - b[0]) * Math.cos(middle), a[1] - b[1]) * 111_320;
}

/** Pairs what is found with what is there, nearest first, each once. */
export function matchObjects(truth: readonly TruthObject[], found: readonly FoundAt[]): Matched {
  const near = truth
    .flatMap((object, t) =>
      found.flatMap(({ centre }, f) => {
        const metres = distanceM(object.centre, centre);
        return metres <= object.reachM ? [{ t, f, metres }] : [];
      }),
    )
    .toSorted((a, b) => a.metres - b.metres);
  const ofTruth = new Map<number, number>();
  const taken = new Set<number>();
  for (const { t, f } of near) {
    if (ofTruth.has(t) || taken.has(f)) continue;
    ofTruth.set(t, f);
    taken.add(f);
  }
  const counted = truth.flatMap(({ counts }, t) => (counts ? [t] : []));
  const hits = counted.filter((t) => ofTruth.has(t)).length;
  return {
    hits,
    misses: counted.length - hits,
    falseAlarms: found.length - taken.size,
    pairs: [...ofTruth].map(([t, f]) => ({ truth: truth[t]!, found: found[f]! })),
  };
}

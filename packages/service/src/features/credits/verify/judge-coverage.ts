import { areaCm2, wholeSquareMetres } from "@swath/kernel/credits/coverage";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Difference } from "./difference.ts";
import { UnionArea } from "./union-area.ts";

/** What is kept of a group's scene, without its parts. */
export interface CoverageRow {
  readonly groupId: string;
  readonly sceneKey: string;
  /** Null: areas were allocated, but nothing is held. */
  readonly id: string | null;
  readonly areaCm2: string;
  readonly chargeableCm2: string;
  readonly billedM2: string;
  /** Sum of the areas of the transactions, square metres. */
  readonly loggedM2: string;
  /** Whether an order has delivered some of it, whose transactions say what was captured, not what was new. */
  readonly hasDeliveries: boolean;
}

export interface PartRow {
  readonly coordinates: MultiPolygon["coordinates"];
  readonly areaCm2: string;
}

/** An allocation that adds less than half a square metre leaves what is held as it is. */
const IGNORED_M2 = 0.5;
/** Of the area: coordinates of cuts are rounded at the 16th digit, and overlay noise is below 1e-11. */
const RELATIVE = 1e-9;

/**
 * Adds up what a group holds of a scene from its allocations and compares it with what is kept: areas of parts, their
 * sum, that no two overlap, that together they are the union of what was allocated, and what was billed for it.
 */
export class CoverageJudge {
  readonly #row: CoverageRow;
  readonly #allocated = new UnionArea();
  readonly #held = new UnionArea();
  readonly #both = new UnionArea();
  #sumCm2 = 0n;
  #parts = 0;
  #allocations = 0;
  readonly #faults: string[] = [];

  constructor(row: CoverageRow) {
    this.#row = row;
  }

  addAllocation(geometry: MultiPolygon): void {
    this.#allocations += 1;
    this.#allocated.add(geometry);
    this.#both.add(geometry);
  }

  addPart({ coordinates, areaCm2: kept }: PartRow): void {
    const geometry: MultiPolygon = { type: "MultiPolygon", coordinates };
    this.#parts += 1;
    this.#sumCm2 += BigInt(kept);
    if (areaCm2(geometry) !== BigInt(kept)) {
      this.#faults.push(`a part of ${areaCm2(geometry)} cm2 is kept as ${kept} cm2`);
    }
    this.#held.add(geometry);
    this.#both.add(geometry);
  }

  differences(): readonly Difference[] {
    const { groupId, sceneKey, id, ...row } = this.#row;
    const subject = `scene ${sceneKey} of group ${groupId}`;
    const faults = this.#faults;
    if (id === null) faults.push(`${this.#allocations} allocations, but nothing is held`);
    else {
      const area = BigInt(row.areaCm2);
      const chargeable = BigInt(row.chargeableCm2);
      const billedM2 = BigInt(row.billedM2);
      if (this.#sumCm2 !== area) faults.push(`${area} cm2 are held, the parts sum to ${this.#sumCm2} cm2`);
      if (chargeable > area) faults.push(`${chargeable} cm2 are chargeable of ${area} cm2`);
      const leastM2 = wholeSquareMetres(chargeable);
      if (billedM2 < BigInt(leastM2)) faults.push(`${billedM2} m2 are billed of ${leastM2} m2 that are chargeable`);
      const wholeM2 = wholeSquareMetres(area);
      if (!row.hasDeliveries && BigInt(row.loggedM2) !== BigInt(wholeM2)) {
        faults.push(`${wholeM2} m2 are held, the transactions sum to ${row.loggedM2} m2`);
      }
      this.#compareUnions(faults);
    }
    return faults.map((message) => ({ check: "coverage", subject, message }));
  }

  #compareUnions(faults: string[]): void {
    const sumM2 = Number(this.#sumCm2) / 1e4;
    const heldM2 = this.#held.areaM2();
    const allocatedM2 = this.#allocated.areaM2();
    const bothM2 = this.#both.areaM2();
    // Areas of parts are whole square centimetres.
    const exactM2 = 1e-4 * (this.#parts + 1) + RELATIVE * sumM2;
    // Each allocation may have left out a sliver of what it was asked for.
    const looseM2 = exactM2 + IGNORED_M2 * this.#allocations;
    if (Math.abs(sumM2 - heldM2) > exactM2) {
      faults.push(`parts of ${sumM2.toFixed(4)} m2 overlap: they cover ${heldM2.toFixed(4)} m2`);
    }
    if (bothM2 - heldM2 > looseM2) {
      faults.push(`${(bothM2 - heldM2).toFixed(4)} m2 were allocated and are not held`);
    }
    if (bothM2 - allocatedM2 > exactM2) {
      faults.push(`${(bothM2 - allocatedM2).toFixed(4)} m2 are held and were not allocated`);
    }
  }
}

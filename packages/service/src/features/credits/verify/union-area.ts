import { areaKm2 } from "@swath/kernel/geometry/area";
import { unionAll } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";

/** Polygons united in one pass; what they make is united with what others made, in twos. */
const PASS = 64;

/**
 * The union of any number of polygons, given one after the other: nothing but the overlay library and the order of
 * uniting, so that it can judge what was found by adding areas up.
 */
export class UnionArea {
  #waiting: MultiPolygon["coordinates"][number][] = [];
  /** Unions of PASS, 2 PASS, 4 PASS … polygons, the largest first: as many as the count has binary digits. */
  readonly #levels: { readonly size: number; readonly area: MultiPolygon }[] = [];

  add({ coordinates }: MultiPolygon): void {
    this.#waiting.push(...coordinates);
    if (this.#waiting.length >= PASS) this.#flush();
  }

  #flush(): void {
    let next = { size: 1, area: unionAll(this.#waiting) };
    this.#waiting = [];
    for (let last = this.#levels.at(-1); last !== undefined && last.size <= next.size; last = this.#levels.at(-1)) {
      this.#levels.pop();
      next = { size: last.size + next.size, area: unionAll([...last.area.coordinates, ...next.area.coordinates]) };
    }
    this.#levels.push(next);
  }

  /** Area of the union, square metres. */
  areaM2(): number {
    if (this.#waiting.length > 0) this.#flush();
    return areaKm2(unionAll(this.#levels.flatMap(({ area }) => area.coordinates))) * 1e6;
  }
}

/** Longitudes and latitudes in turn, degrees; a ring ends with its first place. */
export type FlatLine = number[];

/** A TopoJSON file of Natural Earth's land: rings are joined from arcs, whose places are steps of a grid. */
export interface LandTopology {
  readonly objects: {
    readonly land: {
      /** Each is a multipolygon. */
      readonly geometries: readonly { readonly arcs: readonly (readonly number[])[][] }[];
    };
  };
  /** Each place is the difference from the one before it. */
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
}

/**
 * The polygons of a file, each of its exterior and its holes. An array for each of the 409,000 places of the finest
 * file would keep the page busy for a third of a second longer.
 *
 * @see https://github.com/topojson/topojson-specification
 */
export function landRings({ arcs, objects, transform }: LandTopology): readonly FlatLine[][] {
  const lines = arcs.map((steps) => lineOf(steps, transform));
  const ringOf = (numbers: readonly number[]): FlatLine => {
    const ring: FlatLine = [];
    for (const arc of numbers) {
      // An arc begins with the last place of the one before it.
      const skipped = ring.length === 0 ? 0 : 2;
      // ~3 is the arc 3, read backwards.
      if (arc < 0) appendBackwards(ring, lines[~arc] ?? [], skipped);
      else append(ring, lines[arc] ?? [], skipped);
    }
    return ring;
  };
  return objects.land.geometries.flatMap(({ arcs: polygons }) => polygons.map((polygon) => polygon.map(ringOf)));
}

function lineOf(
  steps: readonly (readonly [number, number])[],
  { scale, translate }: LandTopology["transform"],
): FlatLine {
  const line: FlatLine = [];
  let [x, y] = [0, 0];
  for (const step of steps) {
    x += step[0];
    y += step[1];
    line.push(x * scale[0] + translate[0], y * scale[1] + translate[1]);
  }
  return line;
}

function append(ring: FlatLine, line: FlatLine, skipped: number): void {
  for (let at = skipped; at < line.length; at += 1) ring.push(line[at] ?? 0);
}

function appendBackwards(ring: FlatLine, line: FlatLine, skipped: number): void {
  for (let at = line.length - 2 - skipped; at >= 0; at -= 2) ring.push(line[at] ?? 0, line[at + 1] ?? 0);
}

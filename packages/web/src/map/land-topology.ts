type Place = [longitude: number, latitude: number];
type Ring = Place[];

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
 * The polygons of a file, in degrees, each of its exterior and its holes. The 409,000 places of the finest file take 30
 * to 75 ms. The format of the map library makes a shape of each geometry first, and takes 110 to 210 ms.
 *
 * @see https://github.com/topojson/topojson-specification
 */
export function landRings({ arcs, objects, transform }: LandTopology): readonly Ring[][] {
  const { scale, translate } = transform;
  const lines = arcs.map((steps) => {
    let [x, y] = [0, 0];
    return steps.map(([stepX, stepY]): Place => {
      x += stepX;
      y += stepY;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  // ~3 is the arc 3, read backwards.
  const lineOf = (arc: number): Ring => (arc < 0 ? (lines[~arc] ?? []).toReversed() : (lines[arc] ?? []));
  const ringOf = (numbers: readonly number[]): Ring =>
    // An arc begins with the last place of the one before it.
    numbers.flatMap((arc, position) => lineOf(arc).slice(position === 0 ? 0 : 1));
  return objects.land.geometries.flatMap(({ arcs: polygons }) => polygons.map((polygon) => polygon.map(ringOf)));
}

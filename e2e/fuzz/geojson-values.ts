import * as fc from "fast-check";

type Position = readonly number[];

/** Around the scene that the world of the suite holds. */
const HERE = [15.011, 0.893] as const;

const place: fc.Arbitrary<Position> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(
      fc.double({ min: HERE[0] - 0.02, max: HERE[0] + 0.02, noNaN: true }),
      fc.double({ min: HERE[1] - 0.02, max: HERE[1] + 0.02, noNaN: true }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Position>(
      [180, 0],
      [-180, 0],
      [180.0000001, 0],
      [0, 90],
      [0, -90],
      [0, 90.0000001],
      [540, 85.06],
      [1e308, 1e308],
      [-1e-308, 5e-324],
      [2 ** 53 + 2, 1],
      [],
      [1],
      [15, 0.89, 1e300],
      [15, 0.89, 0, 0, 0],
    ),
  },
);

const rectangle = fc
  .tuple(place, fc.double({ min: 1e-9, max: 0.02, noNaN: true }), fc.double({ min: 1e-9, max: 0.02, noNaN: true }))
  .map(([[west = 0, south = 0], width, height]) => [
    [west, south],
    [west + width, south],
    [west + width, south + height],
    [west, south + height],
    [west, south],
  ]);

/** A star whose edges cross each other; a few thousand positions are a legal body. */
const star = fc.tuple(place, fc.constantFrom(5, 7, 51, 501, 2001)).map(([[x = 0, y = 0], corners]) =>
  Array.from({ length: corners + 1 }, (_, i) => {
    const angle = (2 * Math.PI * ((i * Math.floor(corners / 2)) % corners)) / corners;
    return [x + 0.01 * Math.cos(angle), y + 0.01 * Math.sin(angle)];
  }),
);

const closed = fc.array(place, { minLength: 3, maxLength: 12 }).map((positions) => [...positions, positions[0] ?? []]);

const ring: fc.Arbitrary<readonly Position[]> = fc.oneof(
  { weight: 12, arbitrary: rectangle },
  { weight: 3, arbitrary: closed },
  { weight: 1, arbitrary: star },
  { weight: 1, arbitrary: fc.array(place, { maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc.constant([
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ]),
  },
);

function some(item: fc.Arbitrary<unknown>, least: number, most: number): fc.Arbitrary<readonly unknown[]> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.array(item, { minLength: least, maxLength: most }) },
    { weight: 1, arbitrary: fc.array(item, { maxLength: least }) },
  );
}

const polygon = fc.oneof(
  { weight: 8, arbitrary: ring.map((outline) => [outline]) },
  { weight: 1, arbitrary: some(ring, 1, 3) },
);

const COORDINATES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Point: place,
  MultiPoint: some(place, 1, 6),
  LineString: some(place, 2, 6),
  MultiLineString: some(some(place, 2, 6), 1, 3),
  Polygon: polygon,
  MultiPolygon: some(polygon, 1, 4),
};

function simple(type: string): fc.Arbitrary<object> {
  return (COORDINATES[type] ?? fc.constant([])).map((coordinates) => ({ type, coordinates }));
}

const anySimple = fc.constantFrom(...Object.keys(COORDINATES)).chain(simple);

/** A collection of collections: deeper than any client sends, shallower than the limit of bodies. */
const nested = fc
  .tuple(anySimple, fc.nat({ max: 24 }))
  .map(([inner, depth]) =>
    Array.from({ length: depth }).reduce<object>(
      (geometry) => ({ type: "GeometryCollection", geometries: [geometry] }),
      inner,
    ),
  );

const collection = fc
  .array(anySimple, { maxLength: 4 })
  .map((geometries) => ({ type: "GeometryCollection", geometries }));

const feature = fc
  .record({
    geometry: fc.oneof({ weight: 9, arbitrary: anySimple }, { weight: 1, arbitrary: fc.constant(null) }),
    properties: fc.option(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })),
    id: fc.oneof(fc.string(), fc.double()),
  })
  .map((members) => ({ type: "Feature", ...members }));

const features = fc
  .array(feature, { maxLength: 4 })
  .map((members) => ({ type: "FeatureCollection", features: members }));

/** GeoJSON of the given types, mostly an area near the stored scene. */
export function geojsonOf(types: readonly string[]): fc.Arbitrary<unknown> {
  const areas = types.filter((type) => type === "Polygon" || type === "MultiPolygon").map(simple);
  const others = types.filter((type) => type in COORDINATES).map(simple);
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...(areas.length > 0 ? areas : others)) },
    { weight: 2, arbitrary: fc.oneof(...others) },
    ...(types.includes("GeometryCollection") ? [{ weight: 1, arbitrary: fc.oneof(collection, nested) }] : []),
    ...(types.includes("Feature") ? [{ weight: 1, arbitrary: feature }] : []),
    ...(types.includes("FeatureCollection") ? [{ weight: 1, arbitrary: features }] : []),
  );
}

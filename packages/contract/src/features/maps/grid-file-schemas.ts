import { Type } from "typebox";
import { MultiPolygonSchema, PolygonSchema } from "../../kit/schemas/geojson.ts";

/** Null where the area has no value. */
const Value = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const Share = (description: string) => Type.Number({ description, minimum: 0, maximum: 1 });
const Count = (description: string) => Type.Integer({ description, minimum: 0 });

const Statistics = Type.Object(
  {
    min: Value("least value"),
    max: Value("greatest value"),
    mean: Value("mean"),
    std: Value("standard deviation"),
    p05: Value("5th percentile"),
    p50: Value("median"),
    p95: Value("95th percentile"),
  },
  { title: "ValueStatistics", description: "of the valid values in the area; null without a value" },
);

const Histogram = Type.Object(
  {
    min: Type.Number(),
    max: Type.Number(),
    counts: Type.Array(Count("values in the bin; the first and last hold the values outside of the range")),
  },
  { title: "Histogram", description: "equal bins from min to max" },
);

const ClassDescription = Type.Object(
  {
    pixels: Count("pixels of the class"),
    areaM2: Type.Number({ description: "area on the ellipsoid, m2" }),
    ratio: Share("share of the valid pixels"),
    color: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { description: "red, green, blue" }),
  },
  { title: "MapClass" },
);

/** `metadata.json` of a map. */
export const MapMetadata = Type.Object(
  {
    mapType: Type.String(),
    version: Type.Integer({ description: "version of the map" }),
    algoVersion: Type.String({ description: "version of the algorithm" }),
    sceneId: Type.String(),
    mapId: Type.String(),
    algorithm: Type.Object({ name: Type.String(), params: Type.Record(Type.String(), Type.Unknown()) }),
    classes: Type.Record(Type.String(), ClassDescription, { description: "by name; empty without classes" }),
    statistics: Statistics,
    histogram: Type.Optional(Histogram),
    layers: Type.Optional(
      Type.Record(Type.String(), Type.Object({ unit: Type.String(), statistics: Statistics, histogram: Histogram }), {
        description: "layers of values, by name",
      }),
    ),
    bands: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: "bands of a picture, one by one" }),
    ),
    validRatio: Share("share of the area with valid pixels"),
    cloudRatio: Value("share of clouds in the window, else in the scene; null where unknown"),
    quality: Type.Object({ note: Type.String(), expected: Type.String() }),
    features: Type.Optional(
      Type.Object(
        {
          features: Count("objects of the file"),
          count: Count("objects, groups counted by their members"),
          byClass: Type.Record(Type.String(), Count("objects of the class")),
        },
        { description: "of map types with objects" },
      ),
    ),
    sScore: Type.Optional(Share("share of valid pixels times one minus the cloud cover")),
  },
  {
    title: "MapMetadata",
    additionalProperties: true,
    description: "metadata.json. Map types add members, such as sumOfLights",
  },
);

/** `area.json` of a map. */
export const MapAreas = Type.Record(Type.String(), Type.Number(), {
  title: "MapAreas",
  description: "area.json: m2 by class; `valid` for map types without classes",
});

const outline = Type.Union([PolygonSchema, MultiPolygonSchema], {
  description: "a MultiPolygon of two parts across the antimeridian",
});

const ObjectProperties = Type.Object(
  {
    featureId: Type.String({ description: "24 hexadecimal digits, equal for equal requests" }),
    class: Type.String(),
    area: Type.Number({ description: "m2" }),
    count: Count("members of a group; 1 for a single object"),
    confidence: Share("confidence"),
    orientation: Type.Optional(Type.Number({ description: "degrees of the long side; absent for groups" })),
    aspectRatio: Type.Number({ description: "short side over long side" }),
    bboxArea: Type.Number({ description: "area of the rectangle, m2" }),
    areaPercentage: Type.Number({ description: "share of the rectangle, percent" }),
    eccentricity: Type.Number(),
    latLonCenter: Type.Array(Type.Number(), { description: "latitude, longitude", minItems: 2, maxItems: 2 }),
    source: Type.String({ description: "rule, or the model" }),
  },
  { title: "DetectionProperties", additionalProperties: true, description: "map types add members, such as lengthM" },
);

/** `detections.geojson` and `attention_regions.geojson` of a map. */
export const Detections = Type.Object(
  {
    type: Type.Literal("FeatureCollection"),
    features: Type.Array(
      Type.Object(
        { type: Type.Literal("Feature"), geometry: outline, properties: ObjectProperties },
        { title: "Detection" },
      ),
    ),
  },
  {
    title: "Detections",
    description: "detections.geojson and attention_regions.geojson: objects as rectangles of least area",
  },
);

/** `polygons.geojson` of a map. */
export const ClassPolygons = Type.Object(
  {
    type: Type.Literal("FeatureCollection"),
    features: Type.Array(
      Type.Object(
        {
          type: Type.Literal("Feature"),
          geometry: outline,
          properties: Type.Object({ class: Type.String(), area: Type.Number({ description: "m2" }) }),
        },
        { title: "ClassPolygon" },
      ),
    ),
  },
  { title: "ClassPolygons", description: "polygons.geojson: outlines of the classes" },
);

import { Type } from "typebox";
import { defineOperation } from "../../kit/operation.ts";

/** Coordinates of one request. */
const MAX_POINTS = 100;

const PointRequest = Type.Object(
  {
    mapId: Type.String({ description: "signed map ID of a release", minLength: 1, maxLength: 4096 }),
    points: Type.Array(
      Type.Tuple([
        Type.Number({ description: "longitude, degrees", minimum: -180, maximum: 180 }),
        Type.Number({ description: "latitude, degrees", minimum: -90, maximum: 90 }),
      ]),
      { description: "[longitude, latitude]", minItems: 1, maxItems: MAX_POINTS },
    ),
    resolution: Type.Optional(
      Type.Number({
        description:
          "metres: coarser pixels, averaged by powers of two up to this size, are read from overviews; the pixels " +
          "of the scene if absent",
        exclusiveMinimum: 0,
        maximum: 1e7,
      }),
    ),
  },
  { title: "PointRequest" },
);

const Maybe = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const PointValue = Type.Object({
  name: Type.String({ description: "name of the band, the index or the layer" }),
  unit: Type.Union([Type.String(), Type.Null()], { description: "null for numbers without a unit" }),
  value: Maybe("null where the pixel has no data"),
  valid: Type.Boolean({ description: "whether the pixel has data" }),
  reflectance: Type.Optional(Maybe("bands of reflectance: the value as reflectance")),
  className: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "layers of classes: name of the class; null for the background and without data",
    }),
  ),
});

const Point = Type.Object({
  point: Type.Tuple([Type.Number(), Type.Number()], { description: "as requested" }),
  resolutionM: Type.Union([Type.Number(), Type.Null()], {
    description: "side of the pixel, metres; null outside of the map",
  }),
  values: Type.Union([Type.Array(PointValue), Type.Null()], { description: "null outside of the map" }),
  reason: Type.Union([Type.Literal("outside-map"), Type.Literal("no-data"), Type.Null()], {
    description: "why there is no value; null where there is one",
  }),
});

const PointAnswer = Type.Object(
  {
    mapType: Type.String(),
    sceneId: Type.String(),
    datetime: Type.String({ description: "time of acquisition, UTC" }),
    points: Type.Array(Point, { description: "in the order of the request" }),
  },
  { title: "PointAnswer" },
);

export type PointRequest = Type.Static<typeof PointRequest>;
export type PointAnswer = Type.Static<typeof PointAnswer>;

export const getPoint = defineOperation({
  path: "/mapsvc/point/get",
  access: "public",
  summary: "Get all values of a map at coordinates",
  description:
    "The values of every band or layer of the pixel that holds a coordinate, equal to an export on the grid " +
    "of the scene. The map ID grants the access: no token is needed.",
  request: PointRequest,
  response: PointAnswer,
  errors: ["INVALID-MAP-ID"],
});

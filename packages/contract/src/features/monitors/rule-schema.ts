import { Type } from "typebox";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";

const Value = { minimum: -1e12, maximum: 1e12 };

const Measure = Type.Object(
  {
    mapType: MapTypeIdSchema,
    layer: Type.Optional(
      Type.String({ description: "layer of the map; its first one unless given", minLength: 1, maxLength: 200 }),
    ),
    statistic: Type.Enum(["areaKm2", "max", "mean", "min", "objects", "percentile", "std", "validShare"]),
    percentile: Type.Optional(Type.Number({ description: "of `percentile`", minimum: 0, maximum: 100 })),
    className: Type.Optional(Type.String({ description: "class, of `areaKm2`", minLength: 1, maxLength: 200 })),
  },
  { title: "MonitorMeasure", description: "a number of each area, as /mapsvc/statistics gives it" },
);

/** When a result is an alert. */
export const MonitorRuleSchema = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("threshold"),
        measure: Measure,
        above: Type.Optional(Type.Number({ description: "a higher value alerts", ...Value })),
        below: Type.Optional(Type.Number({ description: "a lower value alerts", ...Value })),
      },
      { title: "ThresholdRule" },
    ),
    Type.Object(
      {
        kind: Type.Literal("change"),
        measure: Measure,
        last: Type.Integer({
          description: "earlier values of the area whose median counts; with fewer there is no alert",
          minimum: 1,
          maximum: 50,
        }),
        by: Type.Number({ description: "least distance from the median", minimum: 0, maximum: 1e12 }),
        relative: Type.Optional(Type.Boolean({ description: "`by` is a share of the median", default: false })),
      },
      { title: "ChangeRule" },
    ),
    Type.Object(
      {
        kind: Type.Literal("objects"),
        mapType: MapTypeIdSchema,
        atLeast: Type.Integer({ description: "so many objects of an area alert", minimum: 1, maximum: 1_000_000_000 }),
      },
      { title: "ObjectsRule" },
    ),
  ],
  { title: "MonitorRule", description: "when a result is an alert" },
);

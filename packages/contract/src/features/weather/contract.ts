import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { PolygonSchema } from "../../kit/schemas/geojson.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";

const PrecipitationRequestSchema = Type.Object(
  {
    geometry: PolygonSchema,
    endDatetime: Type.Optional({ ...DatetimeInputSchema, description: "end of the window; UTC unless it has a zone" }),
    endTime: Type.Optional({ ...DatetimeInputSchema, description: "the same value under its other name" }),
    windowSizeHours: Type.Integer({ description: "hours to look back", minimum: 1, maximum: 720 }),
  },
  { title: "PrecipitationRequest" },
);
export type PrecipitationRequest = Static<typeof PrecipitationRequestSchema>;

const PrecipitationAnswerSchema = Type.Object(
  { precipitation: Type.Number({ description: "millimetres, mean over the geometry", minimum: 0 }) },
  { title: "PrecipitationAnswer" },
);
export type PrecipitationAnswer = Static<typeof PrecipitationAnswerSchema>;

export const weatherContract = {
  precipitation: defineOperation({
    path: "/imagery/weather/precipitation",
    summary: "Compute the rain on an area",
    description:
      "Sums the mean rate over the geometry over the hours of the window. The area of a cell inside the " +
      "geometry is its weight. Partial hours count in part. Up to a fifth of the hours may be missing and " +
      "count as the mean of the others. Latitude is within -60..60.",
    permissions: ["imagery.scene-info"],
    request: PrecipitationRequestSchema,
    response: PrecipitationAnswerSchema,
    errors: ["DATA-NOT-AVAILABLE", "SERVICE-UNAVAILABLE"],
    work: { maps: ({ windowSizeHours }) => windowSizeHours },
  }),
} as const satisfies FeatureContract;

import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { PolygonSchema } from "../../kit/schemas/geojson.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";

const PrecipitationRequestSchema = Type.Object(
  {
    geometry: PolygonSchema,
    endDatetime: Type.Optional({ ...DatetimeInputSchema, description: "end of the window; UTC unless it has a zone" }),
    endTime: Type.Optional({ ...DatetimeInputSchema, description: "the same under its other name" }),
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
    summary: "Rain that fell on an area",
    description:
      "Sum over the hours of the window of the mean rate over the geometry, cells weighted by their area inside it. Hours that the window holds in part count in part. " +
      "Up to a fifth of the hours may be missing and are taken as the mean of the others. Between 60 degrees south and 60 degrees north.",
    permissions: ["imagery.scene-info"],
    request: PrecipitationRequestSchema,
    response: PrecipitationAnswerSchema,
    errors: ["DATA-NOT-AVAILABLE", "SERVICE-UNAVAILABLE"],
  }),
} as const satisfies FeatureContract;

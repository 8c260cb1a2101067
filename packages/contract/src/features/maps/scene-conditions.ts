import { Type } from "typebox";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { DatasetNameSchema, MAX_DATASETS } from "../imagery/contract.ts";

/** Members that choose scenes of datasets, instead of a list of scenes. */
export const sceneConditions = {
  datasets: Type.Optional(
    Type.Array(DatasetNameSchema, {
      description: "instead of `sceneIds`: takes the scenes of these datasets that meet the area",
      minItems: 1,
      maxItems: MAX_DATASETS,
    }),
  ),
  startDatetime: Type.Optional(DatetimeInputSchema),
  endDatetime: Type.Optional(DatetimeInputSchema),
  minIntersection: Type.Optional(
    Type.Number({
      description: "with `datasets`: least share of the whole area that a scene covers; 0 means any common area",
      minimum: 0,
      maximum: 1,
      default: 0,
    }),
  ),
  maxCloudCover: Type.Optional(
    Type.Number({
      description: "with `datasets`: highest share of a scene under cloud; scenes of unknown cover count",
      minimum: 0,
      maximum: 1,
    }),
  ),
  maxOffNadir: Type.Optional(
    Type.Number({
      description: "with `datasets`: largest off-nadir angle, degrees; scenes of unknown angle count",
      minimum: 0,
      maximum: 90,
    }),
  ),
};

/** Members that need `datasets`: the conditions, and the bound of the scenes. */
export const MEMBERS_WITH_DATASETS = [
  "startDatetime",
  "endDatetime",
  "minIntersection",
  "maxCloudCover",
  "maxOffNadir",
  "limit",
] as const;

import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";

/** Scenes of one backfill. */
export const MAX_BACKFILL_SCENES = 200;

const Credits = (description: string) => Type.Number({ description, minimum: 0, maximum: 1_000_000_000_000 });

const period = {
  monitorId: Type.String({ description: "ID of a monitor", minLength: 1, maxLength: 64 }),
  startDatetime: Type.String({ description: "earliest acquisition, UTC", maxLength: 32, examples: ["2025-06-01"] }),
  endDatetime: Type.String({
    description: "latest acquisition, UTC",
    maxLength: 32,
    examples: ["2025-06-30 23:59:59"],
  }),
};
const BackfillPeriod = Type.Object(period);
const BackfillRequest = Type.Object({
  ...period,
  expectedCredits: Credits("`credits` of the dry run; at another price nothing is taken"),
});

const BackfillPlan = Type.Object(
  {
    month: Type.String({ description: "the month whose budget counts, UTC", examples: ["2026-06"] }),
    leftCredits: Credits("rest of the budget before the backfill"),
    credits: Credits("price of the scenes that fit: the most that is charged for them"),
    leftOutCredits: Credits("price of the scenes that the budget leaves out"),
    knownCount: Type.Integer({ description: "matching scenes that the monitor has already", minimum: 0 }),
    scenes: Type.Array(
      Type.Object({
        sceneId: SceneIdSchema,
        datetime: Type.String({ description: "acquisition of the scene, UTC" }),
        credits: Credits("price of the scene"),
        fits: Type.Boolean({ description: "false: it is left out" }),
        message: Type.Union([Type.String({ description: "why it is left out" }), Type.Null()]),
      }),
      { description: "matching scenes that the monitor does not have, oldest first", maxItems: MAX_BACKFILL_SCENES },
    ),
  },
  { title: "BackfillPlan" },
);

export type BackfillPeriod = Type.Static<typeof BackfillPeriod>;
export type BackfillRequest = Type.Static<typeof BackfillRequest>;
export type BackfillPlan = Type.Static<typeof BackfillPlan>;

const NOTHING: BackfillPlan = {
  month: "",
  leftCredits: 0,
  credits: 0,
  leftOutCredits: 0,
  knownCount: 0,
  scenes: [],
};
const PERMISSIONS = ["imagery.monitors", "imagery.availability", "mapsvc.statistics"];
const ERRORS = [
  "NON-EXISTENT-MONITOR",
  "DATASET-NOT-SUPPORTED-FOR-SEARCH",
  "DATASETS-NEED-SEPARATE-SEARCH",
  "EXTENT-TOO-LARGE",
  "SERVICE-UNAVAILABLE",
] as const;

export const backfillDryRun = definePipeline({
  path: "/monitor/backfill/dry-run",
  unknownMembers: "refuse",
  permissions: PERMISSIONS,
  conditionalPermissions: ["algorithms.<map type>.<provider>.<dataset>"],
  summary: "List past scenes that a monitor would measure, with their price",
  description:
    "Searches the period with the areas, datasets and filter of the monitor. Nothing is charged. The rest of this " +
    "month's budget is given to the oldest scenes first. Needs the permissions of the map types for each scene. A " +
    `period has at most ${MAX_BACKFILL_SCENES} such scenes.`,
  request: BackfillPeriod,
  result: BackfillPlan,
  emptyResult: NOTHING,
  errors: ERRORS,
});

export const backfill = definePipeline({
  path: "/monitor/backfill",
  unknownMembers: "refuse",
  permissions: [...PERMISSIONS, "credits.allocate-area"],
  conditionalPermissions: ["algorithms.<map type>.<provider>.<dataset>", "datacube.write"],
  summary: "Measure the past scenes of a dry run at its price",
  description:
    "Plans as /monitor/backfill/dry-run does. The scenes that fit become scenes of the monitor, which pays and " +
    "measures them as new ones. CONFLICT when `expectedCredits` is not their price; nothing is taken then. A scene " +
    "whose price rises later is skipped with the reason `PRICE`.",
  request: BackfillRequest,
  result: BackfillPlan,
  emptyResult: NOTHING,
  errors: [...ERRORS, "CONFLICT"],
});

import { Type, type TSchema } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { ProviderIdSchema, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { DATACUBE_NAMES } from "../datacube/names.ts";
import { SceneFilter, watchConditions, WatchedAreas } from "../standing-queries/contract.ts";
import { backfill, backfillDryRun } from "./backfill-contract.ts";
import { MonitorRuleSchema } from "./rule-schema.ts";

/** Monitors of one user. */
export const MAX_MONITORS = 100;
/** Areas of one monitor. */
export const MAX_MONITOR_AREAS = 100;
const MAX_MONITOR_MAP_TYPES = 5;
/** Monitors that one page holds at most. */
export const MONITORS_PAGE = 100;
/** Scenes that the answer about a monitor names, the latest ones. */
export const LATEST_SCENES = 100;
/** Why a scene has no result. */
export const SKIP_REASONS = ["BUDGET", "CLOUD", "CREDIT", "FAILED", "PRICE", "RIGHTS"] as const;

const PERMISSIONS = ["imagery.monitors"];
const CONTENT_PERMISSIONS = [
  "imagery.images.<provider>.<dataset>",
  "algorithms.<map type>.<provider>.<dataset>",
] as const;

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const MonitorId = Type.String({ description: "ID of a monitor", minLength: 1, maxLength: 64 });
const Name = Type.String({ description: "shown in events", minLength: 1, maxLength: 200, examples: ["North fields"] });
const Budget = Type.Number({
  description: "most credits that the monitor spends in a calendar month, UTC; never exceeded",
  minimum: 0,
  maximum: 1_000_000_000,
});
const MinValidShare = Type.Number({
  description: "least share of an area with pixels that count; below it the area has no value",
  minimum: 0,
  maximum: 1,
});

const LookMinutes = Type.Integer({
  description: "minutes between looks for new scenes",
  minimum: 15,
  maximum: 43_200,
  examples: [1_440],
});
const OverlapDays = Type.Integer({
  description: "days before the last look that a look searches again, for scenes that are published late",
  minimum: 0,
  maximum: 60,
});
/** Looks of monitors whose request has no schedule. */
export const DEFAULT_SCHEDULE = { everyMinutes: 360, overlapDays: 7 } as const;
const LookSchedule = Type.Object(
  {
    everyMinutes: LookMinutes,
    overlapDays: Type.Optional({ ...OverlapDays, default: DEFAULT_SCHEDULE.overlapDays }),
  },
  { title: "MonitorSchedule", description: `every ${DEFAULT_SCHEDULE.everyMinutes} minutes unless given` },
);

const settings = {
  name: Name,
  ...watchConditions,
  mapTypes: Type.Array(MapTypeIdSchema, {
    description: "maps that are measured",
    minItems: 1,
    maxItems: MAX_MONITOR_MAP_TYPES,
    uniqueItems: true,
  }),
  creditsPerMonth: Budget,
  rule: MonitorRuleSchema,
  minValidShare: Type.Optional({ ...MinValidShare, default: 0 }),
  project: Type.Optional(
    Type.String({
      description: "project of the datacube that keeps the figures of its areas; needs datacube.write",
      pattern: DATACUBE_NAMES.project,
    }),
  ),
  schedule: Type.Optional(LookSchedule),
};

const MonitorLook = Type.Object(
  {
    provider: ProviderIdSchema,
    nextLookAt: Nullable(
      Type.String({ format: "date-time", description: "null: the monitor is paused, or takes no later scenes" }),
    ),
    lastLookAt: Nullable(Type.String({ format: "date-time", description: "end of the last look that succeeded" })),
    failures: Type.Integer({ description: "failures since then", minimum: 0 }),
    failedAt: Nullable(Type.String({ format: "date-time" })),
    failure: Nullable(Type.String({ description: "the last failure since then" })),
  },
  { title: "MonitorLook" },
);

const members = {
  id: MonitorId,
  ...settings,
  minValidShare: MinValidShare,
  schedule: Type.Object({ everyMinutes: LookMinutes, overlapDays: OverlapDays }, { title: "KeptMonitorSchedule" }),
  looks: Type.Array(MonitorLook, {
    description: "looks for new scenes, one for each provider; providers without a catalogue have none",
  }),
  enabled: Type.Boolean({ description: "false: paused, or stopped by the service" }),
  stopReason: Nullable(Type.String({ description: "why the service stopped it; null unless it did" })),
  areaCount: Type.Integer({ minimum: 1 }),
  month: Type.String({ description: "this month, UTC", examples: ["2026-06"] }),
  spentCredits: Type.Number({ description: "charged this month", minimum: 0 }),
  reservedCredits: Type.Number({ description: "held for scenes that are being measured", minimum: 0 }),
  createdAt: Type.String({ format: "date-time" }),
  updatedAt: Type.String({ format: "date-time" }),
};
const Monitor = Type.Object(members, { title: "Monitor" });
export type Monitor = Type.Static<typeof Monitor>;

const MonitoredScene = Type.Object(
  {
    sceneId: SceneIdSchema,
    status: Type.Enum(["WAITING", "RUNNING", "DONE", "SKIPPED"]),
    skipReason: Nullable(Type.Enum([...SKIP_REASONS])),
    message: Nullable(Type.String({ description: "the reason in words, or the last failure of a scene that waits" })),
    pipelineId: Nullable(Type.String({ description: "of /mapsvc/statistics/retrieve, with all figures" })),
    chargedCredits: Type.Number({ minimum: 0 }),
    values: Type.Array(Type.Object({ area: Type.String(), value: Nullable(Type.Number()) }), {
      description: "the measure of the rule for each area; null where it was not measured",
      maxItems: MAX_MONITOR_AREAS,
    }),
    alertAreas: Type.Array(Type.String(), { description: "areas that alerted", maxItems: MAX_MONITOR_AREAS }),
    matchedAt: Type.String({ format: "date-time" }),
    finishedAt: Nullable(Type.String({ format: "date-time" })),
  },
  { title: "MonitoredScene" },
);
export type MonitoredScene = Type.Static<typeof MonitoredScene>;

const DetailedMonitor = Type.Object(
  {
    ...members,
    areas: WatchedAreas,
    scenes: Type.Array(MonitoredScene, {
      description: `the latest ${LATEST_SCENES} scenes, newest match first`,
      maxItems: LATEST_SCENES,
    }),
  },
  { title: "DetailedMonitor" },
);
export type DetailedMonitor = Type.Static<typeof DetailedMonitor>;

const Reference = Type.Object({ monitorId: MonitorId });

export const monitorsContract = {
  create: defineOperation({
    path: "/monitor/create",
    unknownMembers: "refuse",
    summary: "Watch areas: measure each new scene, within a budget, and alert by a rule",
    description:
      "Creation charges nothing. Each scene that becomes known from now on and meets the conditions is priced, paid " +
      "within `creditsPerMonth`, and measured as /mapsvc/statistics does with `allocate`. A result is the event " +
      "`monitor.result`; areas that the rule finds are the event `monitor.alert`. The rights of the owner at that " +
      "moment count. The catalogues of the datasets are searched by `schedule`. `startDatetime` is the time of creation unless given: earlier scenes are taken by " +
      `/monitor/backfill. A user has at most ${MAX_MONITORS} monitors, a monitor at most ${MAX_MONITOR_AREAS} areas.`,
    permissions: [...PERMISSIONS, "mapsvc.statistics", "credits.allocate-area"],
    contentPermissions: CONTENT_PERMISSIONS,
    conditionalPermissions: ["datacube.write"],
    dynamicPermissions: ({ project }) => (project === undefined ? [] : ["datacube.write"]),
    request: Type.Object({ ...settings, areas: WatchedAreas }),
    response: Monitor,
    errors: [
      "DATASET-NOT-SUPPORTED-FOR-SEARCH",
      "DATASETS-NEED-SEPARATE-SEARCH",
      "EXTENT-TOO-LARGE",
      "CONFLICT",
      "DATA-NOT-AVAILABLE",
    ],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  update: defineOperation({
    path: "/monitor/update",
    unknownMembers: "refuse",
    summary: "Change the name, filter, budget, rule or schedule of a monitor",
    description:
      "Absent members stay. Under another rule the earlier values do not count. A budget below what is spent stops " +
      "further scenes of the month.",
    permissions: PERMISSIONS,
    request: Type.Object({
      monitorId: MonitorId,
      name: Type.Optional(Name),
      filter: Type.Optional(SceneFilter),
      creditsPerMonth: Type.Optional(Budget),
      rule: Type.Optional(MonitorRuleSchema),
      minValidShare: Type.Optional(MinValidShare),
      schedule: Type.Optional(LookSchedule),
    }),
    response: Monitor,
    errors: ["NON-EXISTENT-MONITOR"],
  }),
  list: defineOperation({
    path: "/monitor/list",
    summary: "List the monitors of the caller, newest first",
    description: `A page has at most ${MONITORS_PAGE}.`,
    permissions: PERMISSIONS,
    request: Type.Object({ cursor: Type.Optional(CursorSchema) }),
    response: Type.Object({ results: Type.Array(Monitor), cursor: NextCursorSchema }, { title: "MonitorPage" }),
    errors: ["INVALID-CURSOR"],
  }),
  get: defineOperation({
    path: "/monitor/get",
    summary: "Get a monitor with its areas, its latest scenes and its spending",
    description: "Administrators read the monitors of all users.",
    permissions: PERMISSIONS,
    request: Reference,
    response: DetailedMonitor,
    errors: ["NON-EXISTENT-MONITOR"],
  }),
  pause: defineOperation({
    path: "/monitor/pause",
    unknownMembers: "refuse",
    summary: "Pause or resume a monitor",
    description: "Scenes that become known meanwhile are left out; scenes that wait are measured when it is resumed.",
    permissions: PERMISSIONS,
    request: Type.Object({
      monitorId: MonitorId,
      paused: Type.Optional(Type.Boolean({ description: "false resumes it", default: true })),
    }),
    response: Monitor,
    errors: ["NON-EXISTENT-MONITOR"],
  }),
  delete: defineOperation({
    path: "/monitor/delete",
    summary: "Delete a monitor and its list of results",
    description: "Statistics that run are finished and charged. Datapoints and events stay.",
    permissions: PERMISSIONS,
    request: Reference,
    response: Type.Object({}),
    errors: ["NON-EXISTENT-MONITOR"],
  }),
  backfillDryRun,
  backfill,
} as const satisfies FeatureContract;

import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema, GeometrySchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { MAX_SCENES, SceneIdSchema } from "../../kit/schemas/scene.ts";

const MAX_RUNS = 50;

const SceneGroup = Type.Union([
  Type.Array(SceneIdSchema, {
    description: "one scene, or a pair or series for a map type that compares scenes",
    minItems: 1,
    maxItems: 64,
  }),
  Type.Object({ sceneId: SceneIdSchema }, { description: "one scene, in the notation of older clients" }),
]);

const DryRun = Type.Object({
  mapTypes: Type.Array(MapTypeIdSchema, { minItems: 1, maxItems: 20 }),
  scenes: Type.Array(SceneGroup, { minItems: 1, maxItems: MAX_SCENES }),
});

export const DryRunRequest = Type.Object({
  dryRuns: Type.Array(DryRun, { minItems: 1, maxItems: MAX_RUNS }),
  extent: ExtentSchema,
  includeGeometries: Type.Optional(
    Type.Boolean({ description: "whether to return the areas to pay for", default: false }),
  ),
  allocate: Type.Optional(
    Type.Boolean({
      description: "pays for the area at the returned cost; needs credits.allocate-area",
      default: false,
    }),
  ),
  onlyIngested: Type.Optional(Type.Boolean({ description: "omits scenes whose pixels are not in the store" })),
});

const Km2 = (description: string) => Type.Number({ description: `${description}, km2`, minimum: 0 });

export const DryRunResult = Type.Object({
  ingestedKm2: Km2("area of the scenes to fetch into the store"),
  analyzedKm2: Km2("sum of the areas of all maps except imagery"),
  mapsvcKm2: Km2("sum of the areas of all maps"),
  allocatedKm2: Km2("unpaid area"),
  allocatedCredits: Type.Number({
    description: "cost of the unpaid area, charged with `allocate`, credits",
    minimum: 0,
  }),
  scenes: Type.Array(
    Type.Object({
      sceneId: Type.String(),
      provider: Type.String(),
      dataset: Type.String(),
      km2: Km2("unpaid area of the scene"),
      cost: Type.Number({ description: "credits, including priced map types" }),
      costPerKm2: Type.Number({ description: "credits per km2 of the scene alone" }),
      allocatedExtent: Type.Optional({
        ...GeometrySchema,
        description: "the part of the extent inside the scene; with includeGeometries",
      }),
    }),
  ),
});

export type DryRunRequest = Type.Static<typeof DryRunRequest>;
export type DryRunResult = Type.Static<typeof DryRunResult>;

/** The answer where no scene meets the extent. */
export const NOTHING_TO_PAY: DryRunResult = {
  ingestedKm2: 0,
  analyzedKm2: 0,
  mapsvcKm2: 0,
  allocatedKm2: 0,
  allocatedCredits: 0,
  scenes: [],
};

export const dryRun = definePipeline({
  path: "/mapsvc/dry-run",
  unknownMembers: ({ allocate }) => (allocate === true ? "refuse" : "warn"),
  lane: "quick",
  permissions: ["mapsvc.dry-run"],
  conditionalPermissions: ["credits.allocate-area", "store.ingested"],
  dynamicPermissions: ({ allocate, onlyIngested }) => [
    ...(allocate === true ? ["credits.allocate-area"] : []),
    ...(onlyIngested === true ? ["store.ingested"] : []),
  ],
  summary: "Compute the cost of a release",
  description:
    "Returns areas and credits of a release without releasing. The cost equals the charge of an " +
    "allocation at the same moment. `allocate` charges it, once for any number of runs of the pipeline.",
  request: DryRunRequest,
  result: DryRunResult,
  emptyResult: NOTHING_TO_PAY,
  errors: [
    "NON-EXISTING-SCENE",
    "EXTENT-HAS-NO-INTERSECTION",
    "LICENSE-EXPIRED",
    "INSUFFICIENT-CREDIT",
    "USER-CREDIT-LIMIT",
  ],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: { maps: ({ dryRuns }) => dryRuns.reduce((sum, run) => sum + run.mapTypes.length * sceneCount(run.scenes), 0) },
});

function sceneCount(groups: DryRunRequest["dryRuns"][number]["scenes"]): number {
  return groups.reduce((sum, group) => sum + (Array.isArray(group) ? group.length : 1), 0);
}

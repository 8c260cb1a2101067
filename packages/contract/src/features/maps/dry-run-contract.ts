import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema, GeometrySchema } from "../../kit/schemas/geojson.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";

const MAX_RUNS = 50;
const MAX_GROUPS = 100;
/** Scenes of all runs together. */
export const MAX_DRY_RUN_SCENES = 200;

const SceneGroup = Type.Union([
  Type.Array(SceneIdSchema, {
    description: "one scene, or the pair or series that a map type compares",
    minItems: 1,
    maxItems: 64,
  }),
  Type.Object({ sceneId: SceneIdSchema }, { description: "one scene, as older clients write it" }),
]);

const DryRun = Type.Object({
  mapTypes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 20 }),
  scenes: Type.Array(SceneGroup, { minItems: 1, maxItems: MAX_GROUPS }),
});

export const DryRunRequest = Type.Object({
  dryRuns: Type.Array(DryRun, { minItems: 1, maxItems: MAX_RUNS }),
  extent: ExtentSchema,
  includeGeometries: Type.Optional(
    Type.Boolean({ description: "whether to answer what would be paid for", default: false }),
  ),
  allocate: Type.Optional(
    Type.Boolean({
      description: "pays for the area at the cost answered; needs credits.allocate-area",
      default: false,
    }),
  ),
  onlyIngested: Type.Optional(Type.Boolean({ description: "leaves out scenes whose pixels are not in the store" })),
});

const Km2 = (description: string) => Type.Number({ description: `${description}, km2`, minimum: 0 });

export const DryRunResult = Type.Object({
  ingestedKm2: Km2("area of the scenes that would have to be brought into the store"),
  analyzedKm2: Km2("area that map types other than imagery would work on, each counted"),
  mapsvcKm2: Km2("area of all maps, each counted"),
  allocatedKm2: Km2("area that is not paid for yet"),
  allocatedCredits: Type.Number({ description: "what paying for it costs, or has cost", minimum: 0 }),
  scenes: Type.Array(
    Type.Object({
      sceneId: Type.String(),
      provider: Type.String(),
      dataset: Type.String(),
      km2: Km2("area of the scene that is not paid for yet"),
      cost: Type.Number({ description: "credits, map types of their own price included" }),
      costPerKm2: Type.Number({ description: "credits per km2 of the scene itself" }),
      allocatedExtent: Type.Optional({
        ...GeometrySchema,
        description: "the part of the extent inside the scene; with includeGeometries",
      }),
    }),
  ),
});

export type DryRunRequest = Type.Static<typeof DryRunRequest>;
export type DryRunResult = Type.Static<typeof DryRunResult>;

export const dryRun = definePipeline({
  path: "/mapsvc/dry-run",
  permissions: ["mapsvc.dry-run"],
  dynamicPermissions: ({ allocate, onlyIngested }) => [
    ...(allocate === true ? ["credits.allocate-area"] : []),
    ...(onlyIngested === true ? ["store.ingested"] : []),
  ],
  summary: "What a release would cost",
  description:
    "Areas and credits of releasing map types of scenes over an extent, without doing it. The cost is what an allocation at the same moment charges; with `allocate` it is charged, once however often the pipeline runs.",
  request: DryRunRequest,
  result: DryRunResult,
  errors: [
    "NON-EXISTING-SCENE",
    "EXTENT-HAS-NO-INTERSECTION",
    "LICENSE-EXPIRED",
    "INSUFFICIENT-CREDIT",
    "USER-CREDIT-LIMIT",
  ],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});

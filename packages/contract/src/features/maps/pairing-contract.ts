import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";

const MAX_SCENES = 200;
/** Most scenes of one series. */
export const MAX_GROUP_SCENES = 64;

const SceneIds = Type.Array(SceneIdSchema, {
  description: "scenes to group; scenes outside the extent are omitted",
  minItems: 1,
  maxItems: MAX_SCENES,
});
const MapTypes = Type.Optional(
  Type.Array(MapTypeIdSchema, {
    description: "existing map types that will use the groups",
    maxItems: 20,
  }),
);

export const PairwiseRequest = Type.Object({
  sceneIds: SceneIds,
  extent: ExtentSchema,
  mapTypes: MapTypes,
  pairingType: Type.Optional(
    Type.Union([Type.Literal("first"), Type.Literal("prev"), Type.Literal("all"), Type.Null()], {
      description: "first: the earliest with each; prev: each with its predecessor; all: every two; prev by default",
    }),
  ),
});
export const PairwiseResult = Type.Object({
  pairs: Type.Array(Type.Tuple([Type.String(), Type.String()]), { description: "[earlier scene, later scene]" }),
});

export const NwiseRequest = Type.Object({
  sceneIds: SceneIds,
  extent: ExtentSchema,
  mapTypes: MapTypes,
  size: Type.Optional(
    Type.Integer({ description: "scenes of a group at most", minimum: 2, maximum: MAX_GROUP_SCENES, default: 64 }),
  ),
});
export const NwiseResult = Type.Object({
  groups: Type.Array(Type.Array(Type.String()), { description: "scene ids in order of time, two or more each" }),
});

export type PairwiseRequest = Type.Static<typeof PairwiseRequest>;
export type PairwiseResult = Type.Static<typeof PairwiseResult>;
export type NwiseRequest = Type.Static<typeof NwiseRequest>;
export type NwiseResult = Type.Static<typeof NwiseResult>;

const shared = {
  lane: "quick",
  permissions: ["imagery.availability"],
  errors: ["NON-EXISTING-SCENE", "SCENES-WITH-SAME-DATETIME", "EXTENT-HAS-NO-INTERSECTION"],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: { maps: ({ sceneIds }: PairwiseRequest | NwiseRequest) => sceneIds.length },
} as const;

export const pairwise = definePipeline({
  ...shared,
  path: "/mapsvc/pairwise",
  summary: "Pair scenes for map types that compare two",
  description:
    "Radar scenes of a pair share relative orbit, pass, look side, mode and polarisation. Pairs without " +
    "common area inside the extent are omitted.",
  request: PairwiseRequest,
  result: PairwiseResult,
  emptyResult: { pairs: [] },
});

export const nwise = definePipeline({
  ...shared,
  path: "/mapsvc/nwise",
  summary: "Group scenes into series for map types that compare many",
  description:
    "One group for each relative orbit, pass, look side, mode and polarisation. Longer groups are cut " +
    "into equal parts that the map types accept.",
  request: NwiseRequest,
  result: NwiseResult,
  emptyResult: { groups: [] },
});

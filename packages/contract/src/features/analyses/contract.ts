import { Type } from "typebox";
import { mostPairs } from "@swath/kernel/scenes/pairing";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { MAX_SCENES, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { MAX_RELEASED_MAPS } from "../maps/release-contract.ts";
import { exportAnalysis, importAnalysis } from "./archive-contract.ts";
import { Analysis, AnalysisId, AnalysisToSave, AnalysisVersion } from "./analysis.ts";

const API = ["analytics.analysis.api"];
/** Analyses that one page holds at most. */
export const ANALYSES_PAGE = 100;

const AnalysisReference = Type.Object({ analysisId: AnalysisId });
const SavedAnalysis = Type.Object({ analysisId: AnalysisId, version: AnalysisVersion });

/** The permissions of the releases that make the maps. */
const RELEASE_PERMISSIONS = [
  "imagery.images.<provider>.<dataset>",
  "algorithms.<map type>.<provider>.<dataset>",
] as const;
const FRAME_ERRORS = [
  "NON-EXISTENT-ANALYSIS",
  "NON-EXISTING-SCENE",
  "EXTENT-HAS-NO-INTERSECTION",
  "CREDITS-ERROR",
  "SCENES-WITH-SAME-DATETIME",
] as const;

const addMapTypes = definePipeline({
  path: "/analytics/analysis/add-map-types",
  unknownMembers: "refuse",
  summary: "Make maps of scenes and keep them in frames of an analysis",
  description:
    "A scene has one frame in an analysis. Maps that compare scenes belong to the frame of the later scene. Each " +
    "inner polygon has separate results. The area must be allocated, as for a release. Scenes times map types, of " +
    "types that compare two scenes pairs times map types, times the area and its inner polygons are at most " +
    `${MAX_RELEASED_MAPS}.`,
  permissions: API,
  contentPermissions: RELEASE_PERMISSIONS,
  request: Type.Object({
    analysisId: AnalysisId,
    mapTypes: Type.Array(MapTypeIdSchema, {
      description: "map types; one that the frame has already is made again",
      minItems: 1,
      maxItems: 20,
    }),
    sceneIds: Type.Array(SceneIdSchema, { description: "scenes of the maps", minItems: 1, maxItems: MAX_SCENES }),
    geometry: { ...ExtentSchema, description: "area of the maps; one without an area is refused" },
    pairingType: Type.Optional(
      Type.Union([Type.Literal("first"), Type.Literal("prev"), Type.Literal("all"), Type.Null()], {
        description: "pairs of map types that compare two scenes; prev by default",
      }),
    ),
  }),
  result: Type.Object({
    sceneToFrameIds: Type.Record(Type.String(), Type.String(), { description: "frame by scene" }),
  }),
  emptyResult: { sceneToFrameIds: {} },
  errors: FRAME_ERRORS,
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  // Which types compare scenes only the registry knows: each may have a map of every pair.
  work: {
    maps: ({ mapTypes, pairingType, sceneIds: { length } }) =>
      Math.min(MAX_RELEASED_MAPS, mapTypes.length * Math.max(length, mostPairs(length, pairingType ?? "prev"))),
  },
});

const spawnFromScene = definePipeline({
  path: "/analytics/analysis/spawn-from-scene",
  unknownMembers: "refuse",
  summary: "Create an analysis of one scene with its imagery",
  permissions: API,
  contentPermissions: ["imagery.images.<provider>.<dataset>"],
  request: Type.Object({
    sceneId: SceneIdSchema,
    geometry: Type.Optional({ ...ExtentSchema, description: "the whole scene if absent" }),
  }),
  result: Type.Object({ analysisFrameId: Type.String(), analysisId: AnalysisId }, { title: "SpawnedAnalysis" }),
  errors: FRAME_ERRORS,
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
});

export const analysesContract = {
  get: defineOperation({
    path: "/analytics/analysis/get",
    summary: "Get an analysis",
    description:
      "Owner, editors, viewers and members of their groups read it, and anyone a public one. Callers without rights " +
      "see no people. An analysis that the caller may not read does not exist.",
    access: "optional",
    request: Type.Object({
      analysisId: AnalysisId,
      detailed: Type.Optional(
        Type.Boolean({ description: "name dataset, datetime, provider and satellite of scenes", default: true }),
      ),
    }),
    response: Analysis,
    errors: ["NON-EXISTENT-ANALYSIS"],
  }),
  list: defineOperation({
    path: "/analytics/analysis/list",
    summary: "List analyses with rights of the caller, newest first",
    description:
      `A page has at most ${ANALYSES_PAGE} analyses. Scenes of frames are not resolved. A slow expression ends the ` +
      "page early; its cursor goes on.",
    permissions: API,
    request: Type.Object({
      userId: Type.Optional(Type.String({ description: "owner", minLength: 1, maxLength: 128 })),
      path: Type.Optional(
        Type.String({
          description: "regular expression (RE2) that the path contains; repetitions of at most 50",
          minLength: 1,
          maxLength: 200,
          examples: ["^fields/"],
        }),
      ),
      cursor: Type.Optional(CursorSchema),
    }),
    response: Type.Object({ results: Type.Array(Analysis), cursor: NextCursorSchema }, { title: "AnalysisPage" }),
    errors: ["INVALID-CURSOR"],
  }),
  createOrUpdate: defineOperation({
    path: "/analytics/analysis/create-or-update",
    unknownMembers: "refuse",
    summary: "Create or change an analysis",
    description:
      "Without `analysisId`, or with an unknown one, the caller gets a new analysis. Owner, editors and members of " +
      "editor groups change it; only the owner changes `public` and its people. Absent members stay. Members that " +
      "the service writes are read and not changed.",
    permissions: API,
    request: Type.Object({
      analysis: AnalysisToSave,
      analysisId: Type.Optional(AnalysisId),
      ifVersion: Type.Optional({
        ...AnalysisVersion,
        description: "refuse with 409 unless the analysis has this version",
      }),
    }),
    response: SavedAnalysis,
    errors: ["NON-EXISTENT-ANALYSIS", "CONFLICT"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  addMapTypes,
  spawnFromScene,
  exportAnalysis,
  importAnalysis,
  copy: defineOperation({
    path: "/analytics/analysis/copy",
    unknownMembers: "refuse",
    summary: "Copy an analysis that the caller may read",
    description: "The copy belongs to the caller, is not public and has no other people.",
    permissions: API,
    request: AnalysisReference,
    response: SavedAnalysis,
    errors: ["NON-EXISTENT-ANALYSIS"],
  }),
  delete: defineOperation({
    path: "/analytics/analysis/delete",
    unknownMembers: "refuse",
    summary: "Delete an analysis of the caller",
    description: "Only its owner deletes it. Its maps stay.",
    permissions: API,
    request: AnalysisReference,
    response: Type.Object({}),
    errors: ["NON-EXISTENT-ANALYSIS"],
  }),
} as const satisfies FeatureContract;

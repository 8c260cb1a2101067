import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import { MAX_STORE_TILES } from "@swath/kernel/tiles/store-tile-limit";
import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { DatasetIdSchema, ProviderIdSchema, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { StoreTileSchema } from "../../kit/schemas/tile.ts";
import { VisibilitySchema } from "../../kit/schemas/visibility.ts";
import { ExpiresSchema } from "../../kit/schemas/time.ts";
import { ownedScenesContract } from "./owned-scenes-contract.ts";
import { IngestWarningsSchema, SceneSummarySchema } from "./scene-summary.ts";

const PERMISSION = "ingest-scene";

export const UploadRequest = Type.Object({
  uploadSuffix: Type.Enum([".geotiff", ".zip"], {
    description: "a GeoTIFF, or an archive of one GeoTIFF per band or a multi-band one and optionally scene.json",
  }),
  size: Type.Integer({
    description: "exact size of the file, bytes",
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  filename: Type.String({
    description: "display name without suffix",
    pattern: "^[a-z0-9_-]+$",
    maxLength: 128,
    examples: ["harbour_2024-06-30"],
  }),
});

export const UploadAnswer = Type.Object({
  filepath: Type.String({ description: "names the upload at ingestion" }),
  url: Type.String({ description: "where to PUT the bytes, valid for one hour" }),
});

export const IngestRequest = Type.Object({
  provider: Type.Intersect([ProviderIdSchema], {
    description:
      "local, or a provider with a dataset that can be ingested; esa for zipped Sentinel-1 SLC products, whose documents alone are kept",
  }),
  filepath: Type.String({ description: "`filepath` of the upload answer", maxLength: 256 }),
  dataset: Type.Optional({
    ...DatasetIdSchema,
    description: "dataset of the provider; by default its first",
  }),
  visibility: Type.Optional({ ...VisibilitySchema, default: "group" }),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "content of scene.json: a STAC item or scene members such as datetime, satellite, cloudCover, bands",
    }),
  ),
  requireDatetime: Type.Optional(
    Type.Boolean({
      description:
        "refuse a file whose time of acquisition nothing states; the upload stays for another request with " +
        "`metadata.datetime`. By default such a scene has the time of ingest, and a warning",
      default: false,
    }),
  ),
});

export const IngestAnswer = Type.Object({
  ingestedScenes: Type.Array(
    Type.Object({
      duplicate: Type.Boolean({ description: "true when the same bytes were ingested before" }),
      sceneId: SceneIdSchema,
      understood: Type.Optional({
        ...SceneSummarySchema,
        description: "place, time, CRS, bands and sensor of an uploaded scene",
      }),
      warnings: Type.Optional(IngestWarningsSchema),
    }),
  ),
});

export const SetVisibilityRequest = Type.Object({
  sceneId: SceneIdSchema,
  visibility: VisibilitySchema,
  groupId: Type.Optional(
    Type.String({
      description: "group that owns the scene from now on; administrators only",
      minLength: 1,
      maxLength: 128,
    }),
  ),
});

export const SetVisibilityAnswer = Type.Object({ sceneId: SceneIdSchema, visibility: VisibilitySchema });

export const FetchSceneRequest = Type.Object({
  sceneId: SceneIdSchema,
  extent: Type.Optional({
    ...ExtentSchema,
    description: "needed part, for datasets delivered in parts; by default the whole scene",
  }),
  tiles: Type.Optional(
    Type.Array(StoreTileSchema, {
      description: "needed store tiles, for datasets that have them; they take precedence over the extent",
      minItems: 1,
      maxItems: MAX_STORE_TILES,
    }),
  ),
});

const INGEST_ERRORS = [
  "NON-EXISTENT-UPLOAD",
  "CONFLICT",
  "SCENE-UNREADABLE",
  "UNSUPPORTED-IMAGERY",
  "IMAGE-TOO-LARGE",
  "ACQUISITION-TIME-UNKNOWN",
] as const;

export const ingestionContract = {
  ...ownedScenesContract,
  requestUpload: defineOperation({
    path: "/imagery/ingest-scene/upload",
    access: "user",
    permissions: [PERMISSION],
    summary: "Announce a file and get its upload address",
    request: UploadRequest,
    response: UploadAnswer,
    errors: ["PAYLOAD-TOO-LARGE", "TOO-MANY-REQUESTS", "INSUFFICIENT-STORAGE"],
    rateClass: "initiate",
  }),
  putUpload: defineFileRoute({
    method: "PUT",
    path: "/imagery/ingest-scene/upload/:uploadId",
    access: "public",
    summary: "Send the bytes of an announced file",
    description:
      "The signature of the address grants sending. Without Content-Range the body is the whole file, of " +
      "exactly the announced size. With `Content-Range: bytes first-last/size` the file arrives in parts, " +
      "in order; a part may be repeated. The answer to each part but the last is 308 with `Range: " +
      "bytes=0-last` of the received bytes. `Content-Range: bytes */size` without a body queries that " +
      "range. A complete upload is final.",
    params: Type.Object({ uploadId: Type.String({ pattern: "^[0-9A-Za-z]{22}$" }) }),
    query: Type.Object({ expires: ExpiresSchema, signature: Type.String({ maxLength: 64 }) }),
    mediaTypes: ["application/octet-stream", "image/tiff", "application/zip"],
    statuses: {
      200: "the file is complete",
      308: "part received, more is expected; Range states the received bytes",
      400: "the size of the body or its Content-Range is wrong",
      401: "wrong signature or expired address",
      404: "no such upload",
      409:
        "another request is sending this file, or bytes before this part are missing; Range states the " +
        "received bytes",
      507: "the disks of the service have no room for the body; the received bytes of it are removed",
    },
    errors: ["BAD-REQUEST", "NOT-AUTHORIZED", "NON-EXISTENT-UPLOAD", "CONFLICT", "INSUFFICIENT-STORAGE"],
    rateClass: "initiate",
  }),
  ingestScene: defineOperation({
    path: "/imagery/ingest-scene",
    access: "user",
    permissions: [PERMISSION],
    summary: "Ingest an uploaded file and wait for the scene",
    description:
      "Runs the pipeline of /imagery/ingest-scene/initiate and waits for its end. After the time limit the " +
      "answer is 503 with Retry-After and the id of the pipeline. The same request then waits for the same " +
      "scene.",
    request: IngestRequest,
    response: IngestAnswer,
    errors: [...INGEST_ERRORS, "PROCESSING-ERROR", "PIPELINE-CANCELLED", "SERVICE-UNAVAILABLE", "INSUFFICIENT-STORAGE"],
    rateClass: "initiate",
  }),
  setVisibility: defineOperation({
    path: "/imagery/scene/set-visibility",
    unknownMembers: "refuse",
    access: "user",
    permissions: [PERMISSION],
    summary: "Change who sees an uploaded scene",
    description:
      "For members of the group that ingested the scene, and for administrators. Takes effect at the next " +
      "request. Maps that were released before stay readable by their map IDs.",
    request: SetVisibilityRequest,
    response: SetVisibilityAnswer,
    errors: ["NON-EXISTING-SCENE", "NON-EXISTENT-GROUP", "CONFLICT"],
  }),
  fetchScene: definePipeline({
    path: "/imagery/ingest",
    conditionalPermissions: ["imagery.images.<provider>.<dataset>"],
    dynamicPermissions: ({ sceneId }) => {
      const parts = parseSceneId(sceneId);
      return parts === null ? [] : [`imagery.images.${parts.provider}.${parts.dataset}`];
    },
    retrievePermissions: [],
    summary: "Fetch a scene of a provider into the store",
    description:
      "Needs `imagery.images.<provider>.<dataset>`. For datasets with store tiles the service fetches the " +
      "tiles that the extent touches. For datasets that deliver cuttings the answer is a new scene of the " +
      "extent, or a stored scene that covers it. Other scenes are fetched whole. Concurrent requests for " +
      "one scene share one download. `duplicate` is true when the store already holds all pixels.",
    request: FetchSceneRequest,
    result: IngestAnswer,
    emptyResult: { ingestedScenes: [] },
    errors: [
      "NON-EXISTING-SCENE",
      "EXTENT-HAS-NO-INTERSECTION",
      "EXTENT-TOO-LARGE",
      "DATA-NOT-AVAILABLE",
      "SCENE-UNREADABLE",
      "UNSUPPORTED-IMAGERY",
      "IMAGE-TOO-LARGE",
      "PROCESSING-ERROR",
    ],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  ingestScenePipeline: definePipeline({
    path: "/imagery/ingest-scene",
    access: "user",
    permissions: [PERMISSION],
    summary: "Ingest an uploaded file",
    request: IngestRequest,
    result: IngestAnswer,
    emptyResult: { ingestedScenes: [] },
    errors: INGEST_ERRORS,
  }),
} as const satisfies FeatureContract;

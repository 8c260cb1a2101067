import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import { MAX_STORE_TILES } from "@swath/kernel/tiles/store-tile";
import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation, GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { DatasetIdSchema, ProviderIdSchema, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { StoreTileSchema } from "../../kit/schemas/tile.ts";

const PERMISSION = "ingest-scene";

export const UploadRequest = Type.Object({
  uploadSuffix: Type.Enum([".geotiff", ".zip"], {
    description: "a GeoTIFF, or an archive of one GeoTIFF per band or a multi-band one and optionally scene.json",
  }),
  size: Type.Integer({ description: "exact size of the file, bytes", minimum: 1 }),
  filename: Type.String({
    description: "name without suffix, for people",
    pattern: "^[a-z0-9_-]+$",
    maxLength: 128,
    examples: ["harbour_2024-06-30"],
  }),
});

export const UploadAnswer = Type.Object({
  filepath: Type.String({ description: "names the upload when it is ingested" }),
  url: Type.String({ description: "where to PUT the bytes, valid for one hour" }),
});

export const IngestRequest = Type.Object({
  provider: Type.Intersect([ProviderIdSchema], {
    description:
      "local, or an offline provider; esa for zipped Sentinel-1 SLC products, of which only the documents are kept",
  }),
  filepath: Type.String({ description: "from the answer to the upload request", maxLength: 256 }),
  dataset: Type.Optional({
    ...DatasetIdSchema,
    description: "dataset of the provider; its first one unless given",
  }),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "what scene.json in an archive would say: a STAC item or scene members such as datetime, satellite, cloudCover, bands",
    }),
  ),
});

export const IngestAnswer = Type.Object({
  ingestedScenes: Type.Array(
    Type.Object({
      duplicate: Type.Boolean({ description: "true when the same bytes were ingested before" }),
      sceneId: SceneIdSchema,
    }),
  ),
});

export const FetchSceneRequest = Type.Object({
  sceneId: SceneIdSchema,
  extent: Type.Optional({
    ...ExtentSchema,
    description: "the part that is needed, where the dataset is delivered in parts; all of the scene unless given",
  }),
  tiles: Type.Optional(
    Type.Array(StoreTileSchema, {
      description: "store tiles that are needed, of a dataset that has them; they take precedence over the extent",
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
] as const;

export const ingestionContract = {
  requestUpload: defineOperation({
    path: "/imagery/ingest-scene/upload",
    access: "user",
    permissions: [PERMISSION],
    summary: "Announce a file and get the address to send it to",
    request: UploadRequest,
    response: UploadAnswer,
    errors: ["PAYLOAD-TOO-LARGE", "TOO-MANY-REQUESTS"],
    rateClass: "initiate",
  }),
  putUpload: defineFileRoute({
    method: "PUT",
    path: "/imagery/ingest-scene/upload/:uploadId",
    access: "public",
    summary: "Send the bytes of an announced file",
    description:
      "The signature of the address is the right to send. Without Content-Range the body is the whole file and must have exactly the announced size. " +
      "With `Content-Range: bytes first-last/size` the file arrives in parts, in order; a part may be repeated. A part that is not the last is answered " +
      "308 with `Range: bytes=0-last` of what has arrived. `Content-Range: bytes */size` without a body asks for that. The bytes of a complete upload no longer change.",
    params: Type.Object({ uploadId: Type.String({ pattern: "^[0-9A-Za-z]{22}$" }) }),
    query: Type.Object({ expires: Type.Integer({ minimum: 0 }), signature: Type.String({ maxLength: 64 }) }),
    mediaTypes: ["application/octet-stream", "image/tiff", "application/zip"],
    statuses: {
      200: "the file is complete",
      308: "part taken, more is expected; Range tells what has arrived",
      400: "the body does not have the announced size, or Content-Range does not fit",
      401: "wrong signature or expired address",
      404: "no such upload",
      409: "another request is sending this file, or bytes before this part are missing; Range tells what has arrived",
    },
    errors: ["BAD-REQUEST", "NOT-AUTHORIZED", "NON-EXISTENT-UPLOAD", "CONFLICT"],
    rateClass: "initiate",
  }),
  ingestScene: defineOperation({
    path: "/imagery/ingest-scene",
    access: "user",
    permissions: [PERMISSION],
    summary: "Ingest an uploaded file and wait for the scene",
    description:
      "Runs the pipeline of /imagery/ingest-scene/initiate and waits for its end. When that takes too long the answer is 503 with Retry-After and the pipeline's id; the same request again then waits for the same scene.",
    request: IngestRequest,
    response: IngestAnswer,
    errors: [...INGEST_ERRORS, "PROCESSING-ERROR", "PIPELINE-CANCELLED", "SERVICE-UNAVAILABLE"],
    rateClass: "initiate",
  }),
  fetchScene: definePipeline({
    path: "/imagery/ingest",
    dynamicPermissions: ({ sceneId }) => {
      const parts = parseSceneId(sceneId);
      return parts === null ? [] : [`imagery.images.${parts.provider}.${parts.dataset}`];
    },
    retrievePermissions: [],
    summary: "Bring a scene of a provider into the store",
    description:
      "Needs `imagery.images.<provider>.<dataset>`. Scenes of a dataset with store tiles are fetched by the tiles that the extent touches; of datasets that are delivered cut, the answer is a new scene of the extent inside the scene, or one that is in the store already and covers it. Others are fetched whole. Requests for the same scene at the same time share one download. `duplicate` is true when nothing had to be fetched.",
    request: FetchSceneRequest,
    result: IngestAnswer,
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
    errors: INGEST_ERRORS,
  }),
} as const satisfies FeatureContract;

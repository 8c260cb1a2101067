import { Type } from "typebox";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { SceneIdSchema } from "../../kit/schemas/scene.ts";
import { downloadMembers } from "./downloads-contract.ts";
import { ProvenanceReference } from "./provenance-contract.ts";
import { RELEASE_PERMISSIONS } from "./release-contract.ts";

const MAX_TIMELAPSE_IMAGES = 200;
export const DEFAULT_TIMELAPSE_SIDE_PX = 512;
const MAX_SIDE_PX = 1024;

export const TimelapseRequest = Type.Object({
  mapIds: Type.Optional(
    Type.Array(Type.String({ description: "signed map ID of a release", minLength: 1, maxLength: 4096 }), {
      description:
        "existing maps of one map type; required unless `mapType`, `sceneIds` and `extent` are given. The order is free",
      minItems: 1,
      maxItems: MAX_TIMELAPSE_IMAGES,
    }),
  ),
  mapType: Type.Optional(MapTypeIdSchema),
  sceneIds: Type.Optional(Type.Array(SceneIdSchema, { minItems: 1, maxItems: MAX_TIMELAPSE_IMAGES })),
  extent: Type.Optional(ExtentSchema),
  format: Type.Optional(Type.Union([Type.Literal("webp"), Type.Literal("gif")], { default: "webp" })),
  fileName: Type.Optional(
    Type.String({
      description: "PNG of the map type, where it has several; by default the most complete",
      minLength: 1,
      maxLength: 128,
    }),
  ),
  longestSidePx: Type.Optional(
    Type.Integer({
      description: "pixels of the longer side of the area",
      default: DEFAULT_TIMELAPSE_SIDE_PX,
      minimum: 64,
      maximum: MAX_SIDE_PX,
    }),
  ),
  frameMs: Type.Optional(
    Type.Integer({
      description: "duration of a frame, milliseconds; a GIF counts hundredths of a second",
      default: 700,
      minimum: 50,
      maximum: 10_000,
    }),
  ),
  maxCloudCover: Type.Optional(
    Type.Number({
      description: "leaves out scenes with a larger share of cloud; scenes without a share stay",
      default: 1,
      minimum: 0,
      maximum: 1,
    }),
  ),
  gapDays: Type.Optional(
    Type.Number({
      description: "a longer time between two images is a frame that states the gap",
      default: 30,
      minimum: 0.01,
      maximum: 36_600,
    }),
  ),
});

const Datetime = (description: string) => Type.String({ description: `${description}, UTC, YYYY-MM-DD HH:MM:SS` });

const TimelapseFrame = Type.Object({
  kind: Type.Union([Type.Literal("image"), Type.Literal("gap")]),
  datetime: Datetime("of the first scene of the image; of a gap the image before it"),
  endDatetime: Datetime("of the last scene of the image; of a gap the image after it"),
  label: Type.String({ description: "text that is drawn in" }),
  sceneIds: Type.Array(Type.String(), { description: "scenes of the image; none of a gap" }),
});

const LeftOutScene = Type.Object({
  sceneId: Type.String(),
  reason: Type.Enum(["CLOUD-COVER", "FAILED", "NO-DATA"]),
  message: Type.String(),
});

const TimelapseResult = Type.Object(
  {
    ...downloadMembers,
    widthPx: Type.Integer({ minimum: 1 }),
    heightPx: Type.Integer({ description: "with the lines of text below the picture", minimum: 1 }),
    frameMs: Type.Integer({ minimum: 50 }),
    frames: Type.Array(TimelapseFrame, { description: "in order of time" }),
    leftOut: Type.Array(LeftOutScene, { description: "scenes without a frame, with the reason" }),
    provenance: Type.Array(ProvenanceReference, { description: "records of the inputs of the maps" }),
    attributions: Type.Array(Type.String(), { description: "drawn in too" }),
  },
  { title: "TimelapseResult" },
);

export type TimelapseRequest = Type.Static<typeof TimelapseRequest>;
export type TimelapseResult = Type.Static<typeof TimelapseResult>;
export type TimelapseFrame = Type.Static<typeof TimelapseFrame>;
export type LeftOutScene = Type.Static<typeof LeftOutScene>;

/** Animation of a map type over scenes. */
export const timelapse = definePipeline({
  path: "/mapsvc/timelapse",
  permissions: ["mapsvc.release"],
  contentPermissions: RELEASE_PERMISSIONS,
  summary: "Make an animation of a map over scenes",
  description:
    "An animated WebP or GIF over one area: a frame for each time, with its date and attribution below. Scenes " +
    "within ten minutes are one frame. All frames have the same stretch. A frame states each gap. Map IDs grant " +
    "access to their maps; otherwise the permissions of a release and an allocated area are needed.",
  request: TimelapseRequest,
  result: TimelapseResult,
  errors: [
    "INVALID-MAP-ID",
    "NON-EXISTING-SCENE",
    "CREDITS-ERROR",
    "ZERO-TILES-AVAILABLE",
    "UNSUPPORTED-IMAGERY",
    "GSD-TOO-COARSE",
  ],
  bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  work: {
    maps: imageCount,
    pixels: (request) => imageCount(request) * (request.longestSidePx ?? DEFAULT_TIMELAPSE_SIDE_PX) ** 2,
  },
});

function imageCount({ mapIds, sceneIds }: TimelapseRequest): number {
  return mapIds?.length ?? sceneIds?.length ?? 1;
}

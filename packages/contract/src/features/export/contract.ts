import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { GEOJSON_BODY_LIMIT_BYTES } from "../../kit/operation.ts";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { AreaGeometrySchema, ExtentSchema } from "../../kit/schemas/geojson.ts";
import { SceneIdSchema, SceneSchema } from "../../kit/schemas/scene.ts";
import { StoreTileSchema } from "../../kit/schemas/tile.ts";
import { DatetimeSchema, ExpiresSchema } from "../../kit/schemas/time.ts";

/** Most pixels of the largest band of an exported image, before and after rescaling. */
export const MAX_IMAGE_PIXELS = 3_000_000;

const GetImageRequestSchema = Type.Object(
  {
    sceneId: SceneIdSchema,
    resolution: Type.Optional(
      Type.Number({
        description: "metres: all bands are rescaled to about this ground sampling distance",
        exclusiveMinimum: 0,
        maximum: 1_000_000,
      }),
    ),
    exportRaster: Type.Optional(
      Type.String({
        description:
          "returns the raster of the store tiles that the extent meets instead of its rectangle; excludes " +
          "resolution; any text, such as geotiff",
        minLength: 1,
        maxLength: 64,
      }),
    ),
    extent: Type.Optional({ ...ExtentSchema, description: "area to export; by default the whole scene" }),
    tiles: Type.Optional(
      Type.Array(StoreTileSchema, {
        description: "only pixels of these store tiles, for datasets that have them",
        minItems: 1,
        maxItems: 10_000,
      }),
    ),
    onlyIngested: Type.Optional(
      Type.Boolean({ description: "only stored pixels; needs the permission store.ingested" }),
    ),
  },
  { title: "GetImageRequest" },
);
export type GetImageRequest = Static<typeof GetImageRequestSchema>;

const Url = (what: string) => Type.String({ description: `${what}; accepts a plain GET for 24 hours`, format: "uri" });

export interface GetImageResult {
  readonly extent: AreaGeometry;
  readonly meta: Scene;
  readonly url: string;
  readonly urls: { readonly ski: string; readonly geotiff: string; readonly png: string };
  readonly expires: string;
}

const GetImageResultSchema = Type.Unsafe<GetImageResult>(
  Type.Object(
    {
      extent: { ...AreaGeometrySchema, description: "the rectangle of the image, WGS84" },
      meta: {
        ...SceneSchema,
        description: "the scene, with the pixel sizes, origins and resolutions of the image",
      },
      url: Url("the image as a SKI file"),
      urls: Type.Object({
        ski: Url("the image as a SKI file"),
        geotiff: Url("the image as a GeoTIFF in the CRS of the scene"),
        png: Url("the image as a true colour picture"),
      }),
      expires: { ...DatetimeSchema, description: "expiry of the addresses" },
    },
    { title: "GetImageResult" },
  ),
);

export const IMAGE_FILES = ["image.ski", "image.tif", "image.png"] as const;
export type ImageFileName = (typeof IMAGE_FILES)[number];

export const exportContract = {
  getImage: definePipeline({
    path: "/imagery/get-image",
    summary: "Export a rectangular image of a scene",
    description:
      "The bounding rectangle of extent and scene in common, in the coordinate reference system of the " +
      "scene. Its largest band has at most 3 megapixels, before and after rescaling. Priced datasets need " +
      "an allocated area (402); the image omits pixels outside it. Scenes outside the store are fetched " +
      "from their provider first.",
    contentPermissions: ["imagery.images.<provider>.<dataset>"],
    conditionalPermissions: ["store.ingested"],
    dynamicPermissions: ({ onlyIngested }) => (onlyIngested === true ? ["store.ingested"] : []),
    retrievePermissions: ["imagery.images"],
    request: GetImageRequestSchema,
    result: GetImageResultSchema,
    errors: [
      "NON-EXISTING-SCENE",
      "DATA-NOT-AVAILABLE",
      "UNSUPPORTED-IMAGERY",
      "EXTENT-HAS-NO-INTERSECTION",
      "EXTENT-TOO-LARGE",
      "IMAGE-TOO-LARGE",
      "CREDITS-ERROR",
    ],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
    work: { pixels: () => IMAGE_FILES.length * MAX_IMAGE_PIXELS },
  }),
  imageFile: defineFileRoute({
    path: "/imagery/get-image/files/:pipelineId/:fileName",
    access: "public",
    summary: "Download a file of an exported image",
    description: "The signature of the address grants reading. The result of the export holds the addresses.",
    params: Type.Object({
      pipelineId: Type.String({ pattern: "^[0-9A-Za-z]{20}$" }),
      fileName: Type.Enum([...IMAGE_FILES]),
    }),
    query: Type.Object({ expires: ExpiresSchema, signature: Type.String({ maxLength: 64 }) }),
    mediaTypes: ["application/gzip", "image/tiff", "image/png"],
    statuses: {
      200: "the file",
      304: "the copy of the caller is current",
      401: "wrong signature or expired address",
      404: "the file has expired",
    },
    errors: ["NOT-AUTHORIZED", "DATA-NOT-AVAILABLE"],
    rateClass: "read",
  }),
} as const satisfies FeatureContract;

import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";

/** Media type of a cloud optimized GeoTIFF. */
export const COG_TYPE = "image/tiff; application=geotiff; profile=cloud-optimized";

export const assetsContract = {
  sceneFile: defineFileRoute({
    path: "/assets/:token/:sceneId/:fileName",
    access: "public",
    summary: "Download a band of a scene",
    description:
      "The token of the path grants reading: items of /stac hold the addresses. One range of bytes is answered as " +
      "such. The rights of the caller who got the address are checked again, at most five seconds late.",
    params: Type.Object({
      token: Type.String({
        description: "grants one scene to one caller",
        pattern: "^[\\w-]{20,400}\\.[\\w-]{43}$",
        examples: [`${"e".repeat(40)}.${"s".repeat(43)}`],
      }),
      sceneId: Type.String({ description: "scene identifier", minLength: 1, maxLength: 256 }),
      fileName: Type.String({
        description: "name of the asset in the item, and `.tif`",
        pattern: "^[a-z0-9-]{1,64}\\.tif$",
        examples: ["red.tif"],
      }),
    }),
    query: Type.Object({}),
    mediaTypes: ["image/tiff"],
    statuses: {
      200: "the file",
      206: "the range of bytes",
      304: "the copy of the caller is current",
      401: "wrong or expired address, or a right that has ended",
      402: "the scene is not allocated as a whole any more",
      404: "no such file: the scene or the band is gone, or GDAL looks for a side file",
      416: "the range begins after the end of the file",
    },
    errors: ["NOT-AUTHORIZED", "MFA-REQUIRED", "CREDITS-ERROR", "NON-EXISTING-SCENE", "DATA-NOT-AVAILABLE"],
    rateClass: "grid",
  }),
} as const satisfies FeatureContract;

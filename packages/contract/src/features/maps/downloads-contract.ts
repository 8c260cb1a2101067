import { Type } from "typebox";
import { defineFileRoute } from "../../kit/file-route.ts";
import { ExpiresSchema } from "../../kit/schemas/time.ts";

const DOWNLOAD_FILE_NAME = "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$";

/** A file that an export, a report, an animation or statistics have made. */
export const downloadFile = defineFileRoute({
  path: "/mapsvc/files/:pipelineId/:fileName",
  access: "public",
  summary: "Download a report, an exported map, an animation or statistics",
  description:
    "The signature of the address grants reading. Results hold the addresses, which are valid for a day. A " +
    "`Range` of bytes is answered with these bytes: programs read parts of a cloud optimized GeoTIFF.",
  params: Type.Object({
    pipelineId: Type.String({ pattern: "^[0-9A-Za-z]{20}$" }),
    fileName: Type.String({ pattern: DOWNLOAD_FILE_NAME }),
  }),
  query: Type.Object({ expires: ExpiresSchema, signature: Type.String({ maxLength: 64 }) }),
  mediaTypes: [
    "application/pdf",
    "application/zip",
    "application/gzip",
    "application/json",
    "application/geo+json",
    "text/csv",
    "image/gif",
    "image/png",
    "image/tiff",
    "image/webp",
  ],
  statuses: {
    200: "the file",
    206: "the bytes of the `Range` header",
    304: "the copy of the caller is current",
    401: "wrong signature or expired address",
    404: "the file has expired",
    416: "the file has no bytes of the range",
  },
  errors: ["NOT-AUTHORIZED", "DATA-NOT-AVAILABLE"],
  rateClass: "read",
});

/** Members of the result of every pipeline that makes a file. */
export const downloadMembers = {
  url: Type.String({ description: "address of the file, a plain GET without a token" }),
  size: Type.Integer({ description: "bytes", minimum: 0 }),
  expires: Type.String({ description: "expiry of the address, UTC, YYYY-MM-DD HH:MM:SS" }),
};

import type { GridFile } from "./grid-renderer.ts";
import { encodeImage } from "@swath/raster/encode/image";
import type { DrawnGridFile } from "./grid-file.ts";

/** Does what is left of a file, at once where nothing has to be waited for. */
export function encodeDrawn(drawn: DrawnGridFile): GridFile | Promise<GridFile> {
  if (drawn.kind === "bytes") return file(drawn.mediaType, drawn.body);
  return drawn.kind === "image" ? file(...encodeImage(drawn.image, drawn.encoding)) : drawn;
}

function file(mediaType: string, body: Uint8Array | Promise<Uint8Array>): GridFile | Promise<GridFile> {
  return body instanceof Promise
    ? body.then((bytes): GridFile => ({ kind: "file", mediaType, body: bytes }))
    : { kind: "file", mediaType, body };
}

import { unzipSync } from "fflate";
import { open } from "shapefile";
import { formatBytes } from "../format/bytes.ts";
import { readVectors } from "../map/read-vectors.ts";
import { AreaFileError } from "./area-file-error.ts";
import { MAX_VERTICES } from "./area-of-geometries.ts";
import { areaText } from "./area-text.ts";

/** GeoJSON objects of a zipped shapefile or a KMZ, of at most this number of unpacked bytes. */
export async function readArchive(bytes: Uint8Array, maxBytes: number): Promise<readonly unknown[]> {
  let totalBytes = 0;
  // An entry is unpacked into the size that it states, never beyond it: a bomb states its size or is cut.
  const entries = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(?:shp|prj|kml)$/i.test(name) || name.startsWith("__MACOSX/")) return false;
      totalBytes += originalSize;
      if (totalBytes > maxBytes) {
        throw new AreaFileError(areaText.tooLarge(formatBytes(totalBytes), formatBytes(maxBytes)));
      }
      return true;
    },
  });
  const found: unknown[] = [];
  for (const [name, content] of Object.entries(entries)) {
    const base = name.replace(/\.[^.]+$/, "");
    if (/\.shp$/i.test(name)) {
      const projection = Object.entries(entries).find(([other]) => other.toLowerCase() === `${base}.prj`.toLowerCase());
      if (projection !== undefined) requireDegrees(new TextDecoder().decode(projection[1]));
      found.push(...(await readShapes(content)));
    }
    if (/\.kml$/i.test(name)) found.push(...readVectors("kml", new TextDecoder().decode(content)));
  }
  if (!Object.keys(entries).some((name) => /\.(?:shp|kml)$/i.test(name))) throw new AreaFileError(areaText.noShape);
  return found;
}

async function readShapes(content: Uint8Array<ArrayBuffer>): Promise<readonly unknown[]> {
  // The library takes the buffer as it is; the attributes are not needed.
  const source = await open(content.slice().buffer);
  const shapes: unknown[] = [];
  for (;;) {
    const { done, value } = await source.read();
    if (done) return shapes;
    shapes.push(value);
    if (shapes.length > MAX_VERTICES) {
      throw new AreaFileError(areaText.tooMany(new Intl.NumberFormat("en").format(MAX_VERTICES)));
    }
  }
}

/** Only degrees of WGS 84 are read as they are. */
function requireDegrees(projection: string): void {
  const [, kind = "", name = ""] = /^\s*(\w+)\s*\[\s*"([^"]*)"/.exec(projection) ?? [];
  const isWgs84 = /^GEOG/i.test(kind) && /WGS[ _]?(?:19)?84/i.test(name);
  if (kind !== "" && !isWgs84) throw new AreaFileError(areaText.otherCrs(name));
}

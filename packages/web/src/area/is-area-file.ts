import { areaFileKind } from "./area-file-kind.ts";

/** The directory of a larger archive is not looked for: it is imagery. */
const MAX_ARCHIVE_BYTES = 10_000_000;
/** Names in the directory of a zip stand uncompressed near its end. */
const DIRECTORY_BYTES = 100_000;

/** Whether a dropped file is an area and no imagery: by its name, a plain zip by the names of its content. */
export async function isAreaFile(file: File): Promise<boolean> {
  if (areaFileKind(file.name) !== null) return true;
  if (!/\.zip$/i.test(file.name) || file.size > MAX_ARCHIVE_BYTES) return false;
  const end = await file.slice(-DIRECTORY_BYTES).text();
  return /\.(?:shp|kml)/i.test(end) && !/\.tiff?/i.test(end);
}

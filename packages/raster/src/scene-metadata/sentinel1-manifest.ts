import { parseAnnotationTime } from "./sentinel1-annotation.ts";
import { child, find, number, parseXml, text, texts } from "./sentinel1-xml.ts";

/** Manifest of a Sentinel-1 product; absent values are null. */
export interface Sentinel1Manifest {
  /** Such as "Sentinel-1A". */
  readonly satellite: string | null;
  readonly mode: string | null;
  readonly startMs: number | null;
  readonly orbitPass: "ascending" | "descending" | null;
  readonly relativeOrbitStart: number | null;
  readonly relativeOrbitStop: number | null;
  readonly sliceNumber: number | null;
}

/** Reads a `manifest.safe`. @throws {RasterError} bad-document when it is not XML */
export function readSentinel1Manifest(content: string, name: string): Sentinel1Manifest {
  const root = parseXml(content, name);
  const platform = find(root, "platform");
  const family = text(platform, "familyName");
  const letter = text(platform, "number");
  const orbit = find(root, "orbitReference");
  const pass = text(find(orbit, "orbitProperties"), "pass")?.toLowerCase();
  const relative = (type: "start" | "stop"): number | null => {
    const [found] = texts(orbit, "relativeOrbitNumber", ["type", type]);
    const value = Number(found);
    return found === undefined || !Number.isInteger(value) ? null : value;
  };
  return {
    satellite:
      family === null ? null : family.toLowerCase().replace(/^s/, "S") + (letter === null ? "" : letter.toUpperCase()),
    mode: text(child(find(platform, "instrumentMode")), "mode"),
    startMs: parseAnnotationTime(text(find(root, "acquisitionPeriod"), "startTime")),
    orbitPass: pass === "ascending" || pass === "descending" ? pass : null,
    relativeOrbitStart: relative("start"),
    relativeOrbitStop: relative("stop"),
    sliceNumber: number(find(root, "standAloneProductInformation"), "sliceNumber"),
  };
}

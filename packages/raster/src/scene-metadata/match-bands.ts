import { RasterError } from "../raster-error.ts";
import type { SourceBand, SourceRaster } from "../source-raster.ts";
import type { DocumentBand, SceneDocument } from "./scene-metadata.ts";

/** One raster of an upload and the name of the file it came from. */
export interface UploadedRaster {
  readonly name: string;
  readonly raster: SourceRaster;
}

/** A band of the upload with its description in a document. */
export interface MatchedBand {
  readonly raster: number;
  readonly band: number;
  readonly fileName: string;
  readonly source: SourceBand;
  readonly document: DocumentBand | null;
}

/**
 * Pairs the bands of the files with the bands of the document, by file name where it gives one, else by order.
 *
 * @throws {RasterError} bad-document when a complete list does not fit the files
 */
export function matchBands(rasters: readonly UploadedRaster[], document: SceneDocument | null): readonly MatchedBand[] {
  const sources = rasters.flatMap(({ name, raster }, rasterIndex) =>
    raster.bands.map((source, band): MatchedBand => ({
      raster: rasterIndex,
      band,
      fileName: name,
      source,
      document: null,
    })),
  );
  const listed = document?.bands ?? null;
  if (document === null || listed === null) return sources;
  const byFile = listed.some((entry) => entry !== null && entry.file !== null);
  return byFile ? matchByFile(sources, listed, document.complete) : matchByOrder(sources, listed, document.complete);
}

type Listed = readonly (DocumentBand | null)[];

function matchByOrder(sources: readonly MatchedBand[], listed: Listed, complete: boolean): readonly MatchedBand[] {
  const indexed = listed.some((entry) => entry !== null && entry.index !== null);
  if (!indexed && listed.length !== sources.length) {
    if (!complete) return sources;
    throw new RasterError(
      "bad-document",
      `scene.json lists ${listed.length} bands, the files hold ${sources.length}; list each, null for those to leave out`,
    );
  }
  const matched: MatchedBand[] = [];
  for (const [position, entry] of listed.entries()) {
    if (entry === null) continue;
    const source = sources[entry.index ?? position];
    if (source === undefined) {
      throw new RasterError(
        "bad-document",
        `scene.json: bands[${position}] is band ${(entry.index ?? position) + 1}, the files hold ${sources.length}`,
      );
    }
    matched.push({ ...source, document: entry });
  }
  return matched.length === 0 ? sources : matched;
}

function matchByFile(sources: readonly MatchedBand[], listed: Listed, complete: boolean): readonly MatchedBand[] {
  const matched: MatchedBand[] = [];
  const taken = new Set<MatchedBand>();
  const files = [...new Set(sources.map((source) => source.fileName))];
  for (const [position, entry] of listed.entries()) {
    if (entry === null) continue;
    const file = files.find((name) => sameFile(name, entry.file ?? ""));
    const ofFile = sources.filter((source) => source.fileName === file && !taken.has(source));
    const source = entry.index === null ? ofFile[0] : ofFile.find((candidate) => candidate.band === entry.index);
    if (source === undefined) {
      if (!complete) continue;
      throw new RasterError(
        "bad-document",
        `scene.json: bands[${position}] is band ${(entry.index ?? 0) + 1} of "${entry.file ?? ""}", the upload holds ${files.slice(0, 20).join(", ")}`,
      );
    }
    taken.add(source);
    matched.push({ ...source, document: entry });
  }
  return complete ? matched : [...matched, ...sources.filter((source) => !taken.has(source))].toSorted(byPosition);
}

function byPosition(a: MatchedBand, b: MatchedBand): number {
  return a.raster - b.raster || a.band - b.band;
}

/** Base names without folder and extension, whatever their case. */
function sameFile(a: string, b: string): boolean {
  return stem(a) !== "" && stem(a) === stem(b);
}

export function stem(path: string): string {
  return baseName(path).toLowerCase();
}

/** File name without folder and extension, as written. */
export function baseName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? "").replace(/\.[a-z0-9]{1,5}$/i, "");
}

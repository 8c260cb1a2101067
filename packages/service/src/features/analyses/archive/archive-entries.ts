import { stringify } from "csv-stringify/sync";
import { MAX_ARCHIVED_MAPS } from "@swath/contract/features/analyses/archive-contract";
import {
  MAX_REPORT_MAPS,
  MAX_REPORT_NOTES_CHARS,
  MAX_REPORT_TITLE_CHARS,
} from "@swath/contract/features/maps/report-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { textStart } from "@swath/kernel/text/text-start";
import type { ZipEntry } from "@swath/raster/archive/zip";
import type { PipelineJob } from "../../../platform/context.ts";
import { downloadName } from "../../../platform/downloads/download-name.ts";
import { statisticsOf } from "../../maps/report/report-statistics.ts";
import type { ReportedMap } from "../../maps/report/reported-map.ts";
import type { MapsService } from "../../maps/service.ts";
import type { FrameRow } from "../frame-store.ts";
import type { AnalysisDocument } from "../saved-document.ts";
import type { AnalysisRow } from "../store.ts";
import { archivedMaps, type ArchivedMap } from "./archived-map.ts";
import { archiveDocument, DOCUMENT_FILE } from "./archive-document.ts";

/** Files of maps in one archive. */
const MAX_FILES_BYTES = 128 * 1024 * 1024;

const CSV_COLUMNS = ["sceneId", "datetime", "mapType", "innerPolygonId", "name", "value"] as const;

export interface ArchiveDeps {
  readonly maps: Pick<MapsService, "describeMap" | "gridFile" | "writeReport">;
}

/** How many maps of an archive have files so far. */
export interface ArchiveCounts {
  maps: number;
  mapsWithoutFiles: number;
}

/**
 * The files of an archive, each made when the one before is written.
 *
 * @param counts is kept while the files are made
 */
export async function* archiveEntries(
  deps: ArchiveDeps,
  row: Pick<AnalysisRow, "document" | "path">,
  frames: readonly FrameRow[],
  job: PipelineJob,
  counts: ArchiveCounts,
): AsyncGenerator<ZipEntry> {
  const document = JSON.parse(row.document) as AnalysisDocument;
  yield json(DOCUMENT_FILE, archiveDocument(row, frames));
  yield json("areas.geojson", areasOf(document));
  const rows: string[][] = [];
  const reported: ReportedMap[] = [];
  let bytes = 0;
  for (const [index, map] of archivedMaps(frames).entries()) {
    job.signal.throwIfAborted();
    const isBeyond = counts.maps >= MAX_ARCHIVED_MAPS || bytes >= MAX_FILES_BYTES;
    const shown = isBeyond ? null : await described(deps, map, job);
    if (shown === null) {
      counts.mapsWithoutFiles += 1;
      continue;
    }
    counts.maps += 1;
    if (reported.length < MAX_REPORT_MAPS) reported.push(shown);
    for (const [name, value] of statisticsOf(shown)) {
      rows.push([map.sceneId, shown.datetime, map.mapType, map.innerPolygonId ?? "", name, value]);
    }
    for await (const file of mapFiles(deps, map, shown, { stem: stemOf(index, map), job })) {
      bytes += file.body.byteLength;
      yield file;
    }
  }
  yield { name: "results.csv", body: text(stringify(rows, { columns: [...CSV_COLUMNS], header: true })) };
  if (reported.length === 0) return;
  const { name } = document.polygon?.properties ?? {};
  const title = textStart(name ?? "", MAX_REPORT_TITLE_CHARS);
  const request = {
    ...(title === "" ? {} : { title }),
    notes: textStart(document.description, MAX_REPORT_NOTES_CHARS),
  };
  yield { name: "report.pdf", body: (await deps.maps.writeReport(request, reported, job.signal)).body };
}

/** Null for a map that no longer exists. */
async function described({ maps }: ArchiveDeps, { mapId }: ArchivedMap, job: PipelineJob): Promise<ReportedMap | null> {
  try {
    return await maps.describeMap(mapId, job);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "INVALID-MAP-ID") return null;
    throw error;
  }
}

async function* mapFiles(
  { maps }: ArchiveDeps,
  { mapId }: ArchivedMap,
  { mapType, picture }: ReportedMap,
  { job, stem }: { readonly job: PipelineJob; readonly stem: string },
): AsyncGenerator<ZipEntry> {
  if (picture !== null) yield { name: `maps/${stem}.png`, body: picture };
  if (mapType.rendering.kind !== "result") return;
  const products = Object.entries(mapType.rendering.products);
  for (const [fileName, { kind }] of products) {
    if (kind !== "objects" || !fileName.endsWith(".geojson")) continue;
    const request = { signedMapId: mapId, geometryId: "-", fileName, tile: null, query: {} };
    const { body, status } = await maps.gridFile(request, undefined, job.caller, job.signal);
    if (status === 200 && body instanceof Uint8Array) yield { name: `detections/${stem}.geojson`, body };
  }
}

/** Unique within an archive, and a name on every file system. */
function stemOf(index: number, { mapType }: ArchivedMap): string {
  return `${String(index + 1).padStart(4, "0")}-${downloadName(mapType).slice(0, 80)}`;
}

function areasOf({ innerPolygons, polygon }: AnalysisDocument): object {
  return { type: "FeatureCollection", features: [...(polygon === null ? [] : [polygon]), ...innerPolygons] };
}

function json(name: string, value: object): ZipEntry {
  return { name, body: text(JSON.stringify(value)) };
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

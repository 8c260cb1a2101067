import type { Client } from "@swath/client";
import type { AreaGeometry } from "../find/area-rings.ts";
import { isMapFile, type ExportFormat } from "./export-formats.ts";

export interface ExportOrder {
  readonly format: ExportFormat;
  readonly mapId: string;
  readonly sceneId: string | null;
  /** All shown maps, the top one first. */
  readonly shownMapIds: readonly string[];
  readonly mapIdsOfType: readonly string[];
  readonly area: AreaGeometry | null;
  /** Of a report; empty for the usual one. */
  readonly heading: string;
}

/** The most maps of a report. */
const MAX_REPORT_MAPS = 40;

/** Starts an export and returns its pipeline. */
export async function startExport(calls: Client, order: ExportOrder): Promise<string> {
  const { format, mapId, area, sceneId } = order;
  if (isMapFile(format)) return (await calls.initiate("/mapsvc/export", { mapId, gridFile: format })).pipelineId;
  if (format === "timelapse") {
    return (await calls.initiate("/mapsvc/timelapse", { mapIds: order.mapIdsOfType })).pipelineId;
  }
  if (format === "pdf") {
    const title = order.heading.trim();
    const maps = order.shownMapIds.slice(0, MAX_REPORT_MAPS);
    return (await calls.initiate("/mapsvc/pdf-report", { maps, ...(title === "" ? {} : { title }) })).pipelineId;
  }
  if (sceneId === null || area === null) throw new TypeError("expected a scene and an area");
  return (await calls.initiate("/imagery/get-image", { sceneId, extent: area })).pipelineId;
}

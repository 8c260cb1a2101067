import type { Client } from "@swath/client";
import type { AreaGeometry } from "../find/area-rings.ts";
import { analysesText } from "./analyses-text.ts";

export type Analysis = Awaited<ReturnType<typeof readAnalysis>>;
export type AnalysisFrame = Analysis["analysisFrames"][number];

export async function readAnalysis(calls: Client, analysisId: string, signal?: AbortSignal) {
  return await calls.call("/analytics/analysis/get", { analysisId }, signal === undefined ? {} : { signal });
}

export async function listAnalyses(calls: Client, cursor: string | null, signal?: AbortSignal) {
  const request = cursor === null ? {} : { cursor };
  return await calls.call("/analytics/analysis/list", request, signal === undefined ? {} : { signal });
}

/** The name of its area, or the first line of its notes. */
export function analysisName({ polygon, description }: Pick<Analysis, "description" | "polygon">): string {
  const named = polygon?.properties?.name ?? "";
  if (named !== "") return named;
  const [first = ""] = description.split("\n");
  return first === "" ? analysesText.untitled : first;
}

/** The area of an analysis; its positions may have a height, which nothing here reads. */
export function analysisArea({ polygon }: Pick<Analysis, "polygon">): AreaGeometry | null {
  return polygon === null ? null : (polygon.geometry as AreaGeometry);
}

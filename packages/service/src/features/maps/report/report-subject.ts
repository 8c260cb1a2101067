import { ServiceError } from "@swath/kernel/errors/service-error";
import {
  MAX_REPORT_MAPS,
  MAX_REPORT_NOTES_CHARS,
  MAX_REPORT_TITLE_CHARS,
  type ReportRequest,
} from "@swath/contract/features/maps/report-contract";
import { textStart } from "@swath/kernel/text/text-start";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Caller } from "../../../platform/context.ts";
import type { AnalysisMaps } from "../../../platform/saved-maps.ts";
import * as store from "../store.ts";
import type { ReportDeps } from "./report-deps.ts";

type SubjectDeps = Pick<ReportDeps, "db" | "savedMaps" | "signer">;

/** The maps of a report, and texts of their analysis where the request has none. */
export interface ReportSubject {
  readonly mapIds: readonly string[];
  /** Areas of the maps, each once. */
  readonly areas: readonly MultiPolygon[];
  readonly texts: Pick<ReportRequest, "notes" | "title">;
}

/** @throws {ServiceError} INVALID-MAP-ID, NON-EXISTENT-ANALYSIS, VALIDATION-ERROR */
export async function reportSubject(deps: SubjectDeps, request: ReportRequest, caller: Caller): Promise<ReportSubject> {
  const { maps, analysisId } = request;
  if (analysisId === undefined) {
    if (maps === undefined) refuse("/maps", "is required unless analysisId is given");
    const found: store.MapWithGeometry[] = [];
    for (const [index, signed] of maps.entries()) {
      const map = await mapOf(deps, signed);
      if (map === null) throw new ServiceError("INVALID-MAP-ID", `map ${index} no longer exists: release it again`);
      found.push(map);
    }
    return { mapIds: maps, areas: areasOf(found), texts: {} };
  }
  if (maps !== undefined) refuse("/maps", "cannot be given with analysisId, which names all maps of the analysis");
  return await analysisSubject(deps, request, await deps.savedMaps.ofAnalysis(caller, analysisId));
}

async function analysisSubject(
  deps: SubjectDeps,
  { notes, title }: ReportRequest,
  analysis: AnalysisMaps,
): Promise<ReportSubject> {
  const { mapIds: all, description, name } = analysis;
  if (all.length > MAX_REPORT_MAPS) {
    refuse(
      "/analysisId",
      `the analysis has ${all.length} maps, expected at most ${MAX_REPORT_MAPS}: name some as maps`,
    );
  }
  const mapIds: string[] = [];
  const maps: store.MapWithGeometry[] = [];
  for (const signed of all) {
    const map = await usableMap(deps, signed);
    if (map === null) continue;
    mapIds.push(signed);
    maps.push(map);
  }
  if (mapIds.length === 0) refuse("/analysisId", `the analysis has no map: ${all.length} of its maps have expired`);
  const gone = all.length - mapIds.length;
  const told = gone === 0 ? [] : [`${gone} of the ${all.length} maps of the analysis no longer exist.`];
  const written = textStart(notes ?? description, MAX_REPORT_NOTES_CHARS);
  const named = title ?? (name === null ? undefined : textStart(name, MAX_REPORT_TITLE_CHARS));
  return {
    mapIds,
    areas: areasOf(maps),
    texts: {
      notes: [...(written === "" ? [] : [written]), ...told].join("\n"),
      ...(named === undefined || named === "" ? {} : { title: named }),
    },
  };
}

function areasOf(maps: readonly store.MapWithGeometry[]): readonly MultiPolygon[] {
  return [...new Map(maps.map(({ geometryId, geometry }) => [geometryId, geometry])).values()];
}

/** Null for a map that no longer exists, or whose ID has expired. */
async function usableMap(deps: SubjectDeps, signed: string): Promise<store.MapWithGeometry | null> {
  try {
    return await mapOf(deps, signed);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "INVALID-MAP-ID") return null;
    throw error;
  }
}

/** @throws {ServiceError} INVALID-MAP-ID */
async function mapOf(
  { db, signer }: Pick<SubjectDeps, "db" | "signer">,
  signed: string,
): Promise<store.MapWithGeometry | null> {
  return await store.readMap(db, (await signer.verify(signed)).mapId);
}

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

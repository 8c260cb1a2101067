import type { AnalysisToSave } from "@swath/contract/features/analyses/analysis";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { boundedJson } from "../../platform/bounded-json.ts";
import { geometryForm } from "../geojson/stored-form.ts";

/** Members of an analysis that the service keeps as a document. */
export type AnalysisDocument = Required<
  Pick<
    AnalysisToSave,
    | "actionDerivates"
    | "analysisSets"
    | "description"
    | "frontendProperties"
    | "hiddenFeatures"
    | "innerPolygons"
    | "polygon"
    | "tags"
    | "task"
    | "taskingOrders"
  >
>;

const EMPTY: AnalysisDocument = {
  description: "",
  polygon: null,
  innerPolygons: [],
  tags: [],
  task: [],
  hiddenFeatures: [],
  analysisSets: [],
  taskingOrders: [],
  actionDerivates: {},
  frontendProperties: {},
};

type Area = NonNullable<AnalysisDocument["polygon"]>;

/**
 * The document after a change, as text to be kept; geometries are in canonical form.
 *
 * @param before null for a new analysis
 * @throws {ServiceError} VALIDATION-ERROR
 */
export async function savedDocument(
  before: AnalysisDocument | null,
  { polygon, innerPolygons, ...change }: AnalysisToSave,
  signal?: AbortSignal,
): Promise<string> {
  const document: Record<string, unknown> = { ...EMPTY, ...before };
  for (const name of Object.keys(EMPTY)) {
    if (name in change) document[name] = change[name as keyof typeof change];
  }
  if (polygon !== undefined) {
    document["polygon"] = polygon === null ? null : await canonicalArea(polygon, "/analysis/polygon", signal);
  }
  if (innerPolygons !== undefined) {
    requireUnique(innerPolygons.map(({ id }) => id));
    const areas: Area[] = [];
    for (const [index, inner] of innerPolygons.entries()) {
      areas.push(await canonicalArea(inner, `/analysis/innerPolygons/${index}`, signal));
    }
    document["innerPolygons"] = areas;
  }
  return boundedJson(document, "/analysis");
}

async function canonicalArea<A extends Area>(area: A, path: string, signal?: AbortSignal): Promise<A> {
  const { geometry } = await geometryForm(area.geometry, `${path}/geometry`, signal);
  return { ...area, geometry: geometry as A["geometry"] };
}

function requireUnique(ids: readonly string[]): void {
  const index = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (index === -1) return;
  const detail = { path: `/analysis/innerPolygons/${index}/id`, message: `must be unique, "${ids[index]}" is not` };
  throw new ServiceError("VALIDATION-ERROR", `${detail.path} ${detail.message}`, { details: [detail] });
}

import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { exportDatapoints } from "@swath/contract/features/datacube/points-contract";
import type { ManyProjects } from "./points-query.ts";

type Request = Static<typeof exportDatapoints.request>;
type Filter = NonNullable<Request["filters"]>[number];

const LISTS = { project: "projects", algorithm: "algorithms", source: "sources", version: "versions" } as const;

/**
 * The selection of a request whose members existing clients send as filters.
 *
 * @param allProjects projects of a request that names none
 * @throws {ServiceError} VALIDATION-ERROR for a filter without its parameters, and two filters of a field
 */
export function selectionOf(request: Request, allProjects: readonly string[]): ManyProjects {
  const { filters = [], keepDuplicates, project, ...members } = request;
  const fields = new Set(filters.map(({ field }) => field));
  if (fields.size < filters.length) refuse("/filters", "must have one filter for each field");
  let selection: ManyProjects = { ...members, projects: project === undefined ? allProjects : [project] };
  if (keepDuplicates === true && members.version === undefined) selection = { ...selection, version: "all" };
  for (const [index, filter] of filters.entries()) {
    selection = { ...selection, ...selected(filter, `/filters/${index}`) };
  }
  return selection;
}

function selected({ field, type, params }: Filter, path: string): Partial<ManyProjects> {
  if ((type === "geo-intersects") !== (field === "aoi"))
    refuse(path, "geo-intersects is for aoi, value-list for others");
  if (field === "aoi") {
    const { geometry: extent, geometryLabel: label } = params;
    if (extent === undefined && label === undefined) refuse(`${path}/params`, "must have geometry or geometryLabel");
    return { ...(extent === undefined ? {} : { extent }), ...(label === undefined ? {} : { label }) };
  }
  const { values } = params;
  if (values === undefined) refuse(`${path}/params`, "must have values");
  return { [LISTS[field]]: [...new Set(values)] };
}

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

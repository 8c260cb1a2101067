import type { Static } from "typebox";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Datapoint, getDatapoints as operation } from "@swath/contract/features/datacube/points-contract";
import type { Caller } from "../../platform/context.ts";
import { chartPoints } from "./chart-points.ts";
import { CSV_HEADER, csvLines } from "./datapoints-csv.ts";
import { readPointCursor } from "./point-cursor.ts";
import { readPage } from "./point-pages.ts";
import { planPoints } from "./points-query.ts";
import { formatMoment } from "./request-instant.ts";
import type { SelectAoisDeps } from "./select-aois.ts";

const DEFAULT_LIMIT = 1000;
/** Inputs take up to 4,096 bytes each: 4 MB of a page. */
const MAX_PROVENANCE_POINTS = 1000;
/** Datapoints whose lines are written without a pause. */
const CSV_STEP = 200;

/** @throws {ServiceError} VALIDATION-ERROR, INVALID-CURSOR */
export async function getDatapoints(
  deps: SelectAoisDeps,
  caller: Caller,
  { cursor, project, ...request }: Static<typeof operation.request>,
  signal: AbortSignal,
): Promise<Static<typeof operation.response>> {
  const after = cursor === undefined ? null : readPointCursor(cursor);
  const selection = { ...request, projects: [project] };
  const query = await planPoints(deps, caller, selection, after?.asOf ?? null, signal);
  const { limit = DEFAULT_LIMIT, includeProvenance: withProvenance = false, format = "json" } = request;
  const most = withProvenance ? Math.min(limit, MAX_PROVENANCE_POINTS) : limit;
  const page = await readPage(deps.db, query, { after, limit: most, withProvenance }, signal);
  const answer = { asOf: formatMoment(query.asOf), cursor: page.cursor };
  if (format === "json") return { ...answer, results: [...page.results] };
  if (format === "svg") return { ...answer, results: [], svg: chartPoints(page.results) };
  return { ...answer, results: [], csv: await csvOf(page.results, signal) };
}

async function csvOf(points: readonly Datapoint[], signal: AbortSignal): Promise<string> {
  const share = loopShare();
  const parts = [CSV_HEADER];
  for (let start = 0; start < points.length; start += CSV_STEP) {
    if (isUsedUp(share)) await giveWay(share, signal);
    parts.push(csvLines(points.slice(start, start + CSV_STEP)));
  }
  return parts.join("");
}

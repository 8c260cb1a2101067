import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr, splitBounds } from "@swath/kernel/geometry/mbr";
import type { Db } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { FeatureTests } from "../../platform/geometry/feature-tests.ts";
import { readAoiKeys, readGeometries } from "./aoi-read-store.ts";
import { MAX_AOIS_OF_PROJECT } from "./save-aois.ts";

export interface SelectAoisDeps {
  readonly db: Db;
  readonly areas: Pick<Areas, "read">;
  readonly featureTests: Pick<FeatureTests, "of">;
}

export interface AoiSelection {
  readonly aoiIds?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly extent?: GeoJson | undefined;
}

/** Areas whose outlines are in memory at once. */
const BATCH = 250;

/** Keys of the selected areas of a project, ascending; null when the selection names none, which means all. */
export async function selectAois(
  deps: SelectAoisDeps,
  project: string,
  { aoiIds, tags, label, extent }: AoiSelection,
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  if ([aoiIds, tags, label, extent].every((one) => one === undefined)) return null;
  const rules = { path: "/extent", maxLatitudeDeg: 90, sceneCount: 1 };
  const area = extent === undefined ? null : await deps.areas.read(extent, rules, signal);
  const condition = {
    project,
    aoiIds: aoiIds ?? null,
    tags: tags ?? null,
    label: label ?? null,
    boxes: area === null ? null : boxesOf(area),
  };
  const keys = await readAoiKeys(deps.db, condition, MAX_AOIS_OF_PROJECT);
  return area === null ? keys : await keysThatMeet(deps, keys, area, signal);
}

/** The boxes of an area, and the same a turn further: boxes of areas over the antimeridian reach beyond 180. */
function boxesOf(area: MultiPolygon): readonly string[] {
  return splitBounds(mbr(area)).flatMap(([west, south, east, north]) =>
    [0, 360].map((turn) => `((${west + turn},${south}),(${east + turn},${north}))`),
  );
}

/** The exact test: boxes may meet where outlines do not. */
async function keysThatMeet(
  { db, featureTests }: SelectAoisDeps,
  keys: readonly number[],
  area: MultiPolygon,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const test = featureTests.of({ op: "spatial", relation: "intersects", geometry: area });
  const found: number[] = [];
  for (let start = 0; start < keys.length; start += BATCH) {
    signal.throwIfAborted();
    const rows = await readGeometries(db, keys.slice(start, start + BATCH));
    const features = rows.map(({ aoiKey, geometry }) => ({ id: String(aoiKey), properties: {}, geometry }));
    found.push(...(await test(features, BATCH, signal)).map(({ id }) => Number(id)));
  }
  return found;
}

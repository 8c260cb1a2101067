import type { RawBuilder } from "kysely";
import type { Expression } from "@swath/kernel/cql2/expression";
import { decodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { overlapRatio, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { Db } from "../../../platform/context.ts";
import { datasetNameOf, knownDatasetKeys, type DatasetKeys, type DatasetName } from "../dataset-keys.ts";
import { toScene } from "../scene-record.ts";
import { audiencesOf, type AudienceKey, type Viewer } from "../visibility.ts";
import {
  countSelected,
  insideSql,
  readBandNames,
  readExtents,
  readSelected,
  readSelectedKeys,
  type BandNamesRow,
  type BrowsedRow,
  type BrowseScope,
  type NamedKey,
} from "./browse-store.ts";
import { conditionSql, fieldsOf, geometriesOf } from "./condition-sql.ts";
import { piece } from "./piece.ts";
import { readAggregations, type Aggregation, type AggregationRow } from "./aggregations.ts";
import { refuseFilter } from "./refuse-filter.ts";
import { sceneField, type SceneField } from "./scene-fields.ts";
import { selectedPageSql, selectedSql, type BrowsePayer, type Selection } from "./selection.ts";
import { spatialSet, type SpatialSet } from "./spatial-sets.ts";

/** A dataset with the name that conditions on `collection` use. */
export interface BrowsedDataset extends DatasetName {
  readonly name: string;
}

/** Conditions on the scenes that the service knows: stored ones, and those that searches have met. */
export interface BrowseConditions {
  readonly datasets: readonly BrowsedDataset[];
  /** Null: all. */
  readonly sceneIds: readonly string[] | null;
  /** Both ends belong to the interval; null is open. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Normal form; null: the whole world. */
  readonly extent: MultiPolygon | null;
  readonly filter: Expression | null;
  /** Null or absent: `needsPayer` is false. */
  readonly payer?: BrowsePayer | null;
}

/** Whether a condition or an order reads prices or holdings. @throws {ServiceError} BAD-REQUEST for unknown fields */
export function needsPayer({ filter, order }: Pick<BrowseQuery, "filter" | "order">): boolean {
  return readFields(filter, order).some(({ needs }) => needs === "holding");
}

function readFields(filter: Expression | null, order: BrowseQuery["order"]): readonly SceneField[] {
  return [...(filter === null ? [] : fieldsOf(filter)), ...order.flatMap(({ field }) => sceneField(field) ?? [])];
}

/** A question for a page of scenes. */
export interface BrowseQuery extends BrowseConditions {
  /** Names of fields; newest first when empty. */
  readonly order: readonly { readonly field: string; readonly isDescending: boolean }[];
  readonly offset: number;
  readonly limit: number;
  /** Whether scenes come with their rasters; false unless given. */
  readonly withRasters?: boolean;
}

export interface BrowsedScene {
  readonly scene: Scene;
  readonly ingested: boolean;
  /** Null for scenes of catalogues. */
  readonly owner: AudienceKey | null;
  /** Null without pixels in the store, and where rasters are not asked for. */
  readonly raster: StoredRaster | null;
  /** Share of the extent that the scene covers; null without an extent. */
  readonly overlap: number | null;
  /** JSON of a registered item; null for other scenes. */
  readonly item: string | null;
}

export interface BrowsedPage {
  readonly scenes: readonly BrowsedScene[];
  /** Of all pages. */
  readonly matched: number;
}

export interface BrowsedExtent extends DatasetName {
  readonly scenes: number;
  readonly first: Date;
  readonly last: Date;
  /** Unwrapped: the east exceeds 180 across the antimeridian. */
  readonly bounds: Bounds;
}

export interface BrowseDeps {
  readonly db: Db;
  readonly keys: DatasetKeys;
  /** The area of a geometry of a filter, in normal form. */
  readonly readArea: (
    geometry: Expression & { readonly kind: "geometry" },
    signal: AbortSignal,
  ) => Promise<MultiPolygon>;
}

async function namedKeys(keys: DatasetKeys, datasets: readonly BrowsedDataset[]): Promise<readonly NamedKey[]> {
  const known = await knownDatasetKeys(keys, datasets);
  return datasets.flatMap((dataset) => {
    const datasetKey = known.get(datasetNameOf(dataset));
    return datasetKey === undefined ? [] : [{ datasetKey, name: dataset.name }];
  });
}

/** Whether PostgreSQL refuses a value: a number out of range, a text with U+0000. */
function isDataException(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("22");
}

/**
 * One page of the scenes that a viewer may see, and the number of all. The tests of areas are exact.
 *
 * @throws {ServiceError} BAD-REQUEST for a filter that does not fit; EXTENT-TOO-LARGE as `spatialSet`
 */
export async function browseScenes(
  deps: BrowseDeps,
  query: BrowseQuery,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<BrowsedPage> {
  return await refusingData(() => readPage(deps, query, viewer, signal));
}

/**
 * Numbers of all scenes that a viewer may see and that meet a query; pages do not count.
 *
 * @throws {ServiceError} as `browseScenes`
 */
export async function aggregateScenes(
  deps: BrowseDeps,
  query: BrowseConditions,
  wanted: readonly Aggregation[],
  viewer: Viewer,
  signal: AbortSignal,
): Promise<readonly AggregationRow[]> {
  return await refusingData(async () => {
    const chosen = await choose(deps, { ...query, order: [] }, viewer, signal);
    if (chosen === null) return [];
    return await readAggregations(deps.db, chosen.scope, selectedSql(chosen.scope, chosen.selection), wanted);
  });
}

async function refusingData<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDataException(error)) throw refuseFilter(error.message);
    throw error;
  }
}

/** The conditions of a query as SQL; null where it names no dataset. */
async function choose(
  deps: BrowseDeps,
  query: BrowseConditions & Pick<BrowseQuery, "order">,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<{ readonly scope: BrowseScope; readonly selection: Selection } | null> {
  const { db, keys } = deps;
  const { sceneIds, from, to, filter, extent } = query;
  const fields = readFields(filter, query.order);
  const datasets = await namedKeys(keys, query.datasets);
  if (datasets.length === 0) return null;
  const scope: BrowseScope = { datasets, audiences: audiencesOf(viewer), from, to, sceneIds };
  const readsOverlap = fields.some(({ needs }) => needs === "overlap");
  const main = extent === null ? null : await spatialSet(db, scope, extent, readsOverlap, signal);
  const selection: Selection = {
    condition: await selectedBy(deps, filter, { scope, main, signal }),
    needsDocument: fields.some(({ needs }) => needs === "document"),
    overlaps: readsOverlap && main !== null ? main.overlaps : null,
    payer: query.payer ?? null,
  };
  return { scope, selection };
}

async function readPage(
  deps: BrowseDeps,
  query: BrowseQuery,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<BrowsedPage> {
  const { db } = deps;
  const { extent } = query;
  const chosen = await choose(deps, query, viewer, signal);
  if (chosen === null) return { scenes: [], matched: 0 };
  const { scope, selection } = chosen;
  const [matched, rows] = await Promise.all([
    countSelected(db, selectedSql(scope, selection)),
    readSelected(
      db,
      selectedPageSql(scope, selection, { ...query, order: orderSql(query.order) }),
      query.withRasters === true,
    ),
  ]);
  return { scenes: scenesOf(rows, extent), matched };
}

/** The scenes of a query, to be read piece by piece. */
export interface SelectedScenes {
  /** Of all that meet the query. */
  readonly matched: number;
  /** In the order of the query, from its offset up to its limit. */
  readonly sceneKeys: readonly number[];
  /** Some of the scenes by their keys; scenes that are gone by then are left out. */
  read(sceneKeys: readonly number[]): Promise<readonly BrowsedScene[]>;
  /** The different lists of bands of the scenes in the store; a limit leaves out further ones. */
  bandNames(limit: number): Promise<readonly BandNamesRow[]>;
}

/** Chooses scenes without reading them, for answers larger than memory. @throws {ServiceError} as `browseScenes` */
export async function selectScenes(
  deps: BrowseDeps,
  query: BrowseQuery,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<SelectedScenes> {
  return await refusingData(async () => {
    const { db } = deps;
    const chosen = await choose(deps, query, viewer, signal);
    const order = orderSql(query.order);
    const [matched, sceneKeys] =
      chosen === null
        ? [0, []]
        : await Promise.all([
            countSelected(db, selectedSql(chosen.scope, chosen.selection)),
            readSelectedKeys(db, selectedPageSql(chosen.scope, chosen.selection, { ...query, order })),
          ]);
    return {
      matched,
      sceneKeys,
      read: async (keys) => scenesOf(await readSelected(db, keysSql(keys), query.withRasters === true), query.extent),
      bandNames: (limit) => readBandNames(db, sceneKeys, limit),
    };
  });
}

function keysSql(sceneKeys: readonly number[]): RawBuilder<unknown> {
  return piece`
    select k.scene_key from unnest(${sceneKeys}::bigint[]) with ordinality as k (scene_key, place) order by k.place
  `;
}

function scenesOf(rows: readonly BrowsedRow[], extent: MultiPolygon | null): readonly BrowsedScene[] {
  const prepared = extent === null ? null : prepareArea(extent);
  return rows.map(({ footprint, document, ingested, owner, raster, item }) => {
    const outline = decodeFootprint(footprint);
    const overlap = prepared === null ? null : overlapRatio(prepared, prepareArea(outline), "extent");
    return { scene: toScene(document, outline), ingested, overlap, owner, raster: raster as StoredRaster | null, item };
  });
}

async function selectedBy(
  deps: BrowseDeps,
  filter: Expression | null,
  {
    scope,
    main,
    signal,
  }: { readonly scope: BrowseScope; readonly main: SpatialSet | null; readonly signal: AbortSignal },
): Promise<RawBuilder<unknown>> {
  const tests = [main === null ? piece`true` : setSql(main)];
  if (filter !== null) {
    const sets = new Map<Expression, RawBuilder<unknown>>();
    for (const geometry of geometriesOf(filter)) {
      const area = await deps.readArea(geometry, signal);
      sets.set(geometry, setSql(await spatialSet(deps.db, scope, area, false, signal)));
    }
    tests.push(conditionSql(filter, { meets: (geometry) => sets.get(geometry) ?? piece`false` }));
  }
  return piece.join(tests, piece` and `);
}

function setSql({ insideOf, overlaps }: SpatialSet): RawBuilder<unknown> {
  const listed = piece`s.scene_key = any(${[...overlaps.keys()]}::bigint[])`;
  return insideOf.length === 0 ? listed : piece`(${insideSql(insideOf)} or ${listed})`;
}

function orderSql(order: BrowseQuery["order"]): readonly RawBuilder<unknown>[] {
  if (order.length === 0) return [piece`s.acquired_at desc`];
  return order.flatMap(({ field, isDescending }) => {
    const known = sceneField(field);
    if (known === null) return [];
    const collated = known.type === "text" ? piece`${known.sql} collate "C"` : known.sql;
    return [piece`${collated} ${piece.raw(isDescending ? "desc nulls last" : "asc nulls last")}`];
  });
}

/** Period and box of the visible scenes of each dataset; datasets without scenes are left out. */
export async function browseExtents(
  { db, keys }: Pick<BrowseDeps, "db" | "keys">,
  datasets: readonly BrowsedDataset[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, Omit<BrowsedExtent, keyof DatasetName>>> {
  const named = await namedKeys(keys, datasets);
  if (named.length === 0) return new Map();
  const scope = { datasets: named, audiences: audiencesOf(viewer), from: null, to: null, sceneIds: null };
  const names = new Map(named.map(({ datasetKey, name }) => [datasetKey, name]));
  return new Map(
    (await readExtents(db, scope)).map(({ dataset_key: key, scenes, first, last, west, south, east, north }) => [
      names.get(key) ?? "",
      { scenes, first, last, bounds: [west, south, east, north] },
    ]),
  );
}

import type { GeoJson, Point, Polygon } from "@swath/kernel/geometry/geojson";
import { ORDER_PRIORITIES, type OrderPriority } from "@swath/kernel/tasking/order-priority";
import { UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { parsePlace } from "../place.ts";
import { parseDataset } from "../searched-datasets.ts";

export const PRIORITIES = ORDER_PRIORITIES;

/** Options of commands that describe an order. */
export interface OrderCommandOptions {
  readonly dataset?: string;
  readonly place?: string;
  readonly area?: string;
  readonly name?: string;
  readonly from?: string;
  readonly to?: string;
  readonly priority?: OrderPriority;
  readonly maxClouds?: number;
  readonly contract?: string;
  readonly product?: readonly string[];
  readonly eula?: string;
  readonly sla?: string;
  readonly project?: string;
  readonly analysis?: string;
}

/** Body of a study. */
export interface StudyRequest {
  readonly provider?: string;
  readonly dataset: string;
  readonly name: string;
  readonly geometry: Point | Polygon;
  readonly projectName?: string;
  readonly analysisId?: string;
  readonly priority?: OrderPriority;
  readonly orderOptions?: {
    readonly contractId?: string;
    readonly ingestProducts?: string[];
    readonly eula?: string;
    readonly sla?: string;
    readonly maxCloudCover?: number;
  };
  readonly startTime?: string;
  readonly endTime?: string;
}

/** Members that options name. The others of the request stay as they are. @throws {UsageError} */
export async function applyOptions(before: StudyRequest | null, options: OrderCommandOptions): Promise<StudyRequest> {
  const geometry = (await geometryOf(options)) ?? before?.geometry;
  const named = options.dataset === undefined ? null : datasetOf(options.dataset);
  const dataset = named?.dataset ?? before?.dataset;
  if (dataset === undefined) throw new UsageError("--dataset is missing, such as --dataset spotlight");
  if (geometry === undefined) throw new UsageError("a capture needs --place lon,lat or --area");
  const provider = named === null ? before?.provider : named.provider;
  const orderOptions = { ...before?.orderOptions, ...contractOptions(options) };
  return {
    ...before,
    ...(provider === undefined ? {} : { provider }),
    dataset,
    geometry,
    name: options.name ?? before?.name ?? `${dataset} capture`,
    ...(options.project === undefined ? {} : { projectName: options.project }),
    ...(options.analysis === undefined ? {} : { analysisId: options.analysis }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(Object.keys(orderOptions).length === 0 ? {} : { orderOptions }),
    ...(options.from === undefined ? {} : { startTime: parseInstant(options.from, "--from") }),
    ...(options.to === undefined ? {} : { endTime: parseInstant(options.to, "--to") }),
  };
}

function contractOptions({ contract, product, eula, sla, maxClouds }: OrderCommandOptions) {
  return {
    ...(contract === undefined ? {} : { contractId: contract }),
    ...(product === undefined ? {} : { ingestProducts: [...product] }),
    ...(eula === undefined ? {} : { eula }),
    ...(sla === undefined ? {} : { sla }),
    ...(maxClouds === undefined ? {} : { maxCloudCover: maxClouds }),
  };
}

/** `provider/dataset`, or a dataset whose provider the service finds. */
function datasetOf(text: string): { readonly provider?: string; readonly dataset: string } {
  return text.includes("/") ? parseDataset(text) : { dataset: text };
}

async function geometryOf({ place, area }: OrderCommandOptions): Promise<Point | Polygon | null> {
  if (place !== undefined && area !== undefined) throw new UsageError("--place and --area exclude each other");
  if (place !== undefined) return { type: "Point", coordinates: parsePlace(place) };
  if (area === undefined) return null;
  const polygons = polygonsOf(await readExtent(area, "--area"));
  const [polygon] = polygons;
  if (polygon === undefined || polygons.length > 1) {
    throw new UsageError(`--area has ${polygons.length} polygons, expected one`);
  }
  return polygon;
}

function polygonsOf(value: GeoJson | null): readonly Polygon[] {
  if (value === null) return [];
  if (value.type === "Feature") return polygonsOf(value.geometry);
  if (value.type === "FeatureCollection") return value.features.flatMap(polygonsOf);
  if (value.type === "GeometryCollection") return value.geometries.flatMap(polygonsOf);
  if (value.type === "MultiPolygon") return value.coordinates.map((coordinates) => ({ type: "Polygon", coordinates }));
  return value.type === "Polygon" ? [value] : [];
}

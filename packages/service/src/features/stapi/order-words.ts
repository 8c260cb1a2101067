import type { OrderRequest } from "@swath/contract/features/stapi/requests";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { canonicalGeometry } from "@swath/kernel/geometry/canonical";
import type { Geometry, Point, Polygon } from "@swath/kernel/geometry/geojson";
import type { OrderPriority } from "@swath/kernel/tasking/order-priority";
import canonicalize from "canonicalize";
import type { StoredWindow } from "../tasking/feasibility/window-store.ts";
import { readFilter } from "./filter.ts";
import { orderedInterval, readInterval } from "./interval.ts";
import { areaMembers, comparedProperties } from "./opportunity.ts";
import { productId, type Product } from "./product.ts";
import { badRequest } from "./stapi-error.ts";

/**
 * The order of tasking that a request of STAPI stands for, in the window of its opportunity.
 *
 * @throws {ServiceError} BAD-REQUEST for an opportunity of another product, outside of `datetime` or against `filter`
 */
export function placedOrder(product: Product, request: OrderRequest, window: StoredWindow, nowMs: number): PlacedOrder {
  const { order_parameters: asked } = request;
  requireProduct(product, window);
  const filter = readFilter(product, request.filter);
  if (!filter.holds(comparedProperties(window.document, product, window.study.priority))) {
    const { price } = window.document;
    throw badRequest("/filter", `does not hold for the opportunity, which costs ${price} credits`);
  }
  const { name = product.id, project_name: projectName, analysis_id: analysisId } = asked;
  const usualClouds = window.study.orderOptions.maxCloudCover;
  const maxCloudCover = filter.maxCloudCover ?? usualClouds;
  return {
    provider: product.provider.id,
    dataset: product.dataset.dataset,
    name,
    geometry: orderedGeometry(request.geometry, window),
    windowId: window.windowId,
    // A priority of the dataset: a study has accepted it.
    priority: asked.priority ?? (window.study.priority as OrderPriority),
    ...(projectName === undefined ? {} : { projectName }),
    ...(analysisId === undefined ? {} : { analysisId }),
    ...timesOf(product, request.datetime, window, nowMs),
    orderOptions: { ...optionsOf(asked), ...(maxCloudCover === undefined ? {} : { maxCloudCover }) },
  };
}

function requireProduct({ id, info, taskingType }: Product, { study }: StoredWindow): void {
  const isOfKind = Object.hasOwn(info.priorities, study.priority);
  if (isOfKind && productId(study.provider, study.dataset, taskingType) === id) return;
  const message = `is of ${study.provider} ${study.dataset} with the priority ${study.priority}, not of ${id}`;
  throw badRequest("/order_parameters/opportunity_id", message);
}

/** The geometry of the search: orders may repeat it, or the area that its opportunities show. */
function orderedGeometry(asked: Point | Polygon, { geometry, study }: StoredWindow): Point | Polygon {
  const given = comparable(asked);
  const known = [study.originalGeometry, areaMembers(geometry).geometry];
  return known.some((one) => comparable(one) === given) ? study.originalGeometry : asked;
}

function comparable(geometry: Geometry): string | undefined {
  return canonicalize(canonicalGeometry(geometry));
}

/** An assured order is taken in its pass alone: any interval around the pass means the same. */
function timesOf(
  { info, taskingType }: Product,
  datetime: string,
  { startMs, endMs }: StoredWindow,
  nowMs: number,
): Pick<PlacedOrder, "endTime" | "startTime"> {
  const asked = readInterval(datetime);
  if (startMs < asked.startMs || endMs > asked.endMs) {
    const pass = `${new Date(startMs).toISOString()}/${new Date(endMs).toISOString()}`;
    throw badRequest("/datetime", `leaves out the opportunity, ${pass}`);
  }
  if (taskingType === "assured") return {};
  const ordered = orderedInterval(asked, { startMs, endMs }, info, nowMs);
  return { startTime: new Date(ordered.startMs).toISOString(), endTime: new Date(ordered.endMs).toISOString() };
}

function optionsOf(asked: OrderRequest["order_parameters"]): NonNullable<PlacedOrder["orderOptions"]> {
  const options = {
    ingestProducts: asked.ingest_products,
    derivativeProductTypes: asked.derivative_product_types,
    exclusivity: asked.exclusivity,
    catalogCollection: asked.catalog_collection,
    deliveryLocationId: asked.delivery_location_id,
    eula: asked.eula,
    sla: asked.sla,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

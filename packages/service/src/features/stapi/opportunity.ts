import type { FeasibilityWindow } from "@swath/contract/features/tasking/feasibility-contract";
import type { PropertyValue } from "@swath/kernel/cql2/evaluate";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { intervalText, type Interval } from "../../tasking-providers/stapi/interval.ts";
import { boxOf, outlineOf } from "../stac/outline.ts";
import { offeredInterval } from "./interval.ts";
import { JSON_TYPE, productHref, STAPI_VERSION } from "./link.ts";
import type { Product } from "./product.ts";

/** The members of a window that its opportunity shows. */
export type OfferedPass = Omit<FeasibilityWindow, "elementsEpoch" | "strips">;

type Properties = Readonly<Record<string, PropertyValue | undefined>>;

/** The properties of an opportunity that filters compare; undefined where the provider says nothing. */
export function comparedProperties(pass: OfferedPass, product: Product, priority: string): Properties {
  return {
    platform: pass.satellite,
    "view:off_nadir": pass.offNadir ?? undefined,
    "view:incidence_angle": pass.incidence ?? undefined,
    "view:sun_elevation": pass.sunElevation ?? undefined,
    "sat:orbit_state": pass.pass ?? undefined,
    "sar:observation_direction": product.dataset.type === "optical" ? undefined : (pass.lookSide ?? undefined),
    "swath:credits": pass.price,
    "swath:priority": priority,
    "swath:coverage": pass.coverageRatio,
    "swath:probability": pass.cloudProbability,
  };
}

/** A search whose opportunities are shown. */
export interface ShownSearch {
  readonly product: Product;
  readonly priority: string;
  /** Ordered and charged area. */
  readonly geometry: Polygon;
  readonly areaKm2: number;
  /** As the order of an opportunity repeats them. */
  readonly request: { readonly geometry: unknown; readonly filter?: unknown };
  readonly searched: Interval;
}

/** A polygon whose longitudes may run on across the antimeridian, as RFC 7946 writes it, with its box. */
export function areaMembers({ coordinates }: Polygon) {
  const area: MultiPolygon = { type: "MultiPolygon", coordinates: normalForm([coordinates]) };
  return { geometry: outlineOf(area), bbox: boxOf(area) };
}

/** The opportunity of a window, and the link that orders it. */
export function opportunityDocument(pass: OfferedPass, search: ShownSearch, baseUrl: string) {
  const { areaKm2, geometry, priority, product } = search;
  const isOptical = product.dataset.type === "optical";
  return {
    type: "Feature",
    stapi_type: "Opportunity",
    stapi_version: STAPI_VERSION,
    id: pass.windowId,
    ...areaMembers(geometry),
    properties: {
      datetime: intervalText(intervalOf(pass)),
      product_id: product.id,
      ...comparedProperties(pass, product, priority),
      "swath:area_km2": areaKm2,
      "swath:mode": pass.mode,
      ...(isOptical ? { "swath:expected_cloud_cover": Math.round(pass.cloudCover * 1e4) / 100 } : {}),
      "swath:attempts": pass.expectedAttempts ?? undefined,
      "swath:uncertainty_seconds": pass.uncertaintySeconds,
      "swath:expires": pass.expiresAt,
    },
    links: [orderLink(pass, search, baseUrl)],
  };
}

function intervalOf({ startTime, endTime }: Pick<OfferedPass, "endTime" | "startTime">): Interval {
  return { startMs: Date.parse(startTime), endMs: Date.parse(endTime) };
}

function orderLink(pass: OfferedPass, { priority, product, request, searched }: ShownSearch, baseUrl: string) {
  const isChosen = product.taskingType === "assured";
  return {
    rel: "create-order",
    href: `${productHref(baseUrl, product.id)}/orders`,
    type: JSON_TYPE,
    method: "POST",
    body: {
      datetime: intervalText(isChosen ? intervalOf(pass) : offeredInterval(searched, product.info)),
      geometry: request.geometry,
      ...(request.filter === undefined ? {} : { filter: request.filter }),
      order_parameters: { opportunity_id: pass.windowId, priority },
    },
  };
}

import { areaKm2 } from "@swath/kernel/geometry/area";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { canonicalMultiPolygon } from "@swath/kernel/geometry/canonical";
import { intersection, unionAll } from "@swath/kernel/geometry/clip";
import type { MultiPolygon, PolygonCoordinates } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { cloudCover } from "@swath/simulator/constellation/cloud-cover";
import { taskedModel } from "@swath/simulator/constellation/tasked-model";
import type { SceneModel } from "@swath/simulator/scene-model";
import type { SubmittedOrder } from "../tasking-provider.ts";
import type { Booking } from "./booking-store.ts";
import { chanceOf } from "./chance.ts";
import { meets, type SimulatorOptions } from "./simulator-options.ts";

/** The picture that a satellite took for an order, without pixels. */
export interface Assessment {
  /** 0..1. */
  readonly cloudCover: number;
  /** Share of the ordered area, 0..1. */
  readonly coverageRatio: number;
  readonly footprint: MultiPolygon;
  readonly fulfils: boolean;
}

/** Part of an area that a pass must image to fulfil an order. */
const MIN_COVERAGE = 0.9;

/** The picture of a booked pass as the simulated world has it: clouds of that hour over the imaged ground. */
export function assessPass(options: SimulatorOptions, order: SubmittedOrder, booking: Booking): Assessment {
  const footprint = imagedGround(options, order, booking);
  const cover = cloudCover(modelOfPass(options, order, booking, footprint)) ?? 0;
  const clouds = meets(options, order, "cloudy") ? 1 : cover;
  const coverageRatio = Math.min(1, areaKm2(footprint) / areaKm2(order.geometry));
  const isEnough = coverageRatio >= MIN_COVERAGE || meets(options, order, "partial");
  return { cloudCover: clouds, coverageRatio, footprint, fulfils: clouds <= order.maxCloudCover && isEnough };
}

/** The scene that a booked pass delivers. */
export function modelOfPass(
  { megapixels }: Pick<SimulatorOptions, "megapixels">,
  { provider, dataset, orderId }: SubmittedOrder,
  { satellite, elements, capturedMs, mode, attempt }: Booking,
  footprint: MultiPolygon,
): SceneModel {
  const capture = { provider, dataset, satellite, elements, acquiredAtMs: capturedMs, footprint, mode };
  return taskedModel({ ...capture, sceneId: sceneId(provider, dataset, `${orderId}-${attempt}`) }, megapixels * 1e6);
}

function imagedGround(options: SimulatorOptions, order: SubmittedOrder, booking: Booking): MultiPolygon {
  const ordered = canonicalMultiPolygon({ type: "MultiPolygon", coordinates: [order.geometry.coordinates] });
  // JSON of polygons.
  const strips = booking.strips as readonly PolygonCoordinates[];
  const seen = booking.coverageRatio >= MIN_COVERAGE ? ordered : intersection(ordered, unionAll(strips));
  if (!meets(options, order, "partial")) return canonicalMultiPolygon(seen);
  const [west, south, east, north] = mbr(seen);
  const share = 0.4 + 0.4 * chanceOf(order.orderId, "imaged share");
  const part = boundsPolygon([west, south, west + share * (east - west), north]);
  return canonicalMultiPolygon(intersection(seen, { type: "MultiPolygon", coordinates: [part.coordinates] }));
}

import { randomUUID } from "node:crypto";
import type { FeasibilityWindow } from "@swath/contract/features/tasking/feasibility-contract";
import { microToCredits } from "@swath/kernel/credits/micro";
import type { Position } from "@swath/kernel/geometry/geojson";
import { cloudCoverOfWindow } from "@swath/kernel/tasking/cloud-cover-of-window";
import type { TaskingPrice } from "@swath/kernel/tasking/tasking-price";
import type { Caller } from "../../../platform/context.ts";
import type { OfferedWindow } from "../../../tasking-providers/tasking-provider.ts";
import type { AgreedOrder } from "../parameters/agreed-order.ts";
import { orbitOfOffer } from "./orbits-of-offers.ts";
import type { StoredWindow, StudiedOrder } from "./window-store.ts";

const HOUR_MS = 3_600_000;
/** A price holds so long, and elements are newer by then. */
const LONGEST_OFFER_MS = 72 * HOUR_MS;

export interface StudyFrame {
  readonly agreed: AgreedOrder;
  readonly caller: Pick<Caller, "userId" | "groupId">;
  readonly price: TaskingPrice;
  readonly nowMs: number;
  /** As the request names it. */
  readonly providerName: string;
}

/**
 * The window of an offer, as it is kept and answered; null when no order of it could be placed in time. An order is
 * placed at the least offset of its kind before the window begins.
 */
export function windowOfOffer(
  { agreed, caller, nowMs, price, providerName }: StudyFrame,
  offer: OfferedWindow,
): StoredWindow | null {
  const { plan } = agreed;
  const { startMs, endMs, offerId, satellite, mode, computedFrom } = offer;
  const expiresMs = Math.min(startMs - plan.info.taskingHourOffset.min * HOUR_MS, nowMs + LONGEST_OFFER_MS);
  if (expiresMs <= nowMs) return null;
  const windowId = randomUUID();
  const clouds = cloudCoverOfWindow(
    plan.tasked.dataset.type === "optical" ? "optical" : "radar",
    middleLatitude(plan.area.geometry.coordinates[0] ?? []),
    plan.maxCloudCover,
  );
  const document: FeasibilityWindow = {
    windowId,
    provider: providerName,
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    satellite,
    mode,
    offNadir: rounded(offer.offNadirDeg),
    incidence: rounded(offer.incidenceDeg),
    lookSide: offer.lookSide,
    pass: offer.pass,
    sunElevation: rounded(offer.sunElevationDeg),
    coverageRatio: rounded(offer.coverageRatio),
    cloudCover: clouds.cloudCover,
    cloudProbability: rounded(clouds.probability),
    price: microToCredits(price.micro),
    uncertaintySeconds: rounded(offer.uncertaintyS),
    expectedAttempts: Number.isFinite(clouds.expectedAttempts) ? rounded(clouds.expectedAttempts) : null,
    strips: offer.strips,
    elementsEpoch: orbitOfOffer(offer)?.epoch ?? null,
    expiresAt: new Date(expiresMs).toISOString(),
  };
  return {
    windowId,
    userId: caller.userId,
    groupId: caller.groupId,
    study: studiedOrder(agreed),
    geometry: plan.area.geometry,
    startMs,
    endMs,
    document,
    offer: { offerId, satellite, mode, computedFrom },
    areaM2: price.areaM2,
    micro: price.micro,
    createdMs: nowMs,
    expiresMs,
  };
}

/** The members of an agreed study that an order of its windows repeats. */
export function studiedOrder({ plan, interval, terms, payerGroupId }: AgreedOrder): StudiedOrder {
  const { tasked, priority, originalGeometry, orderOptions } = plan;
  return {
    provider: tasked.provider.id,
    dataset: tasked.dataset.dataset,
    priority,
    contractId: terms.contractId,
    payerGroupId,
    originalGeometry,
    interval,
    orderOptions,
  };
}

/** Four decimals: a ten-thousandth of a degree is 10 m on the ground. */
function rounded(value: number): number;
function rounded(value: number | null): number | null;
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4;
}

function middleLatitude(ring: readonly Position[]): number {
  const lats = ring.map(([, lat]) => lat);
  return (Math.min(...lats) + Math.max(...lats)) / 2;
}

import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import type { PassWindow } from "@swath/kernel/tasking/pass-window";

/** What is to be imaged and when. Areas are in WGS 84. */
export interface TaskingRequest {
  readonly provider: string;
  readonly dataset: string;
  /** Buffered to what the provider can fulfil. */
  readonly geometry: Polygon;
  /** Of the interval, milliseconds since 1970, UTC. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly priority: string | null;
  /** Members that the contract allows. */
  readonly orderOptions: Readonly<Record<string, unknown>>;
}

/** Where a satellite is as seen from the area; null where a provider does not say. */
type OfferedGeometry = {
  readonly [Angle in "offNadirDeg" | "incidenceDeg" | "lookSide" | "pass"]: PassWindow[Angle] | null;
};

/** A time in which a provider offers to image an area. */
export interface OfferedWindow
  extends Omit<PassWindow, "catalogueNumber" | "elementsEpochMs" | keyof OfferedGeometry>, OfferedGeometry {
  /** Imaging mode of the sensor. */
  readonly mode: string;
  /** Name of the offer at the provider; null where orders need none. */
  readonly offerId: string | null;
  /** What the window was computed from: elements with their epochs, or the answer of the provider. */
  readonly computedFrom: Readonly<Record<string, unknown>>;
}

/** An order as a provider receives it. */
export interface SubmittedOrder extends TaskingRequest {
  /** Of ours. A provider that has it already answers as before. */
  readonly orderId: string;
  readonly createdMs: number;
  readonly offer: Pick<OfferedWindow, "offerId" | "satellite" | "mode" | "computedFrom">;
  readonly window: { readonly startMs: number; readonly endMs: number };
  /** 0..1; a capture with more clouds does not fulfil the order. */
  readonly maxCloudCover: number;
  /** Price of the order. */
  readonly micro: MicroCredits;
}

/** Where the image of a capture is fetched from. */
export type Delivery =
  /** A `.geotiff` or a `.zip` that the adapter writes under this name into a folder of ours. */
  {
    readonly kind: "file";
    readonly name: string;
    /** Metadata as in `scene.json`; null where the file states them. */
    readonly document: Readonly<Record<string, unknown>> | null;
    write(folder: string, signal: AbortSignal): Promise<void>;
  };

/** A capture as the provider tells of it; equal tellings are one. */
export interface ToldCapture {
  /** Of the provider, unique within the order. */
  readonly captureId: string;
  readonly status: CaptureStatus;
  readonly stripId: string;
  readonly atMs: number;
  /** 0..1; null before the picture was assessed. */
  readonly cloudCover: number | null;
  /** Share of the ordered area, 0..1; null before the picture was assessed. */
  readonly coverageRatio: number | null;
  readonly offNadirDeg: number | null;
  /** Outline of what was imaged; null before. */
  readonly footprint: Polygon | MultiPolygon | null;
  readonly foreignSceneTypes: readonly string[];
  /** Null until the capture is published. */
  readonly delivery: Delivery | null;
}

/** What a provider says of an order. It may be asked at any time and any number of times. */
export interface OrderProgress {
  readonly state: "received" | "accepted" | "refused" | "cancelled" | "completed" | "expired" | "failed";
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  /** First time that a sensor is planned to image for the order; null while nothing is planned. */
  readonly scheduledMs: number | null;
  readonly captures: readonly ToldCapture[];
  /** When asking again is worth it, milliseconds since 1970, UTC, by the clock and not by the present of the order. */
  readonly askAgainMs: number;
}

/**
 * Tasking of the datasets that are bound to one adapter. Every call may be repeated after a crash and then has no second
 * effect. A provider that cannot be reached throws ServiceError SERVICE-UNAVAILABLE: the caller asks again.
 */
export interface TaskingProvider extends AsyncDisposable {
  /** Ascending by start, at most 200. */
  feasibility(request: TaskingRequest, signal: AbortSignal): Promise<readonly OfferedWindow[]>;
  /**
   * @returns the name of the order at the provider
   * @throws {ServiceError} BAD-REQUEST with the reason of a provider that refuses the order for good
   */
  submit(order: SubmittedOrder, signal: AbortSignal): Promise<string>;
  /**
   * Asks to cancel; the outcome is told by `poll`.
   *
   * @throws {ServiceError} ILLEGAL-STATE-TRANSITION when the provider does not cancel this order
   */
  cancel(order: SubmittedOrder, providerOrderId: string, signal: AbortSignal): Promise<void>;
  poll(order: SubmittedOrder, providerOrderId: string, signal: AbortSignal): Promise<OrderProgress>;
  /** The present of an order, milliseconds since 1970, UTC; a rehearsal runs faster than the clock. */
  presentOf(order: { readonly createdMs: number }): number;
}

/** Adapters by dataset; disposing ends all that were made. */
export interface TaskingProviders extends AsyncDisposable {
  /** By the identifiers themselves, not by aliases. Null for a dataset without tasking. */
  providerOf(provider: string, dataset: string): TaskingProvider | null;
}

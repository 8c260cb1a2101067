/** States of an order, from its placing to its end. */
export const ORDER_STATUSES = [
  "RECEIVED",
  "PENDING",
  "IN_PROGRESS",
  "FULFILLED",
  "REJECTED",
  "CANCELLED",
  "EXPIRED",
  "FAILED",
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * Events of an order. `accept` and `refuse` are answers of the provider. `start` is the start of the order's
 * interval, `expire` its end without a capture that fulfils. `fail` is a fault that no repetition mends.
 */
export const ORDER_EVENTS = ["accept", "refuse", "start", "cancel", "fulfil", "expire", "fail"] as const;

export type OrderEvent = (typeof ORDER_EVENTS)[number];

/** States of a capture. One that is `SCHEDULED` is planned and not yet listed. */
export const CAPTURE_STATUSES = ["SCHEDULED", "QUEUED", "PROCESSING", "PUBLISHED", "FAILED", "CANCELLED"] as const;

export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** Types of events, as receivers see them: subject, dot, what happened. */
export const EVENT_TYPES = [
  "capture.status",
  "credits.low",
  "map.released",
  "monitor.alert",
  "monitor.result",
  "monitor.skipped",
  "order.status",
  "pipeline.cancelled",
  "pipeline.failed",
  "pipeline.resolved",
  "scene.ingested",
  "search.matched",
  "webhook.disabled",
  "webhook.test",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

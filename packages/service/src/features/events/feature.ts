import { eventsContract } from "@swath/contract/features/events/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { createEventFeed } from "./event-feed.ts";
import { eventsHandlers } from "./handlers.ts";
import { createEventService } from "./service.ts";

/** Below the idle limits of usual proxies. */
const HEARTBEAT_MS = 15_000;

export const events = defineFeature({
  name: "events",
  contract: eventsContract,
  needs: ["db", "events", "identity", "log"],
  create: (needs) => createEventService({ ...needs, feed: createEventFeed(needs), heartbeatMs: HEARTBEAT_MS }),
  handlers: eventsHandlers,
});

import type { eventsContract } from "@swath/contract/features/events/contract";
import type { Handlers } from "../../platform/context.ts";
import type { EventService } from "./service.ts";

export function eventsHandlers(service: EventService): Handlers<typeof eventsContract> {
  return {
    list: (request, { caller }) => service.list(caller, request),
    stream: (request, context) => service.stream(request, context),
  };
}

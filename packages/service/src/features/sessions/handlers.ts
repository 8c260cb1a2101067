import type { sessionsContract } from "@swath/contract/features/sessions/contract";
import type { Handlers } from "../../platform/context.ts";
import type { SessionService } from "./service.ts";

export function sessionsHandlers(service: SessionService): Handlers<typeof sessionsContract> {
  return {
    list: (request, { caller }) => service.list(caller, request),
    end: (request, by) => service.end(by, request),
  };
}

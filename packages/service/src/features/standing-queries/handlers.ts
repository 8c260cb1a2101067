import type { standingQueriesContract } from "@swath/contract/features/standing-queries/contract";
import type { Handlers } from "../../platform/context.ts";
import type { StandingQueriesService } from "./service.ts";

export function standingQueriesHandlers(service: StandingQueriesService): Handlers<typeof standingQueriesContract> {
  return {
    create: (request, { caller, signal }) => service.create(caller, request, signal),
    update: (request, { caller }) => service.update(caller, request),
    list: ({ cursor }, { caller }) => service.list(caller, cursor),
    get: ({ queryId }, { caller }) => service.get(caller, queryId),
    delete: ({ queryId }, { caller }) => service.delete(caller, queryId),
  };
}

import type { monitorsContract } from "@swath/contract/features/monitors/contract";
import type { Handlers } from "../../platform/context.ts";
import type { MonitorsService } from "./service.ts";

export function monitorsHandlers(service: MonitorsService): Handlers<typeof monitorsContract> {
  return {
    create: (request, { baseUrl, caller, signal }) => service.create(caller, request, { baseUrl, signal }),
    update: (request, { caller }) => service.update(caller, request),
    list: ({ cursor }, { caller }) => service.list(caller, cursor),
    get: ({ monitorId }, { caller }) => service.get(caller, monitorId),
    pause: ({ monitorId, paused = true }, { caller }) => service.pause(caller, monitorId, paused),
    backfillDryRun: service.backfillDryRun,
    backfill: service.backfill,
    delete: ({ monitorId }, { caller }) => service.delete(caller, monitorId),
  };
}

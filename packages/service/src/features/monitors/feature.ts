import { monitorsContract } from "@swath/contract/features/monitors/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { datacube } from "../datacube/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { maps } from "../maps/feature.ts";
import { standingQueries } from "../standing-queries/feature.ts";
import { monitorsPermissions } from "./content-permissions.ts";
import { monitorsHandlers } from "./handlers.ts";
import { LOOK_LIMITS } from "./look-poller.ts";
import { createMonitors } from "./service.ts";

/** A round without new scenes is three looks at indexes. */
const MEASURE_EVERY_MS = 1_000;
const FORGET_EVERY_MS = 60 * 60_000;
const LOOK = "monitors: look for new scenes";
/** A round without due looks is one look at an index. */
const LOOK_EVERY_MS = 1_000;

export const monitors = defineFeature({
  name: "monitors",
  contract: monitorsContract,
  needs: [
    "catalog",
    "clock",
    "db",
    "log",
    "mapTypes",
    "queue",
    "schedule",
    "sources",
    datacube,
    imagery,
    maps,
    standingQueries,
  ],
  create: ({ maps: { service }, standingQueries: standing, ...needs }) => {
    const onFree = (): void => needs.schedule.soon(LOOK, 0);
    return createMonitors({ ...needs, ...LOOK_LIMITS, maps: service, onFree, standing });
  },
  handlers: monitorsHandlers,
  permissions: ({ catalog, mapTypes }) => monitorsPermissions(mapTypes, catalog),
  schedules: (service) => [
    {
      name: "monitors: measure new scenes",
      everyMs: MEASURE_EVERY_MS,
      runsIn: "workers",
      run: (signal) => service.measure(signal),
    },
    {
      name: "monitors: forget old scenes",
      everyMs: FORGET_EVERY_MS,
      runsIn: "workers",
      run: (signal) => service.forget(signal),
    },
    // The ends of the looks are waited for at the end of the service.
    { name: LOOK, everyMs: LOOK_EVERY_MS, runsIn: "workers", run: async (signal) => void (await service.look(signal)) },
  ],
});

import { standingQueriesContract } from "@swath/contract/features/standing-queries/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { imagery } from "../imagery/feature.ts";
import { standingQueryPermissions } from "./content-permissions.ts";
import { standingQueriesHandlers } from "./handlers.ts";
import { createStandingQueries } from "./service.ts";

/** A round without new scenes is one look at an index. */
const MATCH_EVERY_MS = 1_000;
const FORGET_EVERY_MS = 60 * 60_000;

export const standingQueries = defineFeature({
  name: "standingQueries",
  contract: standingQueriesContract,
  needs: ["catalog", "clock", "db", "identity", imagery],
  create: createStandingQueries,
  handlers: standingQueriesHandlers,
  permissions: ({ catalog }) => standingQueryPermissions(catalog),
  schedules: (service) => [
    {
      name: "standing queries: match new scenes",
      everyMs: MATCH_EVERY_MS,
      runsIn: "workers",
      run: async (signal) => void (await service.matchArrivals(signal)),
    },
    {
      name: "standing queries: forget old matches",
      everyMs: FORGET_EVERY_MS,
      runsIn: "workers",
      run: (signal) => service.forgetMatches(signal),
    },
  ],
});

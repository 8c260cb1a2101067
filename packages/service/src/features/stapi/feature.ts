import { stapiContract } from "@swath/contract/features/stapi/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { tasking } from "../tasking/feature.ts";
import { stapiHandlers } from "./handlers.ts";
import { SEARCH_LANE } from "./search-store.ts";
import { createStapiService } from "./service.ts";

/** Searches that one process runs at once. Most of their time is the wait for a provider. */
const SEARCHES_AT_ONCE = 4;

export const stapi = defineFeature({
  name: "stapi",
  contract: stapiContract,
  needs: ["catalog", "clock", "config", "db", "queue", "taskingProviders", tasking],
  create: ({ config: { retentionDays }, tasking: { contracts, orders, studies }, ...needs }) =>
    createStapiService({ ...needs, contracts, orders, studies, retentionDays }),
  handlers: stapiHandlers,
  pipelines: ({ searchHandlers }) => ({
    pools: [{ lane: SEARCH_LANE, handlers: searchHandlers, concurrency: SEARCHES_AT_ONCE }],
  }),
});

import { analysesContract } from "@swath/contract/features/analyses/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { analysesHandlers } from "./handlers.ts";
import { createAnalysesService } from "./service.ts";

export const analyses = defineFeature({
  name: "analyses",
  contract: analysesContract,
  needs: ["clock", "db"],
  create: createAnalysesService,
  handlers: analysesHandlers,
});

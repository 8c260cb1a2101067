import { analysesContract } from "@swath/contract/features/analyses/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { imagery } from "../imagery/feature.ts";
import { ingestion } from "../ingestion/feature.ts";
import { maps } from "../maps/feature.ts";
import { analysesPermissions } from "./content-permissions.ts";
import { analysesHandlers } from "./handlers.ts";
import { createAnalysesService } from "./service.ts";

export const analyses = defineFeature({
  name: "analyses",
  contract: analysesContract,
  needs: ["areas", "clock", "db", "folders", "mapTypes", imagery, ingestion, maps],
  create: ({ maps: { downloads, service }, ...needs }) => createAnalysesService({ ...needs, downloads, maps: service }),
  handlers: analysesHandlers,
  permissions: ({ mapTypes }) => analysesPermissions(mapTypes),
});

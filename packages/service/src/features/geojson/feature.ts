import { geojsonContract } from "@swath/contract/features/geojson/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { geojsonHandlers } from "./handlers.ts";
import { createGeojsonService } from "./service.ts";

export const geojson = defineFeature({
  name: "geojson",
  contract: geojsonContract,
  needs: ["clock", "db"],
  create: createGeojsonService,
  handlers: geojsonHandlers,
});

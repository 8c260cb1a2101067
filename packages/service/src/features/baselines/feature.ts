import { baselinesContract } from "@swath/contract/features/baselines/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { imagery } from "../imagery/feature.ts";
import { baselinesHandlers } from "./handlers.ts";
import { createBaselineService } from "./service.ts";

export const baselines = defineFeature({
  name: "baselines",
  contract: baselinesContract,
  needs: ["db", "orbits", "catalog", imagery],
  create: ({ orbits, ...needs }) => createBaselineService({ ...needs, source: orbits }),
  handlers: baselinesHandlers,
});

import { stacContract } from "@swath/contract/features/stac/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { assets } from "../assets/feature.ts";
import { credits } from "../credits/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { ingestion } from "../ingestion/feature.ts";
import { maps } from "../maps/feature.ts";
import { stacHandlers } from "./handlers.ts";
import { createStacService } from "./service.ts";

export const stac = defineFeature({
  name: "stac",
  contract: stacContract,
  needs: ["areas", "clock", assets, credits, imagery, ingestion, maps],
  create: ({ credits: { ledger }, maps: { service }, ...needs }) =>
    createStacService({ ...needs, credits: ledger, tilesets: service.tilesets }),
  handlers: stacHandlers,
});

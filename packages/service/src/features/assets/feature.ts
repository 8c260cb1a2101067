import { assetsContract } from "@swath/contract/features/assets/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { credits } from "../credits/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { assetsHandlers } from "./handlers.ts";
import { createAssetsService } from "./service.ts";

export const assets = defineFeature({
  name: "assets",
  contract: assetsContract,
  needs: ["blobs", "catalog", "clock", "identity", "secrets", credits, imagery],
  create: ({ credits: { ledger }, secrets, ...needs }) =>
    createAssetsService({ ...needs, credits: ledger, signingKeys: secrets.keysFor("asset addresses") }),
  handlers: assetsHandlers,
});

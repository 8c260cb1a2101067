import { datacubeContract } from "@swath/contract/features/datacube/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { createDownloads } from "../../platform/downloads/downloads.ts";
import { datacubeHandlers } from "./handlers.ts";
import { createDatacubeService } from "./service.ts";

export const datacube = defineFeature({
  name: "datacube",
  contract: datacubeContract,
  needs: ["areas", "blobs", "clock", "db", "featureTests", "folders", "secrets"],
  create: ({ secrets, ...needs }) =>
    createDatacubeService({
      ...needs,
      // The feature of maps serves and removes the files of all.
      downloads: createDownloads({ ...needs, signingKeys: secrets.keysFor("download addresses") }),
    }),
  handlers: datacubeHandlers,
});

import { featureStoreContract } from "@swath/contract/features/feature-store/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { featureStoreHandlers } from "./handlers.ts";
import { createFeatureStoreService } from "./service.ts";

export const featureStore = defineFeature({
  name: "featureStore",
  contract: featureStoreContract,
  needs: ["db", "featureTests"],
  create: ({ db, featureTests: tests }) => createFeatureStoreService({ db, tests }),
  handlers: featureStoreHandlers,
});
